import Testing

@testable import PrefsDocuments

struct ByteWordTests {
    /// Every byte value at every place, among plain bytes, and among bytes that differ from it by one.
    private static let texts: [[UInt8]] = (0...255).flatMap { value in
        [UInt8(ascii: "a"), UInt8(truncatingIfNeeded: value &+ 1), UInt8(truncatingIfNeeded: value &- 1)]
            .flatMap {
                other in
                (0..<8).map { place in
                    var text = [UInt8](repeating: other, count: 8)
                    text[place] = UInt8(value)
                    return text
                }
            }
    }

    @Test func `plain text ends at the first byte that is markup or not printable`() throws {
        for text in Self.texts {
            let expected = text.firstIndex { $0 < 0x20 || $0 >= 0x7F || "<&".utf8.contains($0) } ?? 8
            #expect(try word(text).plainCount(before: 0x3C, 0x26) == expected, "\(text)")
        }
    }

    @Test(arguments: Array("\n>a\0".utf8)) func `a byte is found`(_ byte: UInt8) throws {
        for text in Self.texts {
            #expect(try word(text).firstIndex(of: byte) == text.firstIndex(of: byte), "\(text)")
        }
    }

    @Test func `the first and the last difference are found`() throws {
        let text = Array("a word 8".utf8)
        for first in 0..<8 {
            for last in first..<8 {
                var other = text
                for place in [first, last] { other[place] = text[place] ^ 0x80 }
                let (word, others) = (try word(text), try word(other))
                #expect(word.firstDifference(from: others) == first)
                #expect(word.lastDifference(from: others) == last)
            }
        }
        #expect(try word(text).firstDifference(from: word(text)) == nil)
        #expect(try word(text).lastDifference(from: word(text)) == nil)
    }

    @Test(arguments: Array("\n>a\0".utf8)) func `occurrences among 32 bytes are counted`(_ byte: UInt8) throws
    {
        for text in Self.texts {
            let longer = text + Array("\n\u{7F}\u{1}abcdefg".utf8) + text.reversed() + text
            let loaded = ByteWords(longer.span, at: 1)
            let words = try #require(loaded)
            var counts = ByteWords.Counts.zero
            for _ in 0..<16 { words.add(occurrencesOf: byte, to: &counts) }
            #expect(ByteWords.sum(ofBytes: counts) == 16 * longer[1..<33].count { $0 == byte }, "\(text)")
        }
    }

    @Test func `fewer than 32 bytes are not loaded`() {
        let bytes = [UInt8](repeating: 0, count: 40)
        let (last, none) = (ByteWords(bytes.span, at: 8), ByteWords(bytes.span, at: 9))
        #expect(last != nil)
        #expect(none == nil)
    }

    @Test func `only bytes below 128 are ASCII`() throws {
        for text in Self.texts {
            #expect(
                try word(text).isASCII == text.allSatisfy { $0 < 128 }, "\(text)")
        }
    }

    @Test func `bytes are packed in the order of the text`() throws {
        let text = Array("xkey>567 ".utf8)
        let word = try word(text, at: 1)
        #expect(word.prefix(3) == XMLTag.key.rawValue)
        #expect(word.prefix(0) == 0)
        #expect(word.bigEndian == 0x6B65_793E_3536_3720)
    }

    @Test func `eight bytes are needed`() {
        let text = [UInt8](repeating: 1, count: 9)
        #expect(throws: Never.self) { try word(text, at: 1) }
        #expect(throws: TooShort.self) { try word(text, at: 2) }
        #expect(throws: TooShort.self) { try word(text, at: 9) }
    }

    private struct TooShort: Error {}

    // A helper, because the macros cannot take a span.
    private func word(_ text: [UInt8], at offset: Int = 0) throws(TooShort) -> ByteWord {
        guard let word = ByteWord(text.span, at: offset) else { throw TooShort() }
        return word
    }
}
