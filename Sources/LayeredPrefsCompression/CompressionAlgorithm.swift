/// A compression algorithm. Its format is the one that Apple's Compression framework uses under the same name.
public enum CompressionAlgorithm: Sendable, Hashable, CaseIterable {
    /// LZFSE. This library reads the complete format. It writes LZVN blocks, which every decoder reads, and which are
    /// slightly larger than the output of an LZFSE encoder.
    case lzfse
    #if Compression
        /// LZ4 blocks in Apple's frame (`bv41`).
        case lz4
        /// LZMA2 in an xz container.
        case lzma
        /// Raw DEFLATE (RFC 1951), without zlib's header.
        case zlib
    #endif
}

extension CompressionAlgorithm {
    func compress(_ bytes: [UInt8]) throws(CompressionFailure) -> [UInt8] {
        switch self {
        case .lzfse: LZFSE.compress(bytes)
        #if Compression
            case .lz4: try LZ4Frame.compress(bytes)
            case .lzma: try XZ.compress(bytes)
            case .zlib: try Deflate.compress(bytes)
        #endif
        }
    }

    func decompress(_ bytes: [UInt8], limit: Int) throws(CompressionFailure) -> [UInt8] {
        switch self {
        case .lzfse: try LZFSE.decompress(bytes, limit: limit)
        #if Compression
            case .lz4: try LZ4Frame.decompress(bytes, limit: limit)
            case .lzma: try XZ.decompress(bytes, limit: limit)
            case .zlib: try Deflate.decompress(bytes, limit: limit)
        #endif
        }
    }
}

/// The reason that data cannot be compressed or decompressed.
enum CompressionFailure: Error {
    /// The data does not follow the format, or is truncated.
    case malformed
    /// The decompressed data would exceed the limit.
    case tooLarge
    /// The system library failed, for lack of memory.
    case exhausted
}
