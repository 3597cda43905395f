import Testing

@testable import PrefsDocuments

struct XMLScannerErrorTests {
    /// A file, the position of its error, and part of the message.
    static let faults: [(text: String, place: PrefsPosition, words: String)] = [
        ("", .line(1, column: 1), "the file is empty"),
        ("\n", .line(1, column: 1), "the file is empty"),
        ("{ a = b; }", .line(1, column: 1), "OpenStep"),
        ("// !$*UTF8*$!\n{}", .line(1, column: 1), "OpenStep"),
        ("\"a\" = \"b\";", .line(1, column: 1), "OpenStep"),
        ("a = b;", .line(1, column: 1), "OpenStep"),
        ("{\"a\": 1}", .line(1, column: 1), "JSON"),
        ("[1, 2]", .line(1, column: 1), "JSON; name the file .json"),
        ("[\"a = b\"]", .line(1, column: 1), "JSON; name the file .json"),
        ("[http]\nport = 80\n", .line(1, column: 1), "TOML; name the file .toml"),
        ("# a; b\n\n  port = \"80;\"\n", .line(1, column: 1), "TOML; name the file .toml"),
        ("port: 80", .line(1, column: 1), "expected an XML property list"),
        ("<dict/>", .line(1, column: 1), "expected <plist>, found <dict>"),
        ("<plist/>", .line(1, column: 1), "expected a value"),
        ("<plist></plist>", .line(1, column: 8), "expected a value"),
        ("<plist><string>x</string></plist>", .line(1, column: 8), "expected a dictionary"),
        ("<plist>\n<dict/>\n<dict/></plist>", .line(3, column: 1), "expected </plist>"),
        ("<plist><dict/></plist>x", .line(1, column: 23), "content after"),
        ("<plist><dict/></plist><plist/>", .line(1, column: 23), "content after"),
        ("<plist><dict>x</dict></plist>", .line(1, column: 14), "expected <key> or </dict>, found a letter"),
        ("<plist><dict><true/></dict></plist>", .line(1, column: 14), "expected <key>"),
        ("<plist><dict><key>a</key></dict></plist>", .line(1, column: 26), "has no value"),
        ("<plist><dict><key>a</key><key>b</key></dict></plist>", .line(1, column: 26), "first has no value"),
        ("<plist><array><key>a</key></array></plist>", .line(1, column: 15), "outside a dictionary"),
        ("<plist><dict></array></plist>", .line(1, column: 14), "expected </dict>"),
        (
            "<plist><dict><key>a</key><foo/></dict></plist>", .line(1, column: 26),
            "unknown property list element"
        ),
        ("<plist><dict><key>a</key><plist/></dict></plist>", .line(1, column: 26), "found <plist>"),
        ("<plist><dict><key>a</key>< /></dict></plist>", .line(1, column: 26), "without an element name"),
        ("<plist><dict", .line(1, column: 13), "expected “>”"),
        ("<plist><dict a=b>", .line(1, column: 16), "expected “>”"),
        ("<plist a=\"1", .line(1, column: 12), "expected “>”"),
        ("<plist><!-- x", .line(1, column: 8), "unterminated comment"),
        ("<!DOCTYPE plist [<!ENTITY a \"b\">]><plist/>", .line(1, column: 18), "entity declarations"),
        ("<!DOCTYPE plist", .line(1, column: 1), "unterminated document type"),
        ("<!DOCTYPE plist 'x", .line(1, column: 17), "unterminated quotation"),
        (
            "<?xml version='1.0' encoding='ISO-8859-1'?><plist>é", .line(1, column: 1),
            "iso-8859-1 is not supported"
        ),
    ]

    /// The same faults inside a dictionary's value, which begins at 1:41.
    static let valueFaults: [(text: String, column: Int, words: String)] = [
        ("<string>a", 50, "expected </string>"),
        ("<string>a<b/></string>", 50, "found another element"),
        ("<string><![CDATA[a</string>", 49, "unterminated CDATA section"),
        ("<string>a & b</string>", 51, "write a literal “&” as &amp;"),
        ("<string>&amp</string>", 49, "expected “;”"),
        ("<string>&foo;</string>", 49, "unknown reference"),
        ("<string>&#1;</string>", 49, "unknown reference"),
        ("<string>&#xD800;</string>", 49, "unknown reference"),
        ("<string>&#1114112;</string>", 49, "unknown reference"),
        ("<string>&#;</string>", 49, "unknown reference"),
        ("<string>a\u{1}</string>", 50, "control character byte 0x01"),
        ("<string>a\u{0}</string>", 50, "control character byte 0x00"),
        ("<string>\u{FFFF}</string>", 49, "character not allowed in XML"),
        ("<string>a<!-- ", 50, "unterminated comment"),
        ("<integer/>", 51, "expected an integer, found nothing"),
        ("<integer>1.0</integer>", 50, "expected an integer, found other text"),
        ("<integer>1 2</integer>", 50, "expected an integer"),
        ("<integer>18446744073709551616</integer>", 50, "expected an integer"),
        ("<integer>-9223372036854775809</integer>", 50, "expected an integer"),
        ("<integer>0x</integer>", 50, "expected an integer"),
        ("<integer>--1</integer>", 50, "expected an integer"),
        ("<real>1,5</real>", 47, "expected a real"),
        ("<real>0x10</real>", 47, "expected a real"),
        ("<real>1e999</real>", 47, "expected a real"),
        ("<real>1e</real>", 47, "expected a real"),
        ("<date>2001-13-01T00:00:00Z</date>", 47, "expected a date"),
        ("<date>2001-02-29T00:00:00Z</date>", 47, "expected a date"),
        ("<date>1900-02-29T00:00:00Z</date>", 47, "expected a date"),
        ("<date>2001-01-01T24:00:00Z</date>", 47, "expected a date"),
        ("<date>2001-01-01</date>", 47, "expected a date"),
        ("<date>2001-01-01T00:00:00</date>", 47, "expected a date"),
        ("<data>A</data>", 48, "incomplete base64"),
        ("<data>AQ*D</data>", 49, "invalid base64: unexpected “*”"),
        ("<data>AQ=D</data>", 50, "invalid base64"),
        ("<data>=</data>", 47, "invalid base64: unexpected “=”"),
        ("<data>====</data>", 47, "invalid base64"),
        ("<true>x</true>", 47, "expected </true>"),
    ]

    @Test(arguments: faults.indices)
    func `an error names the position`(index: Int) {
        let (text, place, words) = Self.faults[index]
        expect(text, place, words)
    }

    @Test(arguments: valueFaults.indices)
    func `an error in a value names the position`(index: Int) {
        let (text, column, words) = Self.valueFaults[index]
        let head = "<plist version=\"1.0\"><dict><key>k</key>  "
        expect(String(head.dropLast()) + text + "</dict></plist>", .line(1, column: column), words)
    }

    private func expect(_ text: String, _ place: PrefsPosition, _ words: String) {
        let error = #expect(throws: PrefsError.self) {
            try PrefsDocument(parsing: Array(text.utf8), as: .xmlPropertyList, path: "f.plist")
        }
        #expect(
            error?.origin == PrefsOrigin(file: "f.plist", position: place),
            "\(text): \(error?.description ?? "")")
        #expect(error?.reason.contains(words) == true, "\(text): \(error?.description ?? "")")
    }

    @Test(
        arguments: [
            [0xC0, 0x80], [0xFF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3],
            [0x80],
            [0xF0, 0x9F, 0x98],
        ] as [[UInt8]])
    func `text that is not UTF-8 is rejected`(_ bytes: [UInt8]) {
        let text = Array("<plist><dict><key>".utf8) + bytes + Array("</key><true/></dict></plist>".utf8)
        let error = #expect(throws: PrefsError.self) {
            try PrefsDocument(parsing: text, as: .xmlPropertyList)
        }
        #expect(error?.origin?.position == .line(1, column: 19))
        #expect(error?.reason.contains("UTF-8") == true)
    }
}
