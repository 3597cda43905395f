/// An encoder for LZVN: at each position it matches the latest earlier occurrence of the next four bytes, as
/// long as possible.
struct LZVNEncoder {
    private let bytes: [UInt8]
    private var output: [UInt8] = []
    private var previousDistance = 0

    private static let hashBits = 14
    private static let longestDistance = 0xFFFF

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var encoder = LZVNEncoder(bytes)
        encoder.run()
        return encoder.output
    }

    private mutating func run() {
        var latest = [Int](repeating: -1, count: 1 << Self.hashBits)
        var position = 0
        var unwritten = 0
        while position + 4 <= bytes.count {
            let hash = hash(at: position)
            let candidate = latest[hash]
            latest[hash] = position
            let length = candidate < 0 ? 0 : commonLength(candidate, position)
            guard length >= 4 else {
                position += 1
                continue
            }
            write(literals: bytes[unwritten..<position], matched: length, distance: position - candidate)
            position += length
            unwritten = position
        }
        var rest = bytes[unwritten...]
        writeLongLiterals(&rest)
        if !rest.isEmpty { output += [0xE0 | UInt8(rest.count)] + rest }
        output += [0x06, 0, 0, 0, 0, 0, 0, 0]
    }

    private func hash(at position: Int) -> Int {
        var word: UInt32 = 0
        for index in 0..<4 { word = word << 8 | UInt32(bytes[position + index]) }
        return Int((word &* 2_654_435_761) >> UInt32(32 - Self.hashBits))
    }

    /// Returns the number of equal bytes at two positions; 0 if their distance is too large to encode.
    private func commonLength(_ earlier: Int, _ later: Int) -> Int {
        guard later - earlier <= Self.longestDistance else { return 0 }
        var length = 0
        while later + length < bytes.count, bytes[earlier + length] == bytes[later + length] { length += 1 }
        return length
    }

    private mutating func write(literals: ArraySlice<UInt8>, matched: Int, distance: Int) {
        var literals = literals
        writeLongLiterals(&literals)
        if literals.count > 3 {
            output += [0xE0 | UInt8(literals.count)] + literals
            literals = []
        }
        // The more literals an instruction has, the fewer match lengths its remaining bit patterns can
        // encode.
        let short = min(matched, 10 - 2 * literals.count)
        let head = UInt8(literals.count) << 6 | UInt8(short - 3) << 3
        var left = matched - short
        if distance == previousDistance {
            if literals.isEmpty { left = matched } else { output.append(head | 6) }
        } else if distance < 0x600 {
            output += [head | UInt8(distance >> 8), UInt8(distance & 0xFF)]
        } else if distance < 0x4000, left > 0 {
            let medium = min(matched, 34)
            writeMedium(literals: literals.count, extra: medium - 3, distance: distance)
            left = matched - medium
        } else {
            output += [head | 7, UInt8(distance & 0xFF), UInt8(distance >> 8)]
        }
        output += literals
        previousDistance = distance
        writeRepetition(left)
    }

    private mutating func writeMedium(literals: Int, extra: Int, distance: Int) {
        output += [
            0xA0 | UInt8(literals) << 3 | UInt8(extra >> 2),
            UInt8(extra & 3) | UInt8(truncatingIfNeeded: distance << 2),
            UInt8(distance >> 6),
        ]
    }

    /// Writes literals until fewer than 16 are left.
    private mutating func writeLongLiterals(_ literals: inout ArraySlice<UInt8>) {
        while literals.count >= 16 {
            let count = min(literals.count, 271)
            output += [0xE0, UInt8(count - 16)] + literals.prefix(count)
            literals = literals.dropFirst(count)
        }
    }

    /// Extends the previous match.
    private mutating func writeRepetition(_ length: Int) {
        var left = length
        while left >= 16 {
            let count = min(left, 271)
            output += [0xF0, UInt8(count - 16)]
            left -= count
        }
        if left > 0 { output.append(0xF0 | UInt8(left)) }
    }
}
