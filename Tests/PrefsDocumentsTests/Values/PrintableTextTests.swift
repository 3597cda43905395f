import Testing

@testable import PrefsDocuments

@Suite struct PrintableTextTests {
    static let rows: [(text: String, printable: String)] = [
        ("", ""), ("plain “text” é 😀 • ↑", "plain “text” é 😀 • ↑"), (#"a\b"c"#, #"a\b"c"#),
        ("\u{0}\u{1B}[2J", #"\u{0}\u{1b}[2J"#), ("a\nb\tc\rd", #"a\nb\tc\rd"#), ("\r\n", #"\r\n"#),
        ("\u{7F}\u{80}\u{85}\u{9B}\u{9F}\u{A0}", "\\u{7f}\\u{80}\\u{85}\\u{9b}\\u{9f}\u{A0}"),
        ("\u{200D}\u{200E}\u{200F}\u{2010}", "\u{200D}\\u{200e}\\u{200f}\u{2010}"),
        ("\u{2028}\u{2029}\u{202A}\u{202E}\u{202F}", "\\u{2028}\\u{2029}\\u{202a}\\u{202e}\u{202F}"),
        ("\u{2065}\u{2066}\u{2069}\u{206A}", "\u{2065}\\u{2066}\\u{2069}\u{206A}"),
        ("e\u{61C}", #"e\u{61c}"#),
    ]

    @Test(arguments: rows) func `control characters are escaped, and nothing else`(
        text: String, printable: String
    ) {
        #expect(text.printable == printable)
        #expect(printable.printable == printable)
    }

    @Test func `a file in JSON or XML escapes them and reads back the same`() throws {
        // Add a letter after each scalar, because only a few combining marks may follow each other.
        let scalars = (0x7F...0x2070).compactMap { (code: UInt32) in Unicode.Scalar(code) }
        let hostile = scalars.map { "\($0)a" }.joined()
        let key = String(hostile.unicodeScalars.filter(\.isControl))
        let content: [String: PrefsValue] = [key: .string(hostile)]
        for format in [PrefsFileFormat.json, .xmlPropertyList] {
            let bytes = try format.serialize(content)
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(!text.unicodeScalars.contains { $0.isControl && $0 != "\n" && $0 != "\t" })
            #expect(try PrefsDocument(parsing: bytes, as: format).content == content)
        }
    }
}
