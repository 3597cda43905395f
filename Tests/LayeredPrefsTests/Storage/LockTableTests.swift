import PrefsDocuments
import TestSupport
import Testing

@testable import LayeredPrefs

@Suite struct LockTableTests {
    private static func lock(_ key: String, _ height: Int = 0) -> PrefsLock {
        PrefsLock(PrefsPath(key), origin: PrefsOrigin(layer: "\(key)@\(height)"), height: height)
    }

    @Test func `the lowest lock on a path or above it holds`() {
        let table = LockTable([
            Self.lock("a.b", 2), Self.lock("a", 3), Self.lock("a.b", 1), Self.lock("x..y"),
        ])
        #expect(table.lock(on: PrefsPath("a.b.c"))?.height == 1)
        #expect(table.lock(on: PrefsPath("a.c"))?.height == 3)
        #expect(table.lock(on: PrefsPath("ab")) == nil)
        #expect(table.lock(on: PrefsPath("x..y"))?.height == 0)
        #expect(table.lock(on: PrefsPath("x")) == nil)
    }

    @Test func `the outermost locks below a path that bind a height`() {
        let table = LockTable([Self.lock("a.b", 2), Self.lock("a.b.c", 0), Self.lock("a.d.e", 1)])
        func places(_ height: Int) -> [String] {
            table.locks(below: [PrefsPath("a")], binding: height).map { $0.place.joined(separator: ".") }
                .sorted()
        }
        #expect(places(3) == ["b", "d.e"])
        #expect(places(2) == ["b.c", "d.e"])
        #expect(places(1) == ["b.c"])
        #expect(places(0) == [])
        #expect(table.locks(below: PrefsPath("a")).count == 3)
        #expect(table.areAny(below: PrefsPath("a.b")))
        #expect(!table.areAny(below: PrefsPath("a.b.c")))
    }

    @Test func `locks below several names`() {
        let table = LockTable([
            Self.lock("a.b", 2), Self.lock("a.b.c", 0), Self.lock("old.b.d", 1), Self.lock("old.b.e", 2),
            Self.lock("old.b", 3),
        ])
        let locks = table.locks(below: [PrefsPath("a"), PrefsPath("old"), PrefsPath("older")], binding: 4)
        #expect(
            Array(locks) == [
                InnerLock(place: ["b"], height: 2), InnerLock(place: ["b", "c"], height: 0),
                InnerLock(place: ["b", "d"], height: 1),
            ])
    }

    @Test func `the inner locks of a key are those that a search through all locks finds`() {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<500 {
            let places = (0..<Int.random(in: 0...10, using: &random)).map { _ in
                (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    Bool.random(using: &random) ? "a" : "b"
                }
            }
            let names = ["x", "y.z", "w"].prefix(Int.random(in: 1...3, using: &random)).map(PrefsPath.init)
            let locks = places.map { place in
                let name = names.randomElement(using: &random)!
                let path = (name.components + place).joined(separator: ".")
                return Self.lock(path, Int.random(in: 0...3, using: &random))
            }
            let binding = zip(places, locks).map { InnerLock(place: $0[...], height: $1.height) }
                .filter { $0.height < 3 }
            let expected = binding.filter { lock in
                !binding.contains { other in
                    guard lock.place.starts(with: other.place) else { return false }
                    let isOuter = lock.place.count > other.place.count
                    return isOuter && names.count == 1 || other.height < lock.height
                        || isOuter && other.height == lock.height
                }
            }
            let found = Array(LockTable(locks).locks(below: names, binding: 3))
            #expect(Set(found) == Set(expected))
            #expect(found.count == Set(expected).count)
            let isSorted = zip(found, found.dropFirst()).allSatisfy { !$0.place.starts(with: $1.place) }
            #expect(isSorted)
        }
    }

    @Test func `a table finds the locks that a search through all of them finds`() {
        var random = SeededGenerator(seed: 7)
        func path() -> String {
            (0..<Int.random(in: 1...4, using: &random)).map { _ in "abc".randomElement(using: &random)! }
                .map(String.init).joined(separator: ".")
        }
        for _ in 0..<200 {
            let locks = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                Self.lock(path(), Int.random(in: 0...3, using: &random))
            }
            let (table, key) = (LockTable(locks), PrefsPath(path()))
            let above = locks.filter { $0.path.contains(key) }
            let below = locks.filter { key != $0.path && key.contains($0.path) }
            #expect(table.lock(on: key)?.height == above.map(\.height).min())
            #expect(Set(table.locks(onOrAbove: key)) == Set(above))
            #expect(Set(table.locks(below: key).map(\.path)) == Set(below.map(\.path)))
            #expect(table.concerns(key) == !(above + below).isEmpty)
        }
    }

    @Test func `of many locks on a path, the first of the lowest holds`() {
        let locks = (0..<100).map { number in
            PrefsLock(PrefsPath("a"), origin: PrefsOrigin(layer: "\(number)"), height: 3 - number % 3)
        }
        let table = LockTable(locks)
        #expect(table.lock(on: PrefsPath("a.b"))?.origin.layer == "2")
        #expect(table.locks(onOrAbove: PrefsPath("a")).map(\.origin.layer) == ["2", "1", "0"])
        #expect(table.all == locks)
    }

    @Test func `tables differ where the effect of their locks does`() {
        var random = SeededGenerator(seed: 8)
        func table() -> LockTable {
            LockTable(
                (0..<Int.random(in: 0...8, using: &random)).map { _ in
                    let key = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                        Bool.random(using: &random) ? "a" : "b"
                    }
                    return Self.lock(key.joined(separator: "."), Int.random(in: 0...3, using: &random))
                })
        }
        /// Returns the height of each lock that no other lock makes redundant.
        func effects(_ table: LockTable) -> [PrefsPath: Int] {
            var lowest: [PrefsPath: Int] = [:]
            for lock in table.all { lowest[lock.path] = min(lock.height, lowest[lock.path] ?? .max) }
            return lowest.filter { path, height in
                !path.ancestors.contains { lowest[$0] ?? .max <= height }
            }
        }
        for _ in 0..<500 {
            let (old, new) = (table(), table())
            let (before, after) = (effects(old), effects(new))
            let different = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
            let found = new.differences(from: old)
            #expect(Set(found) == different)
            #expect(found.count == different.count)
        }
    }
}
