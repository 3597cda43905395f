import Testing

@testable import PrefsDocuments

struct KeyHashTests {
    private static func ofASCII(_ bytes: [UInt8], seed: UInt64 = KeyHash.seed) -> UInt64? {
        KeyHash.ofASCII(bytes.span, seed: seed)
    }

    private static func haveSameBytes(_ lhs: [UInt8], _ rhs: [UInt8]) -> Bool {
        lhs.span.hasSameBytes(as: rhs.span)
    }

    @Test(arguments: ["", "a", "http.port", "exactly8", "more than eight bytes"])
    func `a key in a file and a string have one hash`(_ key: String) {
        #expect(Self.ofASCII(Array(key.utf8)) == KeyHash.of(key))
    }

    @Test func `canonically equivalent keys have one hash`() {
        #expect(Self.ofASCII(Array("\u{E9}".utf8)) == nil)
        #expect(KeyHash.of("\u{E9}") == KeyHash.of("e\u{301}"))
    }

    @Test func `characters equivalent to ASCII have its hash and no other is equivalent to it`() {
        #expect(KeyHash.of("\u{212A}elvin\u{37E}\u{1FEF}") == KeyHash.of("Kelvin;`"))
        #expect(KeyHash.of("\u{212A}é") == KeyHash.of("Ke\u{301}"))
        let ascii = Set((0..<0x80).map { String(Unicode.Scalar($0 as UInt8)) })
        let wrong = (0x80...0x2_FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init).filter {
            (KeyHash.asciiEquivalent(of: $0) != nil) != ascii.contains(String($0))
        }
        #expect(wrong.isEmpty)
    }

    @Test func `the hash depends on the seed and on the length`() {
        let zeros = [UInt8](repeating: 0, count: 16)
        #expect(Self.ofASCII(zeros, seed: 1) != Self.ofASCII(zeros, seed: 2))
        #expect(Self.ofASCII(zeros, seed: 1) != Self.ofASCII(zeros.dropLast(), seed: 1))
    }

    @Test(arguments: 0...20, [-1, 0, 7, 8, 19])
    func `bytes are compared to the last one`(count: Int, difference: Int) {
        let bytes = (0..<count).map { UInt8($0) }
        var others = bytes
        if others.indices.contains(difference) { others[difference] ^= 1 }
        #expect(Self.haveSameBytes(bytes, others) == (bytes == others))
    }

    @Test(arguments: [0, 1, 7, 31, 32, 255, 256, 257, 511, 512, 1000], [0, 1, 8, 300])
    func `common prefixes and suffixes end at the first and the last difference`(count: Int, extra: Int) {
        let bytes = (0..<count).map { UInt8($0 % 251) }
        let more = (0..<extra).map { UInt8($0 % 7) | 0x80 }
        for difference in [0, count / 3, count - 1] where difference >= 0 && difference < count {
            var others = bytes
            others[difference] ^= 0xFF
            #expect(bytes.span.commonPrefix(with: (others + more).span) == difference)
            #expect(bytes.span.commonSuffix(with: (more + others).span) == count - 1 - difference)
        }
        #expect(bytes.span.commonPrefix(with: (bytes + more).span) == count)
        #expect(bytes.span.commonSuffix(with: (more + bytes).span) == count)
    }
}
