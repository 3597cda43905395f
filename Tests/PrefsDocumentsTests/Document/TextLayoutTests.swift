import Testing

@testable import PrefsDocuments

struct TextLayoutTests {
    private let text = TextLayout(bytes: Array("{\r\n    \"a\": {\r\n      \"b\": 1 }  \r\n}".utf8))

    @Test func `infers unit and line ending from a child`() {
        let style = text.style(parent: 0, child: 7)
        #expect(style.unit == "    ")
        #expect(style.newline == "\r\n")
        #expect(text.style(parent: 12, child: 21).unit == "  ")
    }

    @Test func `a child on its parent's line means one line`() {
        let style = TextLayout(bytes: Array("{ \"a\": 1 }".utf8)).style(parent: 0, child: 2)
        #expect((style.unit, style.newline) == ("", ""))
    }

    @Test(arguments: [(7, 3..<7), (8, nil), (0, 0..<0)] as [(Int, Range<Int>?)])
    func `indentation reaches back to the start of the line`(offset: Int, range: Range<Int>?) {
        #expect(text.indentation(before: offset) == range)
    }

    @Test func `the end of a line is found only across white space`() {
        let end = text.bytes.count - 1
        #expect(text.lineEnd(after: end - 4) == end)
        #expect(text.lineEnd(after: 7) == nil)
    }
}
