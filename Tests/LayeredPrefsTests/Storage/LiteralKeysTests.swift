import PrefsDocuments
import Testing

@testable import LayeredPrefs

struct LiteralKeysTests {
    private static let root = PrefsContent.value([
        "a": ["b": 1], "a.b": 1, "a.b.c": 1, "a-b.c": 1, "a/b.c": 1, "ab.c": 1, "a..b": 1, "b": 1, "é.x": 1,
    ])

    @Test(
        arguments: [
            ("a", ["a.b", "a.b.c"]), ("a.b", ["a.b.c"]), ("a.b.c", []), ("a-b", ["a-b.c"]), ("b", []),
            ("ab", ["ab.c"]), ("", []), ("e\u{301}", ["é.x"]), ("c", []),
        ] as [(String, [String])])
    func `the literal keys below a path are those that begin with it and a dot`(path: String, names: [String])
    {
        let keys = LiteralKeys(of: Self.root)
        #expect(keys.below(PrefsPath(path)).map(\.name) == names)
        #expect(keys.areAny(below: PrefsPath(path)) == !names.isEmpty)
    }

    @Test(
        arguments: [
            ("a", true), ("a.b", true), ("a.b.c.d", true), ("a.x", false), ("b", false), ("b.c", false),
            ("q", false),
            ("q.c", false), ("", false), ("ab", true), ("ab.c.d", true), ("ab.d", false),
        ] as [(String, Bool)], [[], ["é.x"]] as [[String]])
    func `a literal key is near the paths that it equals, or lies below or above`(
        path: (name: String, isNear: Bool), others: [String]
    ) {
        let names = ["a.b", "a.b.c", "ab.c"] + others
        let keys = LiteralKeys(
            of: .value(.dictionary(Dictionary(uniqueKeysWithValues: names.map { ($0, 1) }))))
        #expect(keys.areAny(near: PrefsPath(path.name)) == path.isNear)
        #expect(keys.areAny(near: PrefsPath("e\u{301}.x")) == !others.isEmpty)
    }

    @Test func `a literal key that is added or removed is noticed`() {
        let keys = LiteralKeys(of: .value(["a.b": 1]))
        let added = keys.following(
            [PrefsPath("a.c"), PrefsPath("x")], to: .value(["a.b": 1, "a.c": 1, "x": 1]))
        #expect(added.below(PrefsPath("a")).map(\.name) == ["a.b", "a.c"])
        let removed = added.following([PrefsPath("a.b")], to: .value(["a.c": 1]))
        #expect(removed.below(PrefsPath("a")).map(\.name) == ["a.c"])
    }

    @Test func `a literal dictionary above many changed keys is compared once`() {
        func source(_ value: PrefsValue) -> PrefsContent {
            let entries = Dictionary(uniqueKeysWithValues: (0..<50).map { ("k\($0)", value) })
            return .value(["a.b": .dictionary(entries), "x.y": 1])
        }
        let old = PrefsSource(source(1))
        let (new, didChange) = old.next(source(2), in: "/f", cause: .file)
        var visited: [String] = []
        PrefsSource.forEachDifference(old, new) { visited.append($0.name) }
        #expect(didChange)
        #expect(visited == ["a.b"])
    }
}
