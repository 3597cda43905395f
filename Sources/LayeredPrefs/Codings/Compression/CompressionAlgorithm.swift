/// How data is compressed: in the formats that Apple's Compression framework reads and writes under the same
/// names.
public enum CompressionAlgorithm: Sendable, Hashable, CaseIterable {
    /// LZFSE. This library reads all of it, and writes its LZVN blocks, which every decoder reads and which
    /// compress somewhat less than an LZFSE encoder's best.
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

/// Why data cannot be compressed or decompressed.
enum CompressionFailure: Error {
    /// The data is not what the format asks for, or breaks off.
    case malformed
    /// The decompressed data would exceed the limit.
    case tooLarge
    /// The system library gave up: no memory.
    case exhausted
}
