import Foundation
import TestSupport
import Testing

@testable import PrefsDocuments

@Suite struct ScalarEditsTests {
    private static let json = """
        {"name": "a", "port": 80, "hosts": ["x", "y", 1.5e3], "é": "ü", "http": {"a.b": true, "empty": {}},
         "n0": 0, "n1": 1, "n2": 2, "n3": 3, "n4": 4, "n5": 5, "n6": 6, "n7": 7, "n8": [8, 8]}
        """

    private static let xml = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
          <key>name</key><string>a &amp; b</string> <!-- a comment -->
          <key>port</key><integer>80</integer>
          <key>hosts</key><array><string/><string>é</string><real>1.5</real></array>
          <key>http</key><dict><key>on</key><true/><key>since</key><date>2001-01-01T00:00:00Z</date></dict>
          <key>data</key><data>AAEC</data><key>last</key><integer>-7</integer>
        </dict></plist>
        """

    @Test(arguments: [
        (json, "80", "8080", "port"), (json, "80", "8", "port"), (json, "8]", "8e2]", "n8"),
        (json, "\"a\"", "17", "name"), (json, "\"x\"", "\"\"", "hosts"),
        (json, "true", "false", #"http."a.b""#),
        (json, "8, 8", "8,  8", nil), (json, "8, 8", "8, 8, 8", nil), (json, "80", "80 ", nil),
        (json, "80", "{}", nil), (json, "\"port\"", "\"part\"", nil), (json, "\"a\"", "\"é\"", nil),
        (json, "80", "0x50", nil), (json, "80", " 80", nil), (json, "{}", "1", nil),
        (xml, "80", "8080", "port"), (xml, "a &amp; b", "&lt;", "name"), (xml, "AAEC", "AAECAwQF", "data"),
        (xml, "<string/>", "<string>longer</string>", "hosts"), (xml, "-7", "7", "last"),
        (xml, "<true/>", "<integer>1</integer>", "http.on"), (xml, "<true/>", "<dict/>", nil),
        (xml, "<real>1.5</real>", "<real>1.5</real><real>1.5</real>", nil), (xml, "a comment", "none", nil),
        (xml, "<key>on</key>", "<key>off</key>", nil), (xml, "80", "eighty", nil),
    ])
    func `an edit of one value takes over all others`(
        text: String, before: String, after: String, path: String?
    ) throws {
        let format: PrefsFileFormat = text == Self.json ? .json : .xmlPropertyList
        let old = try PrefsDocument(parsing: text, as: format)
        let range = try #require(text.range(of: before))
        let edited = Array(text.replacingCharacters(in: range, with: after).utf8)
        let (new, changes) = try Self.expectSame(edited, format, replacing: old)
        #expect((new?.changes(since: old) != nil) == (path != nil))
        if let path { #expect(changes == [path]) }
    }

    @Test func `the first bytes and a declared encoding are read again`() throws {
        for (text, edited) in [
            ("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><plist><string>a</string></plist>", "<string>é"),
            ("<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist><string>a</string></plist>", "<string>é"),
        ] {
            let old = try PrefsDocument(parsing: text, as: .xmlPropertyList, root: nil)
            let bytes = Array(text.replacing("<string>a", with: edited).utf8)
            #expect(
                ScalarEdits(from: old, to: DocumentText(bytes: bytes, format: old.format), limits: .standard)
                    == nil)
        }
        let old = try PrefsDocument(parsing: "[1, 2]", as: .json, root: nil)
        let text = DocumentText(bytes: Array("[7, 2]".utf8), format: .json)
        #expect(ScalarEdits(from: old, to: text, limits: .standard) == nil)
    }

    @Test func `a chain of edits stays equal to the file`() throws {
        var document = try PrefsDocument(parsing: Self.json, as: .json)
        for port: Int128 in [8080, 9, 10_000, 10_001, -1, 0] {
            let bytes = try document.editing([.set(["port"], to: .integer(port))])
            document = try #require(Self.expectSame(bytes, .json, replacing: document).new)
            #expect(document.root["port"]?.value == .integer(port))
            #expect(document.root["n8"]?.value == [8, 8])
        }
    }

    @Test func `a version is compared with the one it was derived from only`() throws {
        let first = try PrefsDocument(parsing: #"{"a": 1, "b": 1}"#, as: .json)
        let second = try PrefsDocument(
            parsing: Array(#"{"a": 2, "b": 1}"#.utf8), replacing: first, as: .json, path: nil,
            limits: .standard)
        let third = try PrefsDocument(
            parsing: Array(#"{"a": 2, "b": 2}"#.utf8), replacing: second, as: .json, path: nil,
            limits: .standard)
        #expect(third.changes(since: second) != nil)
        #expect(third.changes(since: first) == nil)
        #expect(Self.differences(first, third) == ["a", "b"])
    }

    /// Random files with random changes of their bytes.
    @Test(arguments: [PrefsFileFormat.json, .xmlPropertyList, .toml])
    func `a version is the same, whichever way it is read`(format: PrefsFileFormat) throws {
        var (texts, random) = (RandomText(seed: 7), SeededGenerator(seed: 8))
        for _ in 0..<300 {
            let bytes = Array(texts.file(as: format).utf8)
            let old = try PrefsDocument(parsing: bytes, as: format)
            for _ in 0..<20 {
                var edited = bytes
                for _ in 0..<Int.random(in: 1...2, using: &random) { Self.edit(&edited, &random) }
                try Self.expectSame(edited, format, replacing: old)
            }
        }
    }

    /// Random files with some or all scalars replaced.
    @Test(arguments: [
        (PrefsFileFormat.json, ["0", "-17", "\"text\"", "true", "1.25", "\"\\n\"", "\"\""]),
        (.xmlPropertyList, ["<integer>5</integer>", "<string>a&lt;b</string>", "<true/>", "<string/>"]),
    ])
    func `any number of scalars may change`(format: PrefsFileFormat, values: [String]) throws {
        var (texts, random) = (RandomText(seed: 9), SeededGenerator(seed: 10))
        var derived = 0
        for _ in 0..<300 {
            let old = try PrefsDocument(parsing: texts.file(as: format), as: format)
            for share in [1, 2, 8] {
                var edited = old.text.bytes
                for node in old.nodes.reversed() where !node.isContainer {
                    guard Int.random(in: 0..<share, using: &random) == 0 else { continue }
                    let value = values.randomElement(using: &random)!
                    edited.replaceSubrange(node.range, with: Array(value.utf8))
                }
                let new = try Self.expectSame(edited, format, replacing: old).new
                if new?.changes(since: old) != nil { derived += 1 }
            }
        }
        #expect(derived > 800, "\(derived) of 900 versions were derived")
    }

    private static func edit(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        let index = Int.random(in: 0...bytes.count, using: &random)
        let end = min(index + Int.random(in: 0...2, using: &random), bytes.count)
        let alphabet = Array("0123456789abc<>\"\\{}[],: .e-+&;/\n\u{E9}".utf8)
        let new = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            alphabet.randomElement(using: &random)!
        }
        bytes.replaceSubrange(index..<end, with: new)
    }
}

extension ScalarEditsTests {
    /// Reads a revision both ways. Compares the results, and the differences from the old revision.
    @discardableResult
    private static func expectSame(
        _ bytes: [UInt8], _ format: PrefsFileFormat, replacing old: PrefsDocument
    ) throws -> (new: PrefsDocument?, changes: [String]) {
        let whole = Result { () throws(PrefsError) in try PrefsDocument(parsing: bytes, as: format) }
        let derived = Result { () throws(PrefsError) in
            try PrefsDocument(parsing: bytes, replacing: old, as: format, path: nil, limits: .standard)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        switch (whole, derived) {
        case (.success(let whole), .success(let derived)):
            #expect(whole.nodes.map(\.fields) == derived.nodes.map(\.fields), "\(text)")
            #expect(whole.root.value == derived.root.value, "\(text)")
            #expect(whole.warnings == derived.warnings, "\(text)")
            let changes = differences(old, derived)
            #expect(changes == differences(old, whole), "\(text)")
            return (derived, changes)
        case (.failure(let one), .failure(let other)):
            #expect(one == other, "\(text)")
        default: Issue.record("\(whole) and \(derived) from \(text)")
        }
        return (nil, [])
    }

    private static func differences(_ old: PrefsDocument, _ new: PrefsDocument) -> [String] {
        var paths: [String] = []
        new.root.forEachDifference(from: old.root, at: nil) { paths.append($0.name) }
        return paths
    }
}

extension DocumentNode {
    fileprivate var fields: [Int] {
        [
            Int(start), Int(end), Int(keyStart), Int(keyLength), Int(next), kind.hashValue,
            Int(flags.rawValue), Int(truncatingIfNeeded: payload),
        ]
    }
}
