import FoundationEssentials
import Testing

@testable import PrefsDocuments

struct XMLScannerTests {
    static func document(_ value: String) -> [UInt8] {
        Array("<plist version=\"1.0\"><dict><key>k</key>\(value)</dict></plist>".utf8)
    }

    private static func parse(_ text: String) throws -> PrefsDocument {
        try PrefsDocument(parsing: Array(text.utf8), as: .xmlPropertyList, path: "f.plist")
    }

    @Test(
        arguments: [
            ("<string>a b</string>", .string("a b")),
            ("<string/>", .string("")),
            ("<string></string>", .string("")),
            ("<string> \n x </string>", .string(" \n x ")),
            ("<string>&lt;&gt;&amp;&quot;&apos;&#65;&#x1F600;&#10;</string>", .string("<>&\"'A😀\n")),
            ("<string>a<![CDATA[<&>]]>b<!-- no --><?no?>c</string>", .string("a<&>bc")),
            ("<string>one\r\ntwo\rthree</string>", .string("one\ntwo\nthree")),
            ("<string>é日本😀</string>", .string("é日本😀")),
            ("<string xml:space='preserve' a=\"1\">x</string >", .string("x")),
            ("<integer>42</integer>", .integer(42)),
            ("<integer> -42\n</integer>", .integer(-42)),
            ("<integer>+7</integer>", .integer(7)),
            ("<integer>0x1F</integer>", .integer(31)),
            ("<integer>-0x1f</integer>", .integer(-31)),
            ("<integer>007</integer>", .integer(7)),
            ("<integer>1<!-- 2 -->3</integer>", .integer(13)),
            ("<integer>18446744073709551615</integer>", .integer(Int128(UInt64.max))),
            ("<integer>-9223372036854775808</integer>", .integer(Int128(Int64.min))),
            ("<real>1</real>", .real(1)),
            ("<real>-1.5e-3</real>", .real(-0.0015)),
            ("<real>.5</real>", .real(0.5)),
            ("<real>5.</real>", .real(5)),
            ("<real>0.1</real>", .real(0.1)),
            ("<real>-0.0</real>", .real(-0.0)),
            ("<real>nan</real>", .real(.nan)),
            ("<real>+Infinity</real>", .real(.infinity)),
            ("<real>-inf</real>", .real(-.infinity)),
            ("<true/>", .bool(true)),
            ("<false></false>", .bool(false)),
            ("<date>2001-01-01T00:00:00Z</date>", .date(Date(timeIntervalSinceReferenceDate: 0))),
            ("<date>2000-02-29T12:30:15Z</date>", .date(Date(timeIntervalSince1970: 951_827_415))),
            ("<date>2001-01-01T00:00:00.5Z</date>", .date(Date(timeIntervalSinceReferenceDate: 0.5))),
            ("<date>0000-12-30T00:00:00Z</date>", .date(.distantPast)),
            ("<data> AQ ID\n\tBA== </data>", .data(Data([1, 2, 3, 4]))),
            ("<data/>", .data(Data())),
            ("<array/>", .array([])),
            ("<array><true/><array><dict/></array></array>", .array([true, [[:]]])),
            ("<dict><key/><true/></dict>", .dictionary(["": true])),
            ("<dict><key>a&amp;b</key><true/></dict>", .dictionary(["a&b": true])),
            ("<dict><key>CF$UID</key><integer>3</integer></dict>", .dictionary(["CF$UID": 3])),
        ] as [(String, PrefsValue)])
    func `reads every kind of value`(of text: String, as value: PrefsValue) throws {
        let document = try PrefsDocument(parsing: Self.document(text), as: .xmlPropertyList)
        #expect(document.content == ["k": value])
        #expect(document.root["k"]?.kind == value.kind)
    }

    @Test func `the document type, comments and instructions are skipped`() throws {
        let document = try Self.parse(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- > one -->
            <!DOCTYPE plist PUBLIC "-//Apple//DTD > PLIST" 'x>y' [ <!-- ]> --> <!ELEMENT plist ANY> ]>
            <?target some > thing?>
            <plist version="1.0">
            <!-- two --><dict><!-- three --><key>a</key><!-- four --><true/><?five?></dict>
            </plist>
            <!-- six -->
            """)
        #expect(document.content == ["a": true])
    }

    @Test(
        arguments: [
            [0xEF, 0xBB, 0xBF] + Array("é".utf8), Array("é".utf8),
        ] as [[UInt8]])
    func `a byte order mark is skipped`(_ head: [UInt8]) throws {
        let mark = head.count > 2 ? Array(head.prefix(3)) : []
        let bytes = mark + Self.document("<string>é</string>")
        #expect(try PrefsDocument(parsing: bytes, as: .xmlPropertyList).content == ["k": "é"])
    }

    @Test(arguments: [true, false], [true, false])
    func `UTF-16 is read with and without a byte order mark`(isBig: Bool, hasMark: Bool) throws {
        let text =
            "<?xml version='1.0' encoding='UTF-16'?><plist><dict><key>é</key><string>😀</string></dict></plist>"
        let bytes = ((hasMark ? "\u{FEFF}" : "") + text).utf16.flatMap { unit -> [UInt8] in
            let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
            return isBig ? pair : pair.reversed()
        }
        let document = try PrefsDocument(parsing: bytes, as: .xmlPropertyList)
        #expect(document.content == ["é": "😀"])
        let edited = try document.editing([.set(["é"], to: "ü")])
        #expect(try PrefsDocument(parsing: edited, as: .xmlPropertyList).content == ["é": "ü"])
        #expect(edited.count == bytes.count - 2)
    }

    @Test func `a key has a line and a column`() throws {
        let document = try Self.parse(
            "<plist>\n<dict>\n\t<key>a</key>\n\t<dict>\n<key>b</key> <true/></dict></dict></plist>")
        #expect(document.root["a"]?.position == .line(3, column: 2))
        #expect(document.root["a"]?["b"]?.position == .line(5, column: 1))
        #expect(document.root.position == .line(2, column: 1))
    }
}
