import TestSupport
import FoundationEssentials
import Testing

@testable import PrefsDocuments

/// An edit leaves everything that it does not name unchanged, byte for byte.
struct SurgicalEditorTests {
    private static let file = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- Keep me -->
        <plist version="1.0">
        <dict>
            <!-- the port -->
            <key>port</key> <integer>0x50</integer> <!-- eighty -->
            <key>http</key>
            <dict>
                <key>host</key><string>&#97;.example</string>
            </dict>
            <key>empty</key>
            <dict/>
            <key>last</key>
            <array> <true/> </array>
            <!-- the end -->
        </dict>
        </plist>

        """

    /// Edits, each with the text that it replaces in the file and the replacement.
    static let edits: [(path: [String], value: PrefsValue?, old: String, new: String)] = [
        (["port"], 81, "<integer>0x50</integer>", "<integer>81</integer>"),
        (["port"], 80, "", ""),
        (["port"], ["a"], "<integer>0x50</integer>", "<array>\n        <string>a</string>\n    </array>"),
        (["http", "host"], "b", "<string>&#97;.example</string>", "<string>b</string>"),
        (["http", "host"], "a.example", "", ""),
        (["http", "host"], nil, "        <key>host</key><string>&#97;.example</string>\n", ""),
        (
            ["http", "port"], 1, "    </dict>\n    <key>empty",
            "        <key>port</key>\n        <integer>1</integer>\n    </dict>\n    <key>empty"
        ),
        (
            ["empty", "a", "b"], true, "<dict/>",
            "<dict>\n        <key>a</key>\n        <dict>\n            <key>b</key>\n            <true/>\n        </dict>\n    </dict>"
        ),
        (["new"], [:], "    <!-- the end -->\n", "    <!-- the end -->\n    <key>new</key>\n    <dict/>\n"),
        (
            ["new", "a"], "<", "    <!-- the end -->\n",
            "    <!-- the end -->\n    <key>new</key>\n    <dict>\n        <key>a</key>\n        <string>&lt;</string>\n    </dict>\n"
        ),
        (["last"], nil, "    <key>last</key>\n    <array> <true/> </array>\n", ""),
        (["last"], [false, true, 1], "<true/>", "<false/><true/><integer>1</integer>"),
        (["port"], nil, "<key>port</key> <integer>0x50</integer>", ""),
        (["nothing"], nil, "", ""), (["nothing", "here"], nil, "", ""), (["port", "deeper"], nil, "", ""),
        (
            ["http"], ["host": "a.example", "x": 1], "    </dict>\n    <key>empty",
            "        <key>x</key>\n        <integer>1</integer>\n    </dict>\n    <key>empty"
        ),
    ]

    @Test(arguments: edits.indices, ["\n", "\r\n"])
    func `only the named entry changes`(index: Int, newline: String) throws {
        let (path, value, old, new) = Self.edits[index]
        func lines(_ text: String) -> String { text.replacing("\n", with: newline) }
        let before = lines(Self.file)
        let document = try PrefsDocument(parsing: Array(before.utf8), as: .xmlPropertyList)
        let after = try document.editing([.init(path: path, value: value)])
        let expected = old.isEmpty ? before : before.replacing(lines(old), with: lines(new))
        #expect(String(decoding: after, as: UTF8.self) == expected)
    }

    @Test(
        arguments: [
            (
                [1, 2, 3],
                "  <integer>0x1</integer> <!-- one -->\n  <!-- two -->\n  <integer>2</integer>\n  <integer>3</integer>\n"
            ),
            (
                [0, 1, 2],
                "  <integer>0</integer>\n  <integer>0x1</integer> <!-- one -->\n  <!-- two -->\n  <integer>2</integer>\n"
            ),
            ([1], "  <integer>0x1</integer> <!-- one -->\n"),
            ([2], "  <!-- two -->\n  <integer>2</integer>\n"),
            ([1, "x"], "  <integer>0x1</integer> <!-- one -->\n  <!-- two -->\n  <string>x</string>\n"),
        ] as [(PrefsValue, String)])
    func `the other elements of a list stay, with their comments`(value: PrefsValue, lines: String) throws {
        func file(_ lines: String) -> String {
            "<plist><dict>\n<key>a</key>\n<array>\n\(lines)</array>\n</dict></plist>\n"
        }
        let before = file("  <integer>0x1</integer> <!-- one -->\n  <!-- two -->\n  <integer>2</integer>\n")
        let document = try PrefsDocument(parsing: Array(before.utf8), as: .xmlPropertyList)
        let after = try document.editing([.set(["a"], to: value)])
        #expect(String(decoding: after, as: UTF8.self) == file(lines))
    }

    @Test func `several edits below one missing parent create it once`() throws {
        let document = try PrefsDocument(parsing: Array(Self.file.utf8), as: .xmlPropertyList)
        let after = try document.editing([
            .set(["new", "a"], to: 1), .remove(["port"]), .set(["new", "b", "c"], to: 2), .remove(["http"]),
            .set(["http", "z"], to: 3), .set(["new", "a"], to: 4),
        ])
        let result = try PrefsDocument(parsing: after, as: .xmlPropertyList)
        #expect(
            result.content == [
                "new": ["a": 4, "b": ["c": 2]], "http": ["z": 3], "empty": [:], "last": [true],
            ])
        #expect(String(decoding: after, as: UTF8.self).contains("<!-- the end -->"))
    }

    @Test func `setting a key below a scalar is rejected with its path`() throws {
        let document = try PrefsDocument(parsing: Array(Self.file.utf8), as: .xmlPropertyList)
        for edits in [[(["http", "host", "x"], PrefsValue.bool(true))], [(["n"], 1), (["n", "x"], 1)]] {
            let error = #expect(throws: PrefsError.self) {
                try document.editing(edits.map { PrefsDocument.Edit(path: $0.0, value: $0.1) })
            }
            #expect(error?.code == .wrongType)
            #expect(error?.key == (edits.count == 1 ? "http.host" : "n"))
        }
    }

    @Test func `removing a key removes its duplicates`() throws {
        let text =
            "<plist><dict>\n<key>a</key><true/>\n<key>b</key><true/>\n<key>a</key><false/>\n</dict></plist>"
        let document = try PrefsDocument(parsing: Array(text.utf8), as: .xmlPropertyList)
        let after = try document.editing([.remove(["a"])])
        #expect(
            String(decoding: after, as: UTF8.self) == "<plist><dict>\n<key>b</key><true/>\n</dict></plist>")
    }

    @Test(arguments: [
        (
            "<plist><dict><key>a</key><true/></dict></plist>",
            "<plist><dict><key>a</key><true/><key>n</key><dict><key>x</key><array><integer>1</integer></array></dict></dict></plist>"
        ),
        (
            "<plist><dict></dict></plist>",
            "<plist><dict>\n\t<key>n</key>\n\t<dict>\n\t\t<key>x</key>\n\t\t<array>\n\t\t\t<integer>1</integer>\n\t\t</array>\n\t</dict>\n</dict></plist>"
        ),
    ])
    func `additions follow the file's layout`(before: String, after: String) throws {
        let document = try PrefsDocument(parsing: Array(before.utf8), as: .xmlPropertyList)
        let result = try document.editing([.set(["n", "x"], to: [1])])
        #expect(String(decoding: result, as: UTF8.self) == after)
    }

    static let jsonEdits: [(before: String, edits: [([String], PrefsValue?)], after: String)] = [
        ("{}", [(["a"], 1)], "{\n  \"a\": 1\n}"),
        ("{\"a\":1}", [(["b"], [2, 3])], "{\"a\":1,\"b\":[2,3]}"),
        (
            "  {\"a\": {\"x\": [1, 2]}}", [(["a", "x"], [3, 4]), (["a", "y"], ["z": 1, "w": [5]])],
            "  {\"a\": {\"x\": [3, 4], \"y\": {\"w\": [5], \"z\": 1}}}"
        ),
        (
            "{\n  \"a\": {\"x\": [1, 2]}\n}", [(["a", "x"], [3, [4, 5]])],
            "{\n  \"a\": {\"x\": [3, [4, 5]]}\n}"
        ),
        ("{\"a\": [1e0, 2.0]}", [(["a"], [1.0, 2.0, 3])], "{\"a\": [1e0, 2.0, 3]}"),
        ("{\"a\": [1e0, 2, 3e0]}", [(["a"], [1.0, 3.0])], "{\"a\": [1e0, 3e0]}"),
        (
            "{\n  \"a\": [\n    {\"x\": 1e0},\n    {\"x\": 2}\n  ]\n}",
            [(["a"], [["x": 1.0], ["x": 3, "y": 4], ["z": 5]])],
            "{\n  \"a\": [\n    {\"x\": 1e0},\n    {\"x\": 3, \"y\": 4},\n    {\"z\": 5}\n  ]\n}"
        ),
        ("{\"a\":[[1e0],[2]]}", [(["a"], [[0, 1.0], [2], [3, 4]])], "{\"a\":[[0,1e0],[2],[3,4]]}"),
        ("{\n  \"a\": {\"x\": {}}\n}", [(["a", "x", "y"], 1)], "{\n  \"a\": {\"x\": {\"y\": 1}}\n}"),
        ("{\n  \"a\":1\n}", [(["b"], [2])], "{\n  \"a\":1,\n  \"b\":[\n    2\n  ]\n}"),
        (
            "{\n    \"a\": 1\n}\n", [(["b", "c"], 2)],
            "{\n    \"a\": 1,\n    \"b\": {\n        \"c\": 2\n    }\n}\n"
        ),
        ("{\n  \"a\": 1,\n  \"b\": 2\n}", [(["a"], nil)], "{\n  \"b\": 2\n}"),
        ("{\n  \"a\": 1,\n  \"b\": 2\n}", [(["b"], nil)], "{\n  \"a\": 1\n}"),
        ("{\n  \"a\": 1,\n  \"b\": 2\n}", [(["a"], nil), (["b"], nil)], "{\n  \n}"),
        ("{\n  \"a\": 1,\n  \"b\": 2\n}", [(["a"], nil), (["b"], nil), (["c"], 3)], "{\n  \"c\": 3\n}"),
        ("{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}", [(["a"], nil), (["c"], nil)], "{\n  \"b\": 2\n}"),
        ("{\"a\": 1, \"b\": 2, \"c\": 3}", [(["b"], nil), (["c"], nil)], "{\"a\": 1}"),
        ("{ \"a\" : 1.50 , \"b\" : \"\\u0061\" }", [(["a"], 2)], "{ \"a\" : 2 , \"b\" : \"\\u0061\" }"),
        ("{\"a\": {\"b\": 1e2}}", [(["a"], ["b": 100.0])], "{\"a\": {\"b\": 1e2}}"),
        ("{\"a\": {\"b\": 1, \"c\": 2}}", [(["a"], ["b": 3])], "{\"a\": {\"b\": 3}}"),
        ("{\"a\": 1, \"a\": 2, \"b\": 3}", [(["a"], nil)], "{\"b\": 3}"),
    ]

    @Test(arguments: jsonEdits.indices)
    func `JSON edits preserve the layout`(index: Int) throws {
        let (before, edits, after) = Self.jsonEdits[index]
        let document = try PrefsDocument(parsing: Array(before.utf8), as: .json)
        let result = try document.editing(edits.map { PrefsDocument.Edit(path: $0.0, value: $0.1) })
        #expect(String(decoding: result, as: UTF8.self) == after)
    }

    @Test(arguments: [PrefsFileFormat.xmlPropertyList, .json, .binaryPropertyList])
    func `random edits change only the keys they name`(_ format: PrefsFileFormat) throws {
        var values = RandomValues(seed: 11)
        values.isForXML = true
        values.isForJSON = format == .json
        for _ in 0..<60 {
            var content = values.content()
            var document = try PrefsDocument(parsing: format.serialize(content), as: format)
            for _ in 0..<6 {
                let key =
                    Bool.random(using: &values.generator)
                    ? content.keys.sorted().first ?? "x" : values.string()
                let value = values.int(0...3) == 0 ? nil : values.value(depth: 2)
                let edited = try document.editing([.init(path: [key], value: value)])
                document = try PrefsDocument(parsing: edited, as: format, strict: true)
                content[key] = value
                #expect(document.content == content)
            }
        }
    }

    @Test func `replacing one value preserves all bytes around it`() throws {
        var values = RandomValues(seed: 12)
        values.isForXML = true
        for _ in 0..<100 {
            let bytes = try PrefsFileFormat.xmlPropertyList.serialize(values.content())
            let document = try PrefsDocument(parsing: bytes, as: .xmlPropertyList)
            for (key, node) in document.root.entries {
                let after = try? document.editing([.set([key], to: "!")])
                let expected =
                    bytes[..<node.raw.range.lowerBound] + "<string>!</string>".utf8
                    + bytes[node.raw.range.upperBound...]
                #expect(after == Array(expected))
            }
        }
    }

    @Test func `a new file has the layout of Apple's tools`() throws {
        let content: [String: PrefsValue] = ["b": true, "a": .data(Data(1...60))]
        for bytes in try [
            PrefsDocument.empty.editing(content.map { .set([$0], to: $1) }),
            PrefsFileFormat.xmlPropertyList.serialize(content),
        ] {
            #expect(
                String(decoding: bytes, as: UTF8.self) == """
                    <?xml version="1.0" encoding="UTF-8"?>
                    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
                    <plist version="1.0">
                    <dict>
                    \t<key>a</key>
                    \t<data>
                    \tAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCkqKywtLi8wMTIz
                    \tNDU2Nzg5Ojs8
                    \t</data>
                    \t<key>b</key>
                    \t<true/>
                    </dict>
                    </plist>

                    """)
        }
    }

    @Test func `data in a file that is indented with spaces fills its lines`() throws {
        let file = "<plist><dict>\n    <key>a</key>\n    <data>\n    AA==\n    </data>\n</dict></plist>"
        let document = try PrefsDocument(parsing: Array(file.utf8), as: .xmlPropertyList)
        let bytes = try document.editing([.set(["a"], to: .data(Data(1...60)))])
        #expect(
            String(decoding: bytes, as: UTF8.self).contains(
                """
                    <data>
                    AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCkqKywtLi8wMTIzNDU2
                    Nzg5Ojs8
                    </data>
                """))
    }
}
