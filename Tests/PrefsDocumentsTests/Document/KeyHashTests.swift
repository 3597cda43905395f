import Testing

@testable import PrefsDocuments

struct KeyHashTests {
    @Test(arguments: ["", "a", "http.port", "exactly8", "more than eight bytes"])
    func `a key in a file and a string have one hash`(_ key: String) {
        let bytes = Array(key.utf8)
        #expect(KeyHash.ofASCII(bytes.span) == KeyHash.of(key))
    }

    @Test func `canonically equivalent keys have one hash`() {
        #expect(KeyHash.ofASCII(Array("\u{E9}".utf8).span) == nil)
        #expect(KeyHash.of("\u{E9}") == KeyHash.of("e\u{301}"))
    }

    @Test func `the hash depends on the seed and on the length`() {
        let zeros = [UInt8](repeating: 0, count: 16)
        #expect(KeyHash.ofASCII(zeros.span, seed: 1) != KeyHash.ofASCII(zeros.span, seed: 2))
        #expect(KeyHash.ofASCII(zeros.span, seed: 1) != KeyHash.ofASCII(zeros.dropLast().span, seed: 1))
    }

    @Test(arguments: 0...20, [-1, 0, 7, 8, 19])
    func `bytes are compared to the last one`(count: Int, difference: Int) {
        let bytes = (0..<count).map { UInt8($0) }
        var others = bytes
        if others.indices.contains(difference) { others[difference] ^= 1 }
        #expect(bytes.span.hasSameBytes(as: others.span) == (bytes == others))
    }
}
