#if Compression
    import CCompression

    /// LZ4 blocks in Apple's frame: `bv41`, the two sizes and a block; or `bv4-`, a size and uncompressed
    /// bytes; `bv4$` at the end. A block may refer to the 64 KiB before it.
    enum LZ4Frame {
        private static let compressedMagic: UInt32 = 0x3134_7662
        private static let plainMagic: UInt32 = 0x2D34_7662
        private static let endMagic: UInt32 = 0x2434_7662
        private static let blockSize = 1 << 20
        private static let window = 64 << 10

        static func compress(_ bytes: [UInt8]) throws(CompressionFailure) -> [UInt8] {
            var output: [UInt8] = []
            var start = 0
            while start < bytes.count {
                let block = Array(bytes[start..<min(start + blockSize, bytes.count)])
                try append(block, to: &output)
                start += block.count
            }
            output.append(littleEndian: endMagic)
            return output
        }

        private static func append(_ block: [UInt8], to output: inout [UInt8]) throws(CompressionFailure) {
            let size = CInt(block.count)
            var compressed = [UInt8](repeating: 0, count: Int(LZ4_compressBound(size)))
            let written = unsafe block.withUnsafeBytes { input in
                unsafe compressed.withUnsafeMutableBytes { output in
                    unsafe LZ4_compress_default(
                        input.baseAddress?.assumingMemoryBound(to: CChar.self),
                        output.baseAddress?.assumingMemoryBound(to: CChar.self), size, CInt(output.count))
                }
            }
            guard written > 0 else { throw .exhausted }
            let isSmaller = Int(written) < block.count
            output.append(littleEndian: isSmaller ? compressedMagic : plainMagic)
            output.append(littleEndian: UInt32(block.count))
            if isSmaller { output.append(littleEndian: UInt32(written)) }
            output += isSmaller ? compressed[..<Int(written)] : block[...]
        }

        static func decompress(_ bytes: [UInt8], limit: Int) throws(CompressionFailure) -> [UInt8] {
            var reader = ByteReader(bytes)
            var output: [UInt8] = []
            while true {
                switch try reader.integer(UInt32.self) {
                case endMagic:
                    guard reader.remaining == 0 else { throw .malformed }
                    return output
                case plainMagic:
                    let size = Int(try reader.integer(UInt32.self))
                    try output.appendLiterals(reader.slice(size), limit: limit)
                case compressedMagic:
                    let size = Int(try reader.integer(UInt32.self))
                    let compressedSize = Int(try reader.integer(UInt32.self))
                    try decompress(reader.slice(compressedSize), size: size, into: &output, limit: limit)
                default: throw .malformed
                }
            }
        }

        private static func decompress(
            _ block: ArraySlice<UInt8>, size: Int, into output: inout [UInt8], limit: Int
        ) throws(CompressionFailure) {
            guard output.count + size <= limit else { throw .tooLarge }
            // A byte of LZ4 expands to at most 255 bytes, so a larger declared size is invalid. Reject it before
            // allocating.
            guard size <= block.count * 255, let capacity = CInt(exactly: size) else { throw .malformed }
            let dictionary = Array(output.suffix(window))
            var buffer = [UInt8](repeating: 0, count: size)
            let produced = unsafe block.withUnsafeBytes { input in
                unsafe buffer.withUnsafeMutableBytes { buffer in
                    unsafe dictionary.withUnsafeBytes { dictionary in
                        unsafe LZ4_decompress_safe_usingDict(
                            input.baseAddress?.assumingMemoryBound(to: CChar.self),
                            buffer.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(input.count),
                            capacity,
                            dictionary.baseAddress?.assumingMemoryBound(to: CChar.self),
                            CInt(dictionary.count))
                    }
                }
            }
            guard produced == capacity else { throw .malformed }
            output += buffer
        }
    }
#endif
