#if Compression
    public import Foundation
    public import LayeredPrefsCompression

    extension NSData {
        /// The algorithms of compressed codings. Foundation on Linux declares no such type.
        public typealias CompressionAlgorithm = LayeredPrefsCompression.CompressionAlgorithm
    }
#endif
