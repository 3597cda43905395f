/// A decoder for LZVN: byte-aligned instructions that copy literals and repeat earlier bytes.
enum LZVNDecoder {
    /// Appends the decoded contents of a payload.
    static func decode(
        _ payload: ArraySlice<UInt8>, into output: inout [UInt8], limit: Int
    ) throws(CompressionFailure) {
        var reader = ByteReader(Array(payload))
        var distance = 0
        while let instruction = try Instruction(&reader, previousDistance: distance) {
            try output.appendLiterals(reader.slice(instruction.literals), limit: limit)
            guard instruction.matched > 0 else { continue }
            distance = instruction.distance
            try output.copyMatch(length: instruction.matched, distance: distance, limit: limit)
        }
    }

    private struct Instruction {
        var literals = 0
        var matched = 0
        var distance: Int

        /// Reads an instruction up to its literals; `nil` for the end marker.
        ///
        /// The letters show the bits: L for literals, M for the length of the match, D for the distance.
        init?(_ reader: inout ByteReader, previousDistance: Int) throws(CompressionFailure) {
            distance = previousDistance
            let code = try reader.byte()
            switch code {
            case 0x06:
                // The end marker is eight bytes long, so that decoders may read ahead.
                try reader.skip(7)
                return nil
            case 0x0E, 0x16: break
            case 0x1E, 0x26, 0x2E, 0x36, 0x3E, 0x70...0x7F, 0xD0...0xDF: throw .malformed
            case 0xE0: literals = Int(try reader.byte()) + 16  // 11100000 LLLLLLLL
            case 0xE1...0xEF: literals = Int(code & 15)  // 1110LLLL
            case 0xF0: matched = Int(try reader.byte()) + 16  // 11110000 MMMMMMMM
            case 0xF1...0xFF: matched = Int(code & 15)  // 1111MMMM
            case 0xA0...0xBF:  // 101LLMMM DDDDDDMM DDDDDDDD
                let rest = Int(try reader.integer(UInt16.self))
                literals = Int(code >> 3 & 3)
                matched = (Int(code & 7) << 2 | rest & 3) + 3
                distance = rest >> 2
            default: try readShort(code, &reader)
            }
        }

        private mutating func readShort(
            _ code: UInt8, _ reader: inout ByteReader
        ) throws(CompressionFailure) {
            literals = Int(code >> 6)
            matched = Int(code >> 3 & 7) + 3
            switch code & 7 {
            case 6: break  // LLMMM110, the previous distance
            case 7: distance = Int(try reader.integer(UInt16.self))  // LLMMM111 DDDDDDDD DDDDDDDD
            default: distance = Int(code & 7) << 8 | Int(try reader.byte())  // LLMMMDDD DDDDDDDD
            }
        }
    }
}
