import PrefsDocuments
import TestSupport
import Testing

@testable import LayeredPrefs

struct PathOverlayTests {
    @Test(
        arguments: [
            (["a.b": 1], ["a": ["b": 1]]),
            (["a": ["b": 2, "c": 3], "a.b": 1], ["a": ["b": 1, "c": 3]]),
            (["a.b.c": 1, "a.b": ["c": 2, "d": 3]], ["a": ["b": ["c": 1, "d": 3]]]),
            (["a": "off", "a.b": 1], ["a": "off"]),
            (["a": ["b": "off"], "a.b": ["c": 1]], ["a": ["b": ["c": 1]]]),
            (["a": ["b": "off"], "a.b.c": 1, "a.d": 2], ["a": ["b": "off", "d": 2]]),
            (["a..b": 1, ".a": 2, "a.": 3], ["a..b": 1, ".a": 2, "a.": 3]),
            (["e\u{301}.x": 1, "é": ["y": 2]], ["é": ["x": 1, "y": 2]]),
        ] as [([String: PrefsValue], [String: PrefsValue])])
    func `literal keys are put in their places`(
        _ spelled: [String: PrefsValue], _ tree: [String: PrefsValue]
    ) {
        #expect(PrefsSource(.value(.dictionary(spelled))).root.value == .dictionary(tree))
    }

    @Test func `nothing lies behind what is no dictionary`() {
        let tree = PrefsSource(.value(["a": "off", "a.b": "x", "a.b.c": 1, "c.d": 2, "c.d.e": 3])).tree
        for name in ["a.b", "a.b.c", "a.x"] {
            let found = tree.value(at: PrefsPath(name))
            #expect(found?.spelling == "a")
            #expect(found?.rejection?.reason == "expected a dictionary, found a string at a")
        }
        #expect(tree.value(at: PrefsPath("c.d.e"))?.spelling == "c.d")
        #expect(Set(tree.leaves.map(\.name)) == ["a", "c.d"])
    }

    @Test func `a text has no type yet, so it blocks nothing`() {
        let texts = PrefsSource(.value(["a": "off", "a.b": "x", "a.b.c": "y", "d.e": "z"]), isText: true)
        let text = { PrefsCandidate($0, isText: true, origin: PrefsOrigin()) }
        let files = PrefsSnapshot(candidates: [
            "a": text("off"), "a.b": text("x"), "a.b.c": text("y"), "d.e": text("z"),
        ])
        for tree in [texts.tree, files.state.parts[0].source.tree] {
            let names = ["a", "a.b", "a.b.c", "d.e"]
            let values = names.map { tree.value(at: PrefsPath($0))?.value }
            #expect(values == ["off", "x", "y", "z"])
            #expect(tree.value(at: PrefsPath("a.x")) == nil)
            #expect(Set(tree.leaves.map(\.name)) == Set(names))
        }
    }

    @Test func `entries keep the order of their file, and values their lines`() throws {
        let text = """
            {
              "z": 1,
              "http.port": 2,
              "a": 3,
              "http.host": 4,
              "log": {"level": 5},
              "log.path": 6
            }
            """
        let source = try Self.source(text)
        #expect(source.root.entries.map(\.key) == ["z", "http", "a", "log"])
        let lines = ["http.port", "http.host", "log.level", "log.path", "log", "http"].map { name in
            source.tree.value(at: PrefsPath(name))?.origin.position
        }
        #expect(
            lines == [
                .line(3, column: 3), .line(5, column: 3), .line(6, column: 11), .line(7, column: 3),
                .line(6, column: 3), nil,
            ])
    }

    @Test(arguments: 0..<200)
    func `a version that follows another equals one that is made anew`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let keys = ["a", "b", "a.a", "a.b", "b.a", "a.a.a", "a.a.b", "a.b.a", "b.a.a"]
        let values: [PrefsValue?] = [nil, nil, 1, "x", [:], ["a": 1], ["a": ["b": 2], "b": 3]]
        let storage = DictionaryPrefsStorage()
        var source = storage.snapshot.state.parts[0].source
        _ = source.root
        for _ in 0..<20 {
            let key = keys.randomElement(using: &random)!
            let value = values.randomElement(using: &random)!
            if Bool.random(using: &random) {
                _ = try? storage.setValue(value, forKey: key)
            } else {
                _ = try? storage.setValue(value, at: PrefsPath(key))
            }
            let next = storage.snapshot.state.parts[0].source
            let anew = PrefsSource(next.spelled)
            #expect(next.root.value == anew.root.value)
            for key in keys {
                let path = PrefsPath(key)
                let (found, expected) = (next.tree.value(at: path), anew.tree.value(at: path))
                #expect(LocatedValue.haveSameValue(found, expected), "\(key)")
                let before = source.tree.value(at: path)
                let isNoted = next === source || PrefsSource.differences(source, next).touches([path])
                #expect(isNoted || LocatedValue.haveSameValue(before, found), "\(key)")
            }
            source = next
        }
    }

    @Test(
        arguments: [
            (#"{"a": {"b": 1}, "a.b": 2}"#, #"{"a": {"b": 3}, "a.b": 2}"#, []),
            (#"{"a.b": 2}"#, #"{"a": {"b": 2}}"#, []),
            (#"{"a.b": 2, "x": 1}"#, #"{"x": 1, "a": {"b": 3}}"#, ["a.b"]),
            (#"{"a": "off", "a.b": 1}"#, #"{"a": "off", "a.b": 2}"#, []),
            (#"{"a": "off", "a.b": 1}"#, #"{"a": "off"}"#, []),
            (#"{"a": "off", "a.b": 1}"#, #"{"a.b": 1}"#, ["a"]),
            (#"{"a.b": {"c": 1, "d": 2}}"#, #"{"a.b": {"c": 1, "d": 3}}"#, ["a.b.d"]),
            (#"{"x": 1}"#, #"{"x": 1, "a.b": 1}"#, ["a.b"]),
        ] as [(String, String, Set<String>)])
    func `versions of a file differ where their trees do`(
        old: String, new: String, paths: Set<String>
    ) throws {
        let before = try Self.source(old)
        let (after, didChange) = before.next(
            try Self.source(new).spelled, in: "/f", isAbsent: false, cause: .file)
        #expect(Set(PrefsSource.differences(before, after).map(\.name)) == paths)
        #expect(didChange == !paths.isEmpty)
    }

    @Test func `a key in two spellings, or below something else, is a warning that names the line`() throws {
        let folder = try TemporaryFolder()
        let text = """
            {
              "http": {"port": 1, "host": "a"},
              "http.port": 2,
              "http.tls": {"cert": "c"},
              "http.tls.cert": "d",
              "log.level": "x",
              "log.level.name": "y"
            }
            """
        try folder.write(text, to: "a.json")
        let (diagnostics, warnings) = (PrefsDiagnosticHandler(), Log<String>())
        let subscription = diagnostics.subscribe { warnings.add("\($0.severity): \($0.error)") }
        var options = FilePrefsStorage.Options()
        options.diagnostics = diagnostics
        let path = folder["a.json"]
        let storage = FilePrefsStorage(path: path, options: options)
        #expect(storage.snapshot["http"] == ["port": 2, "host": "a", "tls": ["cert": "d"]])
        let reason = "the dotted key wins, so remove one"
        let expected = [
            "warning: \(path):3:3: http.port: also defined in a dictionary at 2:12; \(reason)",
            "warning: \(path):5:3: http.tls.cert: also defined in a dictionary at 4:16; \(reason)",
            "warning: \(path):7:3: log.level.name: expected a dictionary, found a string at log.level; "
                + "the dotted key is ignored",
        ]
        #expect(warnings.all == expected)
        try storage.setValue(3, forKey: "http.port")
        #expect(warnings.all == expected)
        subscription.cancel()
    }

    private static func source(_ text: String) throws -> PrefsSource {
        PrefsSource(.node(try PrefsDocument(parsing: text, as: .json).root), file: "/f")
    }
}
