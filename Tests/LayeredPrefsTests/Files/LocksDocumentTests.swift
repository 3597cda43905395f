import LayeredPrefs
import PrefsDocuments
import Testing

/// The bytes of a locks file, and the keys that they lock.
struct LocksRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    var keys: [String] = []
    /// The line of the problem, if there is one.
    var problem: Int?

    init(_ description: String, _ text: String, _ keys: [String], problem: Int? = nil) {
        self.init(description, bytes: Array(text.utf8), keys, problem: problem)
    }

    init(_ description: String, bytes: [UInt8], _ keys: [String], problem: Int? = nil) {
        testDescription = description
        self.bytes = bytes
        self.keys = keys
        self.problem = problem
    }
}

@Suite struct LocksDocumentTests {
    static let rows = [
        LocksRow("LF", "a\nb\n", ["a", "b"]),
        LocksRow("CRLF", "a\r\nb\r\n", ["a", "b"]),
        LocksRow("CR", "a\rb", ["a", "b"]),
        LocksRow("mixed line ends and empty lines", "a\n\r\r\nb\r\n\n", ["a", "b"]),
        LocksRow("a comment that ends with CRLF", "# why\r\na\r\n", ["a"]),
        LocksRow("a byte order mark", "\u{FEFF}a\nb", ["a", "b"]),
        LocksRow("nothing", "", []),
        LocksRow("spaces around a key", " \ta.b\t # why\n", ["a.b"]),
        LocksRow(
            "wildcards at the end", "a.*\nb.\nc..\nd.*.\ne.*.*\nf.g.*", ["a", "b", "c", "d", "e", "f.g"]),
        LocksRow("a comment in any script", "a # größer → 👩‍👩‍👧\n", ["a"]),
        LocksRow("a space in a key", "a b\nc", ["c"], problem: 1),
        LocksRow("two keys on a line", "a\nb c", ["a"], problem: 2),
        LocksRow("a no-break space in a key", "a\u{A0}b\nc", ["c"], problem: 1),
        LocksRow("next line", "a\u{85}b", [], problem: 1),
        LocksRow("line separator in a comment", "a\n# x\u{2028}b", ["a"], problem: 2),
        LocksRow("a form feed", "a\n\u{C}b", ["a"], problem: 2),
        LocksRow("a vertical tab", "a\u{B}b", [], problem: 1),
        LocksRow("NUL", "a\u{0}b", [], problem: 1),
        LocksRow("escape", "\u{1B}[1ma", [], problem: 1),
        LocksRow("delete", "a\u{7F}", [], problem: 1),
        LocksRow("a zero-width space in a key", "a\u{200B}\nb", ["b"], problem: 1),
        LocksRow("a byte order mark within the file", "a\n\u{FEFF}b", ["a"], problem: 2),
        LocksRow("bytes that are not UTF-8", bytes: Array("a\n".utf8) + [0xFF, 0xFE], ["a"], problem: 2),
        LocksRow("UTF-16", bytes: Array("a\nb\n".utf8).flatMap { [$0, 0] }, [], problem: 1),
        LocksRow(
            "UTF-16 with a byte order mark", bytes: [0xFF, 0xFE] + Array("a\n".utf8).flatMap { [$0, 0] }, [],
            problem: 1),
        LocksRow("a wildcard alone", "*\na", ["a"], problem: 1),
        LocksRow("a wildcard within a key", "http.*.port", [], problem: 1),
        LocksRow("a wildcard in a part", "htt*", [], problem: 1),
        LocksRow("an empty part", "a..b\n.c", [], problem: 1),
        LocksRow(
            "quoted parts", "routes.\"example.com\" # why\na.\"b c\".*\n\"x#\\u0009*\".d\n\"http.port\"",
            [#"routes."example.com""#, "a.b c", #""x#\t*".d"#, "http.port"]),
        LocksRow("an open quote", "a.\"b\nc", ["c"], problem: 1),
        LocksRow("text after a quote", "a.\"b\"c\nd", ["d"], problem: 1),
        LocksRow("a wrong escape", "a.\"\\q\"\nd", ["d"], problem: 1),
        LocksRow("only dots", "a\n..", ["a"], problem: 2),
    ]

    @Test(arguments: rows) func `every line locks a key or is a problem`(_ row: LocksRow) {
        let document = LocksDocument(parsing: row.bytes, path: "/x.locks")
        #expect(document.entries.map(\.key) == row.keys)
        #expect(document.problem?.origin?.position == row.problem.map { .line($0, column: nil) })
        #expect((document.problem == nil) == (row.problem == nil))
    }
}
