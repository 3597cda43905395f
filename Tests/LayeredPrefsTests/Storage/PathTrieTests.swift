import Testing

@testable import LayeredPrefs

@Suite struct PathTrieTests {
    private func trie(_ places: [String?]) -> (PathTrie<String>, [Int]) {
        var trie = PathTrie<String>()
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
    func `a change finds the observers above and below it, each once and in order`(
        _ changed: [String], _ expected: [String]
    ) {
        let (trie, _) = trie([nil, "http", "http.port", "http.tls.key", "http2"])
        #expect(trie.observers(of: changed.map { PrefsPath($0) }) == expected)
    }

    @Test(
        arguments: [
            (["http"], 0), (["a", "http.port.x"], 1), (["a", "b.c", "http"], 2), (["http2", "log"], nil),
            ([], nil),
        ] as [([String], Int?)])
    func `the first path that is observed`(changed: [String], position: Int?) {
        let (trie, _) = trie(["http.port"])
        let paths = changed.map { PrefsPath($0) }
        #expect(trie.firstObserved(in: paths) == position)
        #expect(trie.observers(of: paths.dropFirst(position ?? 0)) == trie.observers(of: paths))
        #expect(self.trie([nil]).0.firstObserved(in: paths) == (paths.isEmpty ? nil : 0))
    }

    @Test func `an observer of several paths is found once`() {
        var trie = PathTrie<String>()
        let number = trie.add("both", at: [PrefsPath("http.port"), PrefsPath("old.port")])
        #expect(trie.observers(of: [PrefsPath("http"), PrefsPath("old")]) == ["both"])
        #expect(trie.all == ["both"])
        trie.remove(number, at: [PrefsPath("http.port"), PrefsPath("old.port")])
        #expect(trie.isEmpty)
    }

    @Test func `a removed observer leaves the others and no nodes`() {
        var (trie, numbers) = trie([nil, "http", "http.port"])
        trie.remove(numbers[1], at: [PrefsPath("http")])
        #expect(trie.all == ["everything", "http.port"])
        trie.remove(numbers[0], at: nil)
        trie.remove(numbers[2], at: [PrefsPath("http.port")])
        #expect(trie.isEmpty)
        #expect(trie.observers(of: [PrefsPath("http")]).isEmpty)
    }
}
