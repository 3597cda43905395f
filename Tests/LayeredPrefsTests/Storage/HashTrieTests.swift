import TestSupport
import Testing

@testable import LayeredPrefs

@Suite struct HashTrieTests {
    private func numbered(_ count: Int) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: (0..<count).map { ("key\($0)", $0) })
    }

    private func expectSame(_ trie: HashTrie<Int>, _ expected: [String: Int]) {
        var visited: [String: Int] = [:]
        trie.forEach { visited[$0, default: 0] += $1 }
        #expect(visited == expected)
        #expect(trie.count == expected.count)
        #expect(trie.dictionary == expected)
    }

    @Test(arguments: [0, 1, 32, 33, 34, 1000, 20_000])
    func `a trie has the entries of the dictionary from which it was created`(count: Int) {
        let entries = numbered(count)
        let trie = HashTrie(entries)
        expectSame(trie, entries)
        #expect(entries.allSatisfy { trie[$0] == $1 })
        #expect(trie["other"] == nil)
    }

    // The number of keys decides the depth of the trie, and how often parts are split and joined again.
    @Test(arguments: [20, 60, 300, 5000])
    func `random changes have the same effect as on a plain dictionary`(keys: Int) {
        var random = SeededGenerator(seed: UInt64(keys))
        var (trie, expected) = (HashTrie<Int>(), [String: Int]())
        var copies: [(trie: HashTrie<Int>, expected: [String: Int])] = []
        for step in 0..<4 * keys {
            // The trie alternately grows and shrinks.
            let isRemoval = Int.random(in: 0..<10, using: &random) < (step / keys % 2 == 0 ? 2 : 8)
            let key = "key\(Int.random(in: 0..<keys, using: &random))"
            switch Int.random(in: 0..<3, using: &random) {
            case _ where isRemoval: (trie[key], expected[key]) = (nil, nil)
            case 0: (trie[key], expected[key]) = (step, step)
            default:
                trie.update(key) { $0 = ($0 ?? 0) + 1 }
                expected[key, default: 0] += 1
            }
            #expect(trie[key] == expected[key])
            #expect(trie.count == expected.count)
            if step.isMultiple(of: keys / 5) { copies.append((trie, expected)) }
        }
        expectSame(trie, expected)
        for copy in copies { expectSame(copy.trie, copy.expected) }
    }

    @Test func `a change copies only a few of the other entries`() {
        final class Value: Sendable {}
        let values = (0..<20_000).map { _ in Value() }
        let entries = Dictionary(uniqueKeysWithValues: values.enumerated().map { ("key\($0)", $1) })
        var versions = [HashTrie(entries)]
        func references() -> Int { values.reduce(0) { $0 + Int(_getRetainCount($1)) } }
        for step in 0..<50 {
            let before = references()
            var next = versions[step]
            next["key\(step * 7)"] = Value()
            versions.append(next)
            #expect(references() - before < 40)
        }
        #expect(versions[0].dictionary.allSatisfy { $1 === entries[$0] })
    }

    @Test func `without its entries a trie is as small as a new one`() {
        var trie = HashTrie(numbered(5000))
        for key in 0..<5000 { trie["key\(key)"] = nil }
        expectSame(trie, [:])
        #expect("\(trie)" == "\(HashTrie<Int>())")
    }
}
