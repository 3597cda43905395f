import FoundationEssentials
import Testing

@testable import PrefsDocuments

struct PrefsDocumentTests {
    private static func xml(_ content: String) throws -> PrefsDocument {
        try PrefsDocument(
            parsing: Array("<plist><dict>\(content)</dict></plist>".utf8), as: .xmlPropertyList, path: "f")
    }

    @Test func `the empty document is an empty dictionary`() {
        #expect(PrefsDocument.empty.root.kind == .dictionary)
        #expect(PrefsDocument.empty.content.isEmpty)
        #expect(PrefsDocument.empty.root["a"] == nil)
        #expect(PrefsDocument.empty.root.position == nil)
    }

    @Test(arguments: [1, 8, 9, 10, 1000])
    func `every key is found in dictionaries of any size`(count: Int) throws {
        let content = Dictionary(
            uniqueKeysWithValues: (0..<count).map { ("key \($0) é&", PrefsValue.integer(Int128($0))) })
        for format in [PrefsFileFormat.xmlPropertyList, .binaryPropertyList, .json] {
            let root = try PrefsDocument(parsing: format.serialize(content), as: format).root
            #expect(root.count == count)
            for (key, value) in content { #expect(root[key]?.value == value) }
            #expect(root["key"] == nil)
            #expect(root["key \(count) é&"] == nil)
            #expect(root["nothing"] == nil)
        }
    }

    @Test func `the last of duplicate keys wins and a warning names both lines`() throws {
        let document = try Self.xml(
            "<key>a</key><true/>\n<key>b</key><true/>\n<key>a</key><integer>2</integer>")
        #expect(document.content == ["a": 2, "b": true])
        #expect(document.root.count == 2)
        #expect(document.root["a"]?.value == 2)
        #expect(document.root.entries.map(\.key) == ["b", "a"])
        let warning = try #require(document.warnings.first)
        #expect(document.warnings.count == 1)
        #expect(warning.key == "a")
        #expect(warning.origin?.position == .line(3, column: 6))
        #expect(warning.reason.contains("on line 1"))
    }

    @Test func `strict parsing rejects duplicate keys`() {
        let bytes = Array("<plist><dict><key>a</key><true/><key>&#97;</key><true/></dict></plist>".utf8)
        let error = #expect(throws: PrefsError.self) {
            try PrefsDocument(parsing: bytes, as: .xmlPropertyList, strict: true)
        }
        #expect(error?.reason.contains("duplicate") == true)
        #expect(throws: PrefsError.self) {
            try PrefsDocument(parsing: Array(#"{"a": 1, "\u0061": 2}"#.utf8), as: .json, strict: true)
        }
    }

    @Test func `many duplicates cause few warnings`() throws {
        let document = try Self.xml(String(repeating: "<key>a</key><true/>", count: 1000))
        #expect(document.warnings.count == 21)
        #expect(document.warnings.last?.reason == "… and 979 more duplicate keys")
        #expect(document.root.count == 1)
    }

    @Test func `positions in one long line are exact`() throws {
        let entries = (0..<2000).map { "<key>k\($0)</key><true/>" }.joined()
        let root = try Self.xml(entries).root
        #expect(root["k0"]?.position == .line(1, column: 14))
        #expect(root["k1"]?.position == .line(1, column: 34))
        var lastColumn = 0
        for (_, node) in root.entries {
            if case .line(1, let column?) = node.position { lastColumn = column }
        }
        #expect(lastColumn == 14 + 20 * 10 + 21 * 90 + 22 * 900 + 23 * 999)
    }

    /// The number of other keys decides whether the dictionary has a hash table.
    @Test(
        arguments: [("\u{E9}", "e\u{301}"), ("\u{212A}", "K"), ("K", "\u{212A}"), ("a\u{37E}", "a;")],
        [0, 20])
    func `canonically equivalent keys are duplicates, of which the last wins`(
        keys: (String, String), others: Int
    ) throws {
        let rest = (0..<others).map { "<key>k\($0)</key><true/>" }.joined()
        let document = try Self.xml("<key>\(keys.0)</key><true/>\(rest)<key>\(keys.1)</key><false/>")
        let warning = try #require(document.warnings.first)
        #expect(document.warnings.count == 1)
        #expect(warning.reason.contains(", in other but canonically equivalent Unicode characters)"))
        #expect(document.root.count == others + 1)
        #expect(document.content.count == others + 1)
        for key in [keys.0, keys.1] {
            #expect(document.root[key]?.value == false)
            #expect(document.content[key] == false)
        }
        #expect(document.root.entries.contains { $0.key.utf8.elementsEqual(keys.1.utf8) })
    }

    @Test func `equal content compares equal across formats and spellings`() throws {
        let content: [String: PrefsValue] = ["a": ["é", 1, 2.5, true, ["b": "<&>"]], "c": 7]
        let documents = try [PrefsFileFormat.xmlPropertyList, .binaryPropertyList, .json].map {
            try PrefsDocument(parsing: $0.serialize(content), as: $0)
        }
        for lhs in documents { for rhs in documents { #expect(lhs.root.hasSameContent(as: rhs.root)) } }
        let other = try Self.xml("<key>c</key><integer>0x7</integer><key>a</key><array/>")
        #expect(!other.root.hasSameContent(as: documents[0].root))
        #expect(try #require(other.root["c"]).hasSameContent(as: #require(documents[1].root["c"])))
        #expect(try !#require(other.root["c"]).hasSameContent(as: #require(documents[1].root["a"])))
    }

    @Test(arguments: [
        ("<integer>1</integer>", "<real>1</real>"), ("<true/>", "<integer>1</integer>"),
        ("<real>0.0</real>", "<real>-0.0</real>"), ("<string/>", "<data/>"),
        ("<array><true/></array>", "<array><true/><true/></array>"),
        ("<dict><key>a</key><true/></dict>", "<dict><key>b</key><true/></dict>"),
        ("<data>AQID</data>", "<data>AQIE</data>"),
    ])
    func `different content compares unequal`(lhs: String, rhs: String) throws {
        let first = try Self.xml("<key>k</key>" + lhs)
        let second = try Self.xml("<key>k</key>" + rhs)
        #expect(!first.root.hasSameContent(as: second.root))
    }

    @Test func `the format is detected from name and content`() {
        #expect(PrefsFileFormat.detecting(bytes: [], path: "a.json") == .json)
        #expect(
            PrefsFileFormat.detecting(bytes: Array("bplist00".utf8), path: "a.plist") == .binaryPropertyList)
        #expect(PrefsFileFormat.detecting(bytes: Array("{}".utf8), path: "a.plist") == .xmlPropertyList)
        #expect(PrefsFileFormat.detecting(bytes: [], path: nil) == .xmlPropertyList)
    }

    @Test(arguments: [
        ("new.conf", "limit = 3\n", "found TOML; name the file .toml; the extension “.conf” names no format"),
        ("/etc/mailer.toml.dpkg-new", "# the limit", "found “#”; the extension “.dpkg-new” names no format"),
        ("/etc/mailer.d/mailer", "limit: 3", "found a letter; the name has no extension that names a format"),
    ])
    func `a name without the extension of a format is named with what was found`(
        path: String, text: String, words: String
    ) {
        let error = #expect(throws: PrefsError.self) { try PrefsDocument(parsing: text, path: path) }
        #expect(error?.reason.contains(words) == true, "\(String(describing: error))")
        // The same error with an earlier revision, as for a file that is read again.
        let again = #expect(throws: PrefsError.self) {
            try PrefsDocument(
                parsing: Array(text.utf8), replacing: .empty, as: nil, path: path, limits: .standard)
        }
        #expect(again == error)
    }

    @Test(
        arguments: [("a.plist", nil), (nil, nil), ("a.conf", .xmlPropertyList)]
            as [(String?, PrefsFileFormat?)])
    func `a format that is stated is what was expected`(path: String?, format: PrefsFileFormat?) {
        let error = #expect(throws: PrefsError.self) {
            try PrefsDocument(parsing: "limit = 3", as: format, path: path)
        }
        #expect(error?.reason == "expected an XML property list, found TOML; name the file .toml")
    }

    @Test func `limits are enforced`() throws {
        let bytes = Array("<plist><dict><key>a</key><array><true/><true/></array></dict></plist>".utf8)
        let format = PrefsFileFormat.xmlPropertyList
        for limits in [
            PrefsLimits(fileSize: bytes.count - 1), PrefsLimits(depth: 1), PrefsLimits(values: 3),
        ] {
            let error = #expect(throws: PrefsError.self) {
                try PrefsDocument(parsing: bytes, as: format, limits: limits)
            }
            #expect(error?.code == .tooLarge)
        }
        _ = try PrefsDocument(
            parsing: bytes, as: format, limits: PrefsLimits(fileSize: bytes.count, depth: 2, values: 4))
    }
}
