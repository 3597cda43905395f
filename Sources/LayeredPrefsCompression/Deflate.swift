#if Compression
    import CCompression

    /// Raw DEFLATE through zlib.
    enum Deflate {
        // Negative: no zlib header and no checksum, as Apple's framework writes it.
        private static let windowBits: CInt = -15
        private static let level: CInt = 5
        private static let chunk = 64 << 10

        static func compress(_ bytes: [UInt8]) throws(CompressionFailure) -> [UInt8] {
            var stream = unsafe z_stream()
            let size = unsafe CInt(MemoryLayout<z_stream>.size)
            let memoryLevel: CInt = 8
            let status = unsafe deflateInit2_(
                &stream, level, Z_DEFLATED, windowBits, memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
            guard status == Z_OK else { throw .exhausted }
            defer { unsafe deflateEnd(&stream) }
            return try unsafe run(&stream, over: bytes, limit: .max) { stream in
                unsafe deflate(&stream, Z_FINISH)
            }
        }

        static func decompress(_ bytes: [UInt8], limit: Int) throws(CompressionFailure) -> [UInt8] {
            var stream = unsafe z_stream()
            let size = unsafe CInt(MemoryLayout<z_stream>.size)
            guard unsafe inflateInit2_(&stream, windowBits, ZLIB_VERSION, size) == Z_OK else {
                throw .exhausted
            }
            defer { unsafe inflateEnd(&stream) }
            return try unsafe run(&stream, over: bytes, limit: limit) { stream in
                unsafe inflate(&stream, Z_NO_FLUSH)
            }
        }

        private static func run(
            _ stream: inout z_stream, over bytes: [UInt8], limit: Int, _ step: (inout z_stream) -> CInt
        ) throws(CompressionFailure) -> [UInt8] {
            var bytes = bytes
            var output: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: chunk)
            var failure: CompressionFailure?
            unsafe bytes.withUnsafeMutableBufferPointer { input in
                unsafe stream.next_in = input.baseAddress
                unsafe stream.avail_in = UInt32(clamping: input.count)
                failure = unsafe fill(&output, &buffer, &stream, limit: limit, step)
            }
            if let failure { throw failure }
            return output
        }

        private static func fill(
            _ output: inout [UInt8], _ buffer: inout [UInt8], _ stream: inout z_stream, limit: Int,
            _ step: (inout z_stream) -> CInt
        ) -> CompressionFailure? {
            while true {
                let status = unsafe buffer.withUnsafeMutableBufferPointer { buffer in
                    unsafe stream.next_out = buffer.baseAddress
                    unsafe stream.avail_out = UInt32(buffer.count)
                    return unsafe step(&stream)
                }
                let produced = unsafe buffer.count - Int(stream.avail_out)
                guard output.count + produced <= limit else { return .tooLarge }
                output += buffer[..<produced]
                if status == Z_STREAM_END { return unsafe stream.avail_in == 0 ? nil : .malformed }
                guard status == Z_OK, produced > 0 else {
                    return status == Z_MEM_ERROR ? .exhausted : .malformed
                }
            }
        }
    }
#endif
