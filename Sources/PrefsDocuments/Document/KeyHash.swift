/// The hash of a dictionary key, identical for a key in a file and for a `String` used to look it up.
///
/// Two keys are the same if they are equal as `String`s, that is, canonically equivalent: a `Dictionary` cannot
/// hold both. The hash is seeded once per process, so that nobody can craft a file that causes collisions.
enum KeyHash {
    static let seed = UInt64.random(in: .min ... .max)

    /// Returns the hash of ASCII bytes; `nil` if there are other bytes. Keys with such bytes are hashed as
    /// strings.
    static func ofASCII(_ bytes: Span<UInt8>, seed: UInt64 = seed) -> UInt64? {
        var state = seed ^ UInt64(truncatingIfNeeded: bytes.count)
        var index = 0
        while let word = ByteWord(bytes, at: index) {
            guard word.isASCII else { return nil }
            state = mix(state ^ word.bigEndian, seed)
            index += 8
        }
        var rest: UInt64 = 0
        var seen: UInt8 = 0
        while index < bytes.count {
            seen |= bytes[index]
            rest = rest << 8 | UInt64(bytes[index])
            index += 1
        }
        return seen < 0x80 ? mix(state ^ rest, seed) : nil
    }

    static func of(_ key: String) -> UInt64 {
        ofASCII(key.utf8Span.span) ?? ofASCIIEquivalent(key) ?? UInt64(truncatingIfNeeded: key.hashValue)
    }

    /// Returns the hash of the ASCII text that is canonically equivalent to a key; `nil` if there is none.
    private static func ofASCIIEquivalent(_ key: String) -> UInt64? {
        var bytes: [UInt8] = []
        for scalar in key.unicodeScalars {
            guard let byte = asciiEquivalent(of: scalar) else { return nil }
            bytes.append(byte)
        }
        return ofASCII(bytes.span)
    }

    /// Returns the ASCII character that is canonically equivalent to a character. Unicode's stability policy rules
    /// out further pairs.
    static func asciiEquivalent(of scalar: Unicode.Scalar) -> UInt8? {
        switch scalar {
        case "\u{37E}": UInt8(ascii: ";")
        case "\u{1FEF}": UInt8(ascii: "`")
        case "\u{212A}": UInt8(ascii: "K")
        default: scalar.isASCII ? UInt8(truncatingIfNeeded: scalar.value) : nil
        }
    }

    /// Mixes by a folded multiplication: every bit of the state affects every bit of the result.
    private static func mix(_ state: UInt64, _ seed: UInt64) -> UInt64 {
        let product = (state ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: seed | 1)
        return product.high ^ product.low
    }
}

extension StringProtocol {
    /// Returns true if both texts have the same bytes.
    ///
    /// `==` compares canonically: `é` in one character equals `é` in two, which are different values of a setting.
    package func hasSameBytes(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension String {
    /// Returns true if both texts have the same bytes.
    package func hasSameBytes(as other: String) -> Bool {
        utf8Span.span.hasSameBytes(as: other.utf8Span.span)
    }
}

extension String? {
    /// Returns true if both are absent, or are texts with the same bytes.
    package func hasSameBytes(as other: String?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return self.hasSameBytes(as: other)
    }
}

extension Span<UInt8> {
    /// Returns true if both have the same bytes.
    package func hasSameBytes(as other: Span<UInt8>) -> Bool {
        count == other.count && commonPrefix(with: other) == count
    }

    /// Returns the number of bytes at the start that both spans have in common.
    func commonPrefix(with other: Span<UInt8>) -> Int {
        let count = Swift.min(count, other.count)
        var index = 0
        while let mine = ByteWords(self, at: index), let others = ByteWords(other, at: index), mine == others
        {
            index += 32
        }
        while let mine = ByteWord(self, at: index), let others = ByteWord(other, at: index) {
            if let difference = mine.firstDifference(from: others) { return index + difference }
            index += 8
        }
        while index < count, self[index] == other[index] { index += 1 }
        return index
    }

    /// Returns the number of bytes at the end that both spans have in common.
    func commonSuffix(with other: Span<UInt8>) -> Int {
        let common = Swift.min(count, other.count)
        var length = 0
        while common - length >= 32, let mine = ByteWords(self, at: count - length - 32),
            let others = ByteWords(other, at: other.count - length - 32), mine == others
        {
            length += 32
        }
        while common - length >= 8, let mine = ByteWord(self, at: count - length - 8),
            let others = ByteWord(other, at: other.count - length - 8)
        {
            if let difference = mine.lastDifference(from: others) { return length + 7 - difference }
            length += 8
        }
        while length < common, self[count - 1 - length] == other[other.count - 1 - length] { length += 1 }
        return length
    }
}
