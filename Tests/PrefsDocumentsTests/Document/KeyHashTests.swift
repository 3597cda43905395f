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
}
