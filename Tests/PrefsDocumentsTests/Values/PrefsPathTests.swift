import TestSupport
import Testing

@testable import PrefsDocuments

struct PrefsPathTests {
    @Test(arguments: [
        ("a", ["a"]), ("a.b.c", ["a", "b", "c"]), ("", [""]), (".a", [".a"]), ("a..b", ["a..b"]),
        ("a.", ["a."]),
    ])
    func `a name splits at its dots unless a component is empty`(name: String, components: [String]) {
        let path = PrefsPath(name)
        #expect(path.components == components)
        #expect(path.name == name)
        #expect(path.isNested == (components.count > 1))
    }

    @Test(arguments: [
        (#"routes."example.com""#, ["routes", "example.com"], nil),
        (#""routes"."example.com""#, ["routes", "example.com"], #"routes."example.com""#),
        (#"a."".b"#, ["a", "", "b"], nil), (#"a."\u0001\n\"""#, ["a", "\u{1}\n\""], nil),
        (#""http.port""#, ["http", "port"], "http.port"),
        (#""http.tls".x"#, ["http", "tls", "x"], "http.tls.x"),
        (#""a..b".c"#, ["a..b", "c"], nil), (#"a b."c d""#, ["a b", "c d"], "a b.c d"),
        (#""a.b"#, [#""a.b"#], nil), (#"a."b"#, [#"a."b"#], nil), (#"a."b"c"#, [#"a."b"c"#], nil),
        (#"a"b.c"#, [#"a"b"#, "c"], nil), (#"a."\q""#, [#"a."\q""#], nil),
        ("a\nb.c", ["a\nb", "c"], #""a\nb".c"#),
    ])
    func `quoted components may contain dots`(name: String, components: [String], canonical: String?) {
        let path = PrefsPath(name)
        #expect(path.components == components)
        let own =
            components.count == 1 && name.hasPrefix("\"") ? PrefsPath(components: components).name : name
        #expect(path.name == canonical ?? own)
        #expect(PrefsPath(path.name) == path)
        #expect(PrefsPath(components: components).name == path.name)
    }

    @Test func `every path is that of its name`() {
        var generator = SeededGenerator(seed: 35)
        let letters = [
            "a", "b", ".", ".", "\"", "\\", " ", "é", "\u{1}", "\n", "\u{202E}", "#", "*", "日", "",
        ]
        for _ in 0..<20_000 {
            var components = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                (0..<Int.random(in: 0...5, using: &generator)).map { _ in
                    letters.randomElement(using: &generator) ?? ""
                }.joined()
            }
            // At the top level of a file, the text of a key is a path.
            components = PrefsPath.topLevel(components[0]).components + components.dropFirst()
            let path = PrefsPath(components: components)
            #expect(PrefsPath(path.name).components == components)
            #expect(PrefsPath(path.name).name == path.name)
            #expect(PrefsPath.topLevel(path.literalKey) == path || components.count == 1)
            let parent = PrefsPath(components: Array(components.dropLast()))
            #expect(parent.appending(components[components.count - 1]).name == path.name)
        }
    }

    @Test func `a name with very many components has only its literal spelling`() {
        let deepest = Array(repeating: "a", count: 64).joined(separator: ".")
        #expect(PrefsPath(deepest).components.count == 64)
        for name in [deepest + ".a", String(repeating: "a.", count: 100_000) + "a"] {
            #expect(PrefsPath(name).components == [name])
            #expect(PrefsPath(name).ancestors.isEmpty)
        }
    }

    @Test(arguments: [
        ("a", "a", true), ("a", "a.b", true), ("a.b", "a", false), ("a", "ab", false), ("a", "b", false),
    ])
    func `a path contains itself and what lies below it`(path: String, other: String, contains: Bool) {
        #expect(PrefsPath(path).contains(PrefsPath(other)) == contains)
    }

    @Test func `ancestors are topmost first`() {
        #expect(PrefsPath("a.b.c").ancestors.map(\.name) == ["a", "a.b"])
        #expect(PrefsPath("a").ancestors.isEmpty)
        #expect(PrefsPath("a").appending("b.c").components == ["a", "b.c"])
    }
}
