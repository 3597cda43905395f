import Testing

@testable import PrefsDocuments

struct UTF8SequenceTests {
    @Test(arguments: ["\u{80}", "é", "\u{7FF}", "\u{800}", "€", "\u{FFFF}", "😀", "\u{10FFFF}"])
    func `decodes every length`(_ text: String) {
        let bytes = Array("a\(text)b".utf8)
        let sequence = UTF8Sequence(bytes, at: 1)
        #expect(sequence?.scalar == text.unicodeScalars.first)
        #expect(sequence?.length == text.utf8.count)
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x41], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
            [0xE2, 0x82], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
            [0xFF],
        ] as [[UInt8]])
    func `rejects overlong forms, surrogates and fragments`(_ bytes: [UInt8]) {
        #expect(UTF8Sequence(bytes, at: 0) == nil)
    }
}
