import Testing

@testable import LayeredPrefs

@Suite struct KeyTrieTests {
    private func trie(_ places: [String?]) -> (KeyTrie<String>, [Int]) {
        var trie = KeyTrie<String>()
        let numbers = places.map { place in
            trie.add(place ?? "everything", at: place.map { [PrefsPath($0)] })
        }
        return (trie, numbers)
    }

    @Test(arguments: [
        (["http"], ["everything", "http", "http.port", "http.tls.key"]),
        (["http.port"], ["everything", "http", "http.port"]),
        (["http.tls"], ["everything", "http", "http.tls.key"]),
        (["http.tls.key.name"], ["everything", "http", "http.tls.key"]),
        (["http2"], ["everything", "http2"]),
        (["http.port", "http.tls", "http2"], ["everything", "http", "http.port", "http.tls.key", "http2"]),
        (["log"], ["everything"]),
        ([], []),
    ])
    func `a change touches the elements at, above and below it, each once and in order`(
        _ changed: [String], _ expected: [String]
    ) {
        let (trie, _) = trie([nil, "http", "http.port", "http.tls.key", "http2"])
        #expect(trie.elements(touchedBy: changed.map { PrefsPath($0) }) == expected)
    }

    @Test(
        arguments: [
            (["http"], 0), (["a", "http.port.x"], 1), (["a", "b.c", "http"], 2), (["http2", "log"], nil),
            ([], nil),
        ] as [([String], Int?)])
    func `the first path that touches an element`(changed: [String], position: Int?) {
        let (trie, _) = trie(["http.port"])
        let paths = changed.map { PrefsPath($0) }
        #expect(trie.firstTouching(in: paths) == position)
        #expect(trie.elements(touchedBy: paths.dropFirst(position ?? 0)) == trie.elements(touchedBy: paths))
        #expect(self.trie([nil]).0.firstTouching(in: paths) == (paths.isEmpty ? nil : 0))
    }

    @Test(
        arguments: [
            ("http", ["http"], true), ("http.port", ["http.port", "again"], false), ("http.tls", [], true),
            ("http.tls.key.name", [], false), ("log", [], false),
        ] as [(String, [String], Bool)])
    func `the elements at a path itself, and whether there are others below`(
        path: String, elements: [String], hasOthersBelow: Bool
    ) {
        var (trie, _) = trie([nil, "http", "http.port", "http.tls.key"])
        trie.add("again", at: [PrefsPath("http.port")])
        #expect(trie.elements(at: PrefsPath(path)) == elements)
        #expect(trie.hasElements(below: PrefsPath(path)) == hasOthersBelow)
    }

    @Test func `an element at several paths is found once`() {
        var trie = KeyTrie<String>()
        let number = trie.add("both", at: [PrefsPath("http.port"), PrefsPath("old.port")])
        #expect(trie.elements(touchedBy: [PrefsPath("http"), PrefsPath("old")]) == ["both"])
        #expect(trie.all == ["both"])
        trie.remove(number, at: [PrefsPath("http.port"), PrefsPath("old.port")])
        #expect(trie.isEmpty)
    }

    @Test func `a removed element leaves the others and no nodes`() {
        var (trie, numbers) = trie([nil, "http", "http.port"])
        trie.remove(numbers[1], at: [PrefsPath("http")])
        #expect(trie.all == ["everything", "http.port"])
        trie.remove(numbers[0], at: nil)
        trie.remove(numbers[2], at: [PrefsPath("http.port")])
        #expect(trie.isEmpty)
        #expect(trie.elements(touchedBy: [PrefsPath("http")]).isEmpty)
    }
}
