#if Compression
    import CCompression

    /// LZMA2 in an xz container, through liblzma.
    enum XZ {
        private static let preset: UInt32 = 6
        /// The memory limit of decoding; preset 9, the largest in use, needs 65 MiB.
        private static let memoryLimit: UInt64 = 128 << 20
        private static let chunk = 64 << 10

        static func compress(_ bytes: [UInt8]) throws(CompressionFailure) -> [UInt8] {
            var output = [UInt8](repeating: 0, count: lzma_stream_buffer_bound(bytes.count))
            var position = 0
            let status = unsafe lzma_easy_buffer_encode(
                preset, LZMA_CHECK_CRC32, nil, bytes, bytes.count, &output, &position, output.count)
            guard status == LZMA_OK else { throw .exhausted }
            return Array(output[..<position])
        }

        static func decompress(_ bytes: [UInt8], limit: Int) throws(CompressionFailure) -> [UInt8] {
            var stream = unsafe lzma_stream()
            guard unsafe lzma_stream_decoder(&stream, memoryLimit, 0) == LZMA_OK else { throw .exhausted }
            defer { unsafe lzma_end(&stream) }
            var output: [UInt8] = []
            var failure: CompressionFailure?
            unsafe bytes.withUnsafeBufferPointer { input in
                unsafe stream.next_in = input.baseAddress
                unsafe stream.avail_in = input.count
                failure = unsafe fill(&output, from: &stream, limit: limit)
            }
            if let failure { throw failure }
            return output
        }

        private static func fill(
            _ output: inout [UInt8], from stream: inout lzma_stream, limit: Int
        ) -> CompressionFailure? {
            var buffer = [UInt8](repeating: 0, count: chunk)
            while true {
                let status = unsafe buffer.withUnsafeMutableBufferPointer { buffer in
                    unsafe stream.next_out = buffer.baseAddress
                    unsafe stream.avail_out = buffer.count
                    return unsafe lzma_code(&stream, LZMA_FINISH)
                }
                let produced = unsafe buffer.count - stream.avail_out
                guard output.count + produced <= limit else { return .tooLarge }
                output += buffer[..<produced]
                if status == LZMA_STREAM_END { return unsafe stream.avail_in == 0 ? nil : .malformed }
                guard status == LZMA_OK else {
                    return status == LZMA_MEM_ERROR || status == LZMA_MEMLIMIT_ERROR ? .exhausted : .malformed
                }
            }
        }
    }
#endif
