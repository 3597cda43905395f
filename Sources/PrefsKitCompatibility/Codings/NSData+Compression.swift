public import Foundation
#if Compression
    public import LayeredPrefs

    extension NSData {
        /// The algorithms of compressed codings. Foundation on Linux declares none.
        public typealias CompressionAlgorithm = LayeredPrefs.CompressionAlgorithm
    }
#endif
