import TestSupport
import Testing

@testable import PrefsDocuments

@Suite struct TOMLEditorTests {
    typealias Edit = PrefsDocument.Edit

    static let rows: [(before: String, edits: [Edit], after: String)] = [
        // Values
        ("a = 0x10 # keep\nb = 1_000\n", [.set(["a"], to: 2)], "a = 2 # keep\nb = 1_000\n"),
        ("a = 'x'", [.set(["a"], to: "x")], "a = 'x'"),
        ("a = [ 1, # one\n 2 ]\n", [.set(["a"], to: [1, 2])], "a = [ 1, # one\n 2 ]\n"),
        ("a = 1", [.set(["a"], to: ["x": 1])], "a = { x = 1 }"),
        ("[a]\nb = 1 # x\n", [.set(["a", "b"], to: "é\n")], "[a]\nb = \"é\\n\" # x\n"),
        ("a = \"\"\"\nx\"\"\"\nb = 2\n", [.set(["a"], to: "y")], "a = \"y\"\nb = 2\n"),
        // New keys
        ("", [.set(["a"], to: 1)], "a = 1\n"),
        ("# comment", [.set(["a"], to: 1)], "# comment\na = 1\n"),
        ("a = 1", [.set(["b"], to: 2)], "a = 1\nb = 2\n"),
        ("a = 1\n\n# about x\n[x]\ny = 1\n", [.set(["b"], to: 2)], "a = 1\nb = 2\n\n# about x\n[x]\ny = 1\n"),
        ("# about x\n[x]\ny = 1\n", [.set(["b"], to: 2)], "b = 2\n\n# about x\n[x]\ny = 1\n"),
        ("[x]\n  y = 1\n\n[z]\n", [.set(["x", "b"], to: 2)], "[x]\n  y = 1\n  b = 2\n\n[z]\n"),
        ("[x]\n[z]\n", [.set(["x", "b"], to: 2)], "[x]\nb = 2\n[z]\n"),
        ("[x]", [.set(["x", "b"], to: 2)], "[x]\nb = 2\n"),
        ("x = 1\r\n[a]\r\nb = 1\r\n", [.set(["a", "c"], to: 2)], "x = 1\r\n[a]\r\nb = 1\r\nc = 2\r\n"),
        ("a = 1\n", [.set(["odd key", "b.c"], to: 2)], "a = 1\n\n[\"odd key\"]\n\"b.c\" = 2\n"),
        // New tables
        ("a = 1\n", [.set(["log", "level"], to: "info")], "a = 1\n\n[log]\nlevel = \"info\"\n"),
        ("[x]\ny = 1\n\n[z]\n", [.set(["x", "t", "b"], to: 2)], "[x]\ny = 1\n\n[x.t]\nb = 2\n\n[z]\n"),
        ("[x]\ny = 1\n[z]\n", [.set(["x", "t", "b"], to: 2)], "[x]\ny = 1\n\n[x.t]\nb = 2\n\n[z]\n"),
        ("[x.t]\ny = 1\n", [.set(["x", "b"], to: 2)], "[x]\nb = 2\n\n[x.t]\ny = 1\n"),
        ("[x.t]\ny = 1\n", [.set(["x", "u", "b"], to: 2)], "[x.t]\ny = 1\n\n[x.u]\nb = 2\n"),
        ("a = 1\n", [.set(["l"], to: [["x": 1], ["x": 2]])], "a = 1\n\n[[l]]\nx = 1\n\n[[l]]\nx = 2\n"),
        ("a = 1", [.set(["t"], to: [:])], "a = 1\n\n[t]\n"),
        // Dotted keys
        (
            "http.port = 1 # p\nx = 1\n", [.set(["http", "host"], to: "h")],
            "http.port = 1 # p\nhttp.host = \"h\"\nx = 1\n"
        ),
        ("http.port = 1\n", [.set(["log", "level"], to: "info")], "http.port = 1\nlog.level = \"info\"\n"),
        ("a.b.c = 1\n", [.set(["a", "b", "d"], to: 2)], "a.b.c = 1\na.b.d = 2\n"),
        ("a.b = 1\n", [.set(["a", "t"], to: ["x": 1, "y": [:]])], "a.b = 1\na.t.x = 1\na.t.y = {}\n"),
        ("[s]\n a.b = 1\n c = 2\n", [.set(["s", "a", "d"], to: 3)], "[s]\n a.b = 1\n a.d = 3\n c = 2\n"),
        ("a.b = 1\na.c = 2\n", [.set(["a"], to: [:])], "a = {}\n"),
        ("a.b = 1\nc = 1\n", [.set(["a"], to: 5)], "c = 1\na = 5\n"),
        // Braces
        ("a = { b = 1 } # x\n", [.set(["a", "c"], to: 2)], "a = { b = 1, c = 2 } # x\n"),
        ("a = {}", [.set(["a", "c"], to: 2)], "a = { c = 2 }"),
        ("a = {b = 1, c = 2, d = 3}", [.remove(["a", "b"])], "a = {c = 2, d = 3}"),
        ("a = {b = 1, c = 2, d = 3}", [.remove(["a", "c"])], "a = {b = 1, d = 3}"),
        ("a = {b = 1, c = 2, d = 3}", [.remove(["a", "d"])], "a = {b = 1, c = 2}"),
        ("a = {b = 1, c = 2}", [.remove(["a", "b"]), .remove(["a", "c"])], "a = {}"),
        ("a = {b = 1, c = 2}", [.remove(["a", "b"]), .set(["a", "d"], to: 3)], "a = {c = 2, d = 3}"),
        ("a = {b = 1}", [.remove(["a", "b"]), .set(["a", "d"], to: 3)], "a = {d = 3}"),
        ("a = {b.c = 1, b.d = 2}", [.remove(["a", "b", "c"])], "a = {b.d = 2}"),
        ("a = {b.c = 0x1, x = 2, b.d = 3}", [.remove(["a", "b"])], "a = {x = 2}"),
        ("a = {b.c = 1, x = 0x2}", [.set(["a", "b", "d"], to: 2)], "a = {b.c = 1, x = 0x2, b.d = 2}"),
        ("a = {b.c = 1, x = 0x2}", [.set(["a", "b", "c"], to: 3)], "a = {b.c = 3, x = 0x2}"),
        ("a = {b.c = 1, x = 0x2}", [.set(["a", "b"], to: 3)], "a = {x = 0x2, b = 3}"),
        ("a = {b.c = 1, x = 0x2}", [.set(["a", "b"], to: [:])], "a = {x = 0x2, b = {}}"),
        (
            "a = {b = 1, k.c = 2, d = 0x3}", [.remove(["a", "b"]), .remove(["a", "k", "c"])],
            "a = {d = 0x3}"
        ),
        (
            "a = {k.c = 2, d = 0x3}", [.remove(["a", "d"]), .set(["a", "k", "e"], to: 4)],
            "a = {k.c = 2, k.e = 4}"
        ),
        ("a = {b = {c = 1}}", [.set(["a", "b", "d"], to: 2)], "a = {b = {c = 1, d = 2}}"),
        // Elements of arrays
        (
            "# all\n[[u]]\nh = 'a' # first\n\n# about b\n[[u]]\nh = 'b'\n# h = 'c'\n\n# about log\n[log]\nl = 1\n",
            [.set(["u"], to: [["h": "a"], ["h": "b"], ["h": "c"]])],
            "# all\n[[u]]\nh = 'a' # first\n\n# about b\n[[u]]\nh = 'b'\n# h = 'c'\n\n[[u]]\nh = \"c\"\n\n# about log\n[log]\nl = 1\n"
        ),
        (
            "# all\n[[u]]\nh = 'a' # first\n\n# about b\n[[u]]\nh = 'b'\n# h = 'c'\n\n# about log\n[log]\nl = 1\n",
            [.set(["u"], to: [["h": "a"]])], "# all\n[[u]]\nh = 'a' # first\n\n# about log\n[log]\nl = 1\n"
        ),
        (
            "[[u]]\nh = 'a'\n[[u.r]]\np = 1\n\n# b\n[[u]]\nh = 'b'\nw = 0x1 # w\n[x]\n",
            [.set(["u"], to: [["h": "b", "w": 2]])], "# b\n[[u]]\nh = 'b'\nw = 2 # w\n[x]\n"
        ),
        (
            "a = 1\n\n[[u]]\nh = 'b'", [.set(["u"], to: [["h": "a"], ["h": "b"], ["h": "c"]])],
            "a = 1\n\n[[u]]\nh = \"a\"\n\n[[u]]\nh = 'b'\n\n[[u]]\nh = \"c\"\n"
        ),
        ("[[u]]\nh = 1\n", [.set(["u"], to: [["h": 1], 2])], "u = [{ h = 1 }, 2]\n\n"),
        (
            "l = [ # list\n  'a', # first\n  # about b\n  'b', # second\n]\nx = 1\n",
            [.set(["l"], to: ["a", "b", "c"])],
            "l = [ # list\n  'a', # first\n  # about b\n  'b', # second\n  \"c\",\n]\nx = 1\n"
        ),
        (
            "l = [\n  'a',\n  # about b\n  'b' # second\n]\n", [.set(["l"], to: ["a", "b", "c", "d"])],
            "l = [\n  'a',\n  # about b\n  'b', # second\n  \"c\",\n  \"d\"\n]\n"
        ),
        (
            "l = [\n  'a', # first\n  # about b\n  'b' # second\n]\n", [.set(["l"], to: ["a"])],
            "l = [\n  'a' # first\n]\n"
        ),
        (
            "l = [\n  'a', # first\n  # about b\n  'b', # second\n]\n", [.set(["l"], to: ["x", "b"])],
            "l = [\n  \"x\", # first\n  # about b\n  'b', # second\n]\n"
        ),
        (
            "l = [\n  # about b\n  'b',\n]\n", [.set(["l"], to: ["a", "b"])],
            "l = [\n  \"a\",\n  # about b\n  'b',\n]\n"
        ),
        ("l = [0x1, 2,]\n", [.set(["l"], to: [1, 2, 3])], "l = [0x1, 2, 3,]\n"),
        ("l = [0x1, 2, 0x3]\n", [.set(["l"], to: [1, 3])], "l = [0x1, 0x3]\n"),
        ("l = [0x1, 2]\n", [.set(["l"], to: [0, 1, 2])], "l = [0, 0x1, 2]\n"),
        (
            "l = [{a = 0x1}, {b = 2}]\n", [.set(["l"], to: [["a": 1], ["b": 3, "c": 4]])],
            "l = [{a = 0x1}, {b = 3, c = 4}]\n"
        ),
        ("l = [[1, 0x2], [3]]\n", [.set(["l"], to: [[1, 2, 3], [3]])], "l = [[1, 0x2, 3], [3]]\n"),
        ("l = [1, 2]\n", [.set(["l"], to: [])], "l = []\n"),
        // Removals
        ("a = 1\nb = 2 # x\nc = 3\n", [.remove(["b"])], "a = 1\nc = 3\n"),
        ("a = 1\nb = [\n 1,\n]\nc = 3\n", [.remove(["b"])], "a = 1\nc = 3\n"),
        ("a = 1\n\n[x]\ny = 1\n\n# about z\n[z]\n", [.remove(["x"])], "a = 1\n\n# about z\n[z]\n"),
        ("[x]\na = 1\n[y]\n[x.z]\nb = 1\n[w]\n", [.remove(["x"])], "[y]\n[w]\n"),
        ("[x]\na = 1\n", [.remove(["x", "a"])], "[x]\n"),
        ("[[l]]\na = 1\n\n[[l]]\na = 2\n\n[x]\n", [.remove(["l"])], "[x]\n"),
        ("a.b = 1\nx = 1\na.c = 2\n", [.remove(["a"])], "x = 1\n"),
        ("[f]\na.c = 1\n[f.a.t]\nx = 1\n[g]\n", [.remove(["f", "a"])], "[f]\n[g]\n"),
        ("[f]\na.c = 1\n[f.a.t]\nx = 1\n[g]\n", [.remove(["f"])], "[g]\n"),
        // Several edits
        (
            "[x]\na = 1\n", [.remove(["x", "a"]), .set(["x", "b"], to: 2), .set(["c"], to: 3)],
            "c = 3\n\n[x]\nb = 2\n"
        ),
        ("[x.t]\ny = 1\n", [.remove(["x", "t"]), .set(["x", "b"], to: 2)], "[x]\nb = 2\n\n"),
        // A new pair where a header was must stay above that header's place.
        (
            "[x.t]\ny = 1\n[h]\n", [.set(["new"], to: 1), .set(["x", "t"], to: true)],
            "new = 1\n\n[x]\nt = true\n\n[h]\n"
        ),
        (
            "a = 1\n[x.t]\ny = 1\n", [.set(["x", "u"], to: 2), .set(["new"], to: 1)],
            "a = 1\nnew = 1\n[x]\nu = 2\n\n[x.t]\ny = 1\n"
        ),
        // Both pairs belong under one header.
        (
            "[x.t]\ny = 1\n\n[x.u]\nz = 1\n[h]\n",
            [.set(["x", "t"], to: true), .set(["x", "u"], to: 2), .set(["x", "v"], to: 3)],
            "[x]\nt = true\nu = 2\nv = 3\n\n[h]\n"
        ),
        (
            "x.t.y = 1\nx.t.z = 2\n", [.set(["x", "t"], to: 1), .set(["x", "u"], to: 2)],
            "x.t = 1\nx.u = 2\n"
        ),
        // The new pair belongs before the first header, which is removed with the blank line before it.
        ("# a\n\n[x]\ny = 1\n", [.remove(["x"]), .set(["c"], to: 3)], "# a\nc = 3\n\n"),
        ("# a\n\n[[r]]\no.s = 4\n[b]\nx = 1\n", [.set(["r"], to: 1)], "# a\nr = 1\n\n[b]\nx = 1\n"),
    ]

    @Test(arguments: rows) func `an edit changes what it names, where a person would`(
        before: String, edits: [Edit], after: String
    ) throws {
        let document = try PrefsDocument(parsing: before, as: .toml)
        let edited = String(decoding: try document.editing(edits), as: UTF8.self)
        #expect(edited == after)
        var content = document.content
        try EditTree(edits).apply(to: &content)
        let result = try PrefsDocument(parsing: edited, as: .toml).content
        #expect(result.withoutEmptyTables == content.withoutEmptyTables)
    }

    @Test(arguments: [["x", "t"], ["x", "t", "y"], ["x", "new"]])
    func `an error names the key once`(_ path: [String]) throws {
        let document = try PrefsDocument(parsing: "[x.t]\ny = 1\n", as: .toml)
        let error = #expect(throws: PrefsError.self) {
            try document.editing([.set(path, to: .integer(.max))])
        }
        #expect(error?.code == .notEncodable && error?.key == path.joined(separator: "."))
    }

    @Test func `a key below a value that is not a table is rejected`() throws {
        let document = try PrefsDocument(parsing: "a = 1", as: .toml)
        let error = #expect(throws: PrefsError.self) { try document.editing([.set(["a", "b"], to: 1)]) }
        #expect(error?.code == .wrongType && error?.key == "a")
    }

    /// Makes 2,000 edits. Exactly the edited key differs, and every byte outside its line is the same.
    @Test(arguments: 0..<40) func `an edit of a random file leaves everything else as it is`(seed: UInt64)
        throws
    {
        var random = RandomTOML(seed: seed)
        for _ in 0..<50 {
            let text = random.file()
            let document = try PrefsDocument(parsing: text, as: .toml)
            let edit = random.edit(of: document.content)
            let edited = String(decoding: try document.editing([edit]), as: UTF8.self)
            var expected = document.content
            try EditTree([edit]).apply(to: &expected)
            let result = try? PrefsDocument(parsing: edited, as: .toml).content
            #expect(
                result?.withoutEmptyTables == expected.withoutEmptyTables, "\(text)\n→ \(edit)\n\(edited)")
            guard let lines = document.root.lines(changedBy: edit) else { continue }
            let kept = Self.countOfCommonBytes(Array(text.utf8), Array(edited.utf8))
            // The empty lines below a first entry are removed with it.
            let rest = text.utf8.dropFirst(lines.upperBound)
            let empty =
                edit.value == nil && lines.lowerBound == 0 ? rest.prefix { $0 == 10 || $0 == 13 }.count : 0
            #expect(kept >= text.utf8.count - lines.count - empty, "\(text)\n→ \(edit)\n\(edited)")
        }
    }

    /// Makes several edits at once, 4,000 times. They may share the place of a new header.
    @Test(arguments: 0..<40) func `several edits of a random file change what they name`(seed: UInt64) throws
    {
        var random = RandomTOML(seed: 1000 + seed)
        for _ in 0..<100 {
            let text = random.file()
            let document = try PrefsDocument(parsing: text, as: .toml)
            let edits = (0..<4).map { _ in random.edit(of: document.content) }
            var expected = document.content
            // Some edits contradict each other.
            guard let merged = try? EditTree(edits), (try? merged.apply(to: &expected)) != nil else {
                continue
            }
            let edited = String(decoding: try document.editing(edits), as: UTF8.self)
            let result = try? PrefsDocument(parsing: edited, as: .toml).content
            #expect(
                result?.withoutEmptyTables == expected.withoutEmptyTables, "\(text)\n→ \(edits)\n\(edited)")
        }
    }

    /// Returns the number of equal bytes at the start and at the end.
    private static func countOfCommonBytes(_ lhs: [UInt8], _ rhs: [UInt8]) -> Int {
        let start = zip(lhs, rhs).prefix { $0 == $1 }.count
        let end = zip(lhs.dropFirst(start).reversed(), rhs.dropFirst(start).reversed()).prefix { $0 == $1 }
            .count
        return start + end
    }
}

extension PrefsNode {
    /// Returns the lines that an edit may change: the lines of the value, or of the outermost table in braces
    /// around it. Empty for a new key of another table; `nil` for a table that may be in several places.
    fileprivate func lines(changedBy edit: PrefsDocument.Edit) -> Range<Int>? {
        var node = self
        for key in edit.path {
            guard let child = node[key] else { return 0..<0 }
            if !child.raw.flags.contains(.separate) { return child.lines }
            node = child
        }
        return nil
    }

    private var lines: Range<Int> {
        let bytes = document.text.bytes
        let start = bytes[..<raw.range.lowerBound].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let end = bytes[raw.range.upperBound...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
        return start..<(end ?? bytes.count)
    }
}

extension [String: PrefsValue] {
    /// A table without a header ends with its last key, so empty dictionaries do not count.
    fileprivate var withoutEmptyTables: [String: PrefsValue] {
        compactMapValues { value in
            guard case .dictionary(let content) = value else { return value }
            let rest = content.withoutEmptyTables
            return rest.isEmpty ? nil : .dictionary(rest)
        }
    }
}
