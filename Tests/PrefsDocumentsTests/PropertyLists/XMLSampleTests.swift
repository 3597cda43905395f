import FoundationEssentials
import Testing

@testable import PrefsDocuments

struct XMLSampleTests {
    @Test func `a commented entry reads as its value once uncommented`() throws {
        let value: PrefsValue = ["a--b---c": ["--", "<&>", .data(Data([1]))], "plain": 1]
        let entry = try XMLSample.entry("key--", value, indent: "  ")
        #expect(!entry.contains("--"))
        let text = "<plist version=\"1.0\"><dict>\n\(entry)\n</dict></plist>"
        #expect(try PrefsDocument(parsing: text).content == ["key--": value])
        let commented = "<plist version=\"1.0\"><dict>\n<!--\n\(entry)\n-->\n</dict></plist>"
        #expect(try PrefsDocument(parsing: commented).content.isEmpty)
    }

    @Test func `an entry is written over lines`() throws {
        #expect(
            try XMLSample.entry("a", ["b": true], indent: "  ") == """
                  <key>a</key>
                  <dict>
                      <key>b</key>
                      <true/>
                  </dict>
                """)
    }

    @Test(arguments: [("a-b", "a-b"), ("a--b", "a- -b"), ("---", "- - -")])
    func `a comment contains no two hyphens`(text: String, comment: String) {
        #expect(XMLSample.comment(text) == comment)
    }
}
