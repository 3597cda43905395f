/// The LZFSE container: blocks of several kinds, each identified by four letters, up to an end marker.
enum LZFSE {
    enum Magic {
        static let end: UInt32 = 0x2478_7662  // bvx$
        static let plain: UInt32 = 0x2D78_7662  // bvx-
        static let plainTables: UInt32 = 0x3178_7662  // bvx1
        static let packedTables: UInt32 = 0x3278_7662  // bvx2
        static let lzvn: UInt32 = 0x6E78_7662  // bvxn
    }

    /// Writes one LZVN block, or uncompressed bytes if they are no longer.
    static func compress(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        if !bytes.isEmpty {
            let payload = LZVNEncoder.encode(bytes)
            let isSmaller = payload.count < bytes.count
            output.append(littleEndian: isSmaller ? Magic.lzvn : Magic.plain)
            output.append(littleEndian: UInt32(bytes.count))
            if isSmaller { output.append(littleEndian: UInt32(payload.count)) }
            output += isSmaller ? payload : bytes
        }
        output.append(littleEndian: Magic.end)
        return output
    }

    /// Reads blocks of every kind.
    static func decompress(_ bytes: [UInt8], limit: Int) throws(CompressionFailure) -> [UInt8] {
        var reader = ByteReader(bytes)
        var output: [UInt8] = []
        while true {
            let magic = try reader.integer(UInt32.self)
            if magic == Magic.end { break }
            let size = Int(try reader.integer(UInt32.self))
            guard output.count + size <= limit else { throw .tooLarge }
            let end = output.count + size
            switch magic {
            case Magic.plain: try output.appendLiterals(reader.slice(size), limit: limit)
            case Magic.lzvn:
                let payload = try reader.slice(Int(try reader.integer(UInt32.self)))
                try LZVNDecoder.decode(payload, into: &output, limit: end)
            case Magic.plainTables:
                try LZFSEBlock(plainTables: &reader).decode(&reader, into: &output, limit: end)
            case Magic.packedTables:
                try LZFSEBlock(packedTables: &reader).decode(&reader, into: &output, limit: end)
            default: throw .malformed
            }
            guard output.count == end else { throw .malformed }
        }
        guard reader.remaining == 0 else { throw .malformed }
        return output
    }
}
