import Testing

@testable import PrefsDocuments

struct KeyTableTests {
    @Test(arguments: [9, 16, 1000])
    func `finds every inserted node and no other`(count: Int) {
        var keys = KeyTable()
        let table = keys.open(count: count)
        // Few distinct hashes make most of the nodes collide.
        for node in 1...count {
            #expect(keys.insert(node, hash: UInt64(node % 3), into: table) { $0 == node } == nil)
        }
        for node in 1...count {
            #expect(keys.find(hash: UInt64(node % 3), in: table) { $0 == node } == node)
        }
        #expect(keys.find(hash: 0, in: table) { $0 == count + 1 } == nil)
    }

    @Test func `keys whose hashes differ in the highest bits alone are not compared`() {
        var keys = KeyTable()
        let table = keys.open(count: 8)
        for node in 1...8 {
            let hash = UInt64(node - 1) << 61
            #expect(
                keys.insert(node, hash: hash, into: table) { _ in
                    Issue.record("compared"); return false
                } == nil)
        }
        for node in 1...8 {
            #expect(keys.find(hash: UInt64(node - 1) << 61, in: table) { $0 == node } == node)
        }
    }

    @Test func `a later node with the same key replaces the earlier one`() {
        var keys = KeyTable()
        let table = keys.open(count: 9)
        #expect(keys.insert(1, hash: 7, into: table) { _ in false } == nil)
        #expect(keys.insert(2, hash: 7, into: table) { $0 == 1 } == 1)
        #expect(keys.find(hash: 7, in: table) { _ in true } == 2)
    }

    @Test func `tables of one document do not overlap`() {
        var keys = KeyTable()
        let (first, second) = (keys.open(count: 9), keys.open(count: 9))
        #expect(first > 0)
        #expect(keys.insert(1, hash: 5, into: first) { _ in true } == nil)
        #expect(keys.find(hash: 5, in: second) { _ in true } == nil)
    }
}
