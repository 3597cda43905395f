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
