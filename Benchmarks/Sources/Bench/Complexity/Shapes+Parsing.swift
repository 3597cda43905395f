import PrefsDocuments

extension Shape {
    /// Creates a shape that parses and decodes a file, enumerates it, looks up its keys, and compares it with
    /// itself.
    init(_ name: String, _ format: PrefsFileFormat, _ file: @escaping (_ size: Int) throws -> [UInt8]) {
        self.init(name) { size in
            let bytes = try file(size)
            return {
                let document: PrefsDocument
                do {
                    document = try PrefsDocument(parsing: bytes, as: format, limits: Self.limits)
                } catch {
                    return Complexity.noteRejection()
                }
                // Only the memory that a storage keeps counts. Copying all of it is the program's decision.
                Complexity.notePeak()
                let again = try PrefsDocument(parsing: bytes, as: format, limits: Self.limits)
                precondition(document.content.count == document.root.count)
                for (key, _) in document.root.entries { precondition(document.root[key]?.position != nil) }
                precondition(document.root.hasSameContent(as: again.root))
            }
        }
    }

    /// Files of 16 MiB may have as many values as fit into them.
    private static let limits = PrefsLimits(values: 1 << 26)
    private static let marks = String(repeating: "\u{301}\u{316}", count: 15)
    private static let dotted = String(repeating: "a.", count: 1000)
    private static let deepDotted = String(repeating: "a.", count: 60)

    private static func json(_ name: String, _ entry: @escaping (Int) -> String) -> Shape {
        Shape("json-\(name)", .json) { Text.json($0, entry) }
    }

    static var json: [Shape] {
        [
            json("keys") { "\"k\($0)\":1" },
            json("long-keys") { "\"\(String(repeating: "k", count: 4000))\($0)\":1" },
            Shape("json-one-key", .json) { Array("{\"\(String(repeating: "k", count: $0))\":1}".utf8) },
            json("dotted-keys") { "\"\(dotted)\($0)\":1" },
            json("deep-dotted-keys") { "\"\(deepDotted)k\($0)\":1" },
            json("marks-in-keys") { "\"a\(marks)\($0)\":1" },
            json("escaped-keys") { "\"\\u00e9\\n\($0)\":1" },
            json("duplicates") { "\"k\($0 % 100)\":1" },
            json("nesting") { index in
                "\"k\(index)\":" + String(repeating: "{\"a\":", count: 60) + "1"
                    + String(repeating: "}", count: 60)
            },
            json("small-objects") { "\"k\($0)\":{\"a\":1,\"b\":2}" },
            Shape("json-marks-in-value", .json) {
                Text("{\"a\":\"", "\"}", size: $0) { _ in "a" + marks }.bytes
            },
            Shape("json-array", .json) { Text("{\"a\":[", "]}", size: $0, separator: ",") { "\($0)" }.bytes },
            Shape("json-small-elements", .json) { Text("{\"a\":[1", "]}", size: $0) { _ in ",1" }.bytes },
            Shape("json-one-string", .json) {
                Array("{\"a\":\"\(String(repeating: "s", count: $0))\"}".utf8)
            },
            Shape("json-escapes", .json) { Text("{\"a\":\"", "\"}", size: $0) { _ in "\\u00e9\\n" }.bytes },
            Shape("json-digits", .json) { Array("{\"a\":0.\(String(repeating: "1", count: $0))}".utf8) },
            Shape("json-blanks", .json) { Text("{\"a\":1", "}", size: $0) { _ in " \n" }.bytes },
        ]
    }

    private static func xml(_ name: String, _ entry: @escaping (Int) -> String) -> Shape {
        Shape("xml-\(name)", .xmlPropertyList) { Text.xml($0, entry) }
    }

    private static func element(_ key: Int, _ value: String) -> String { "<key>k\(key)</key>\(value)" }

    static var xml: [Shape] {
        [
            xml("keys") { element($0, "<true/>") },
            xml("duplicates") { element($0 % 100, "<true/>") },
            xml("marks-in-keys") { "<key>a\(marks)\($0)</key><true/>" },
            xml("comments") { "<!-- \($0) -->" },
            Shape("xml-one-comment", .xmlPropertyList) { size in
                Text.xml(size) { _ in "<!--" + String(repeating: "- ", count: size / 2) + "-->" }
            },
            xml("entities") { element($0, "<string>&lt;&#233;&amp;</string>") },
            xml("sections") { element($0, "<string><![CDATA[<x>]]>y</string>") },
            xml("numbers") { element($0, "<integer>-123456</integer>") },
            xml("reals") { element($0, "<real>1.5e10</real>") },
            xml("dates") { element($0, "<date>2001-12-31T23:59:59Z</date>") },
            xml("data") { element($0, "<data>AAAA BBBB\nCCCC</data>") },
            xml("attributes") { element($0, "<string a=\"1\" b='2'>x</string>") },
            xml("nesting") { index in
                element(
                    index, String(repeating: "<array>", count: 60) + String(repeating: "</array>", count: 60))
            },
            Shape("xml-utf16", .xmlPropertyList) { size in
                let text = String(decoding: Text.xml(size / 2) { element($0, "<true/>") }, as: UTF8.self)
                return [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            },
            Shape("openstep", .xmlPropertyList) { Text("{", "}", size: $0) { "k\($0) = 1;" }.bytes },
        ]
    }

    private static func toml(_ name: String, _ line: @escaping (Int) -> String) -> Shape {
        Shape("toml-\(name)", .toml) { Text("", "", size: $0, separator: "\n", line).bytes }
    }

    static var toml: [Shape] {
        [
            toml("keys") { "k\($0) = 1" },
            toml("dotted-keys") { "a.b.k\($0) = 1" },
            toml("deep-dotted-keys") { "\(deepDotted)k\($0) = 1" },
            toml("tables") { "[a.t\($0)]\nb = 1" },
            toml("nested-tables") { "[\(deepDotted)t\($0)]" },
            toml("arrays-of-tables") { _ in "[[a]]\nb = 1" },
            toml("arrays-in-tables") { $0 % 10 == 0 ? "[[a]]" : "[[a.b]]\nc = 1" },
            toml("inline-tables") { "k\($0) = { a = 1, b = { c = 2 } }" },
            toml("marks-in-keys") { "\"a\(marks)\($0)\" = 1" },
            toml("comments") { "# \($0)" },
            toml("times") { "k\($0) = 2001-12-31T23:59:59.5Z" },
            toml("strings") { "k\($0) = \"\"\"\\u00e9\n\\\n  x\"\"\"" },
            Shape("toml-array", .toml) { Text("a = [", "]", size: $0, separator: ",\n") { "\($0)" }.bytes },
            Shape("toml-small-elements", .toml) { Text("a = [1", "]", size: $0) { _ in ",1" }.bytes },
            Shape("toml-one-string", .toml) { Text("a = '''", "'''", size: $0) { _ in "' '' \n" }.bytes },
            Shape("toml-digits", .toml) { Text("a = 1", "", size: $0) { _ in "_1" }.bytes },
        ]
    }
}
