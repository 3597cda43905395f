import Synchronization
import Testing

@testable import LayeredPrefs

extension PersistentKey where Value == Int {
    fileprivate static var count: Self { Self("count", defaultValue: 0) }
}

extension PersistentKey where Value == String {
    fileprivate static var name: Self { Self("name", defaultValue: "unknown") }
}

/// A storage that counts registrations.
final class CountingStorage: PrefsStorage {
    let base = DictionaryPrefsStorage()
    let registered = Atomic<Int>(0)
    let deregistered = Atomic<Int>(0)

    var snapshot: PrefsSnapshot { base.snapshot }
    var changeSource: PrefsChangeSource? { base.changeSource }
    var isWritable: Bool { true }

    @discardableResult
    func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        try base.setValue(value, forKey: key)
    }

    func _registerObserver(
        under key: String, _ body: @escaping @Sendable () -> Void
    ) -> PrefsObservation? {
        registered.add(1, ordering: .relaxed)
        let inner = base._registerObserver(under: key, body)
        return PrefsObservation { [self] in
            deregistered.add(1, ordering: .relaxed)
            inner?.cancel()
        }
    }

    var live: Int { registered.load(ordering: .relaxed) - deregistered.load(ordering: .relaxed) }
}

@Suite struct PersistentKeyValuesTests {
    let storage = CountingStorage()

    @Test func `the current value comes first, then changes`() async throws {
        var values = storage.values(for: .count).makeAsyncIterator()
        #expect(await values.next() == 0)
        try storage.set(.count, to: 1)
        #expect(await values.next() == 1)
        try storage.remove(.count)
        #expect(await values.next() == 0)
    }

    @Test func `changes do not include the current value`() async throws {
        var changes = storage.changes(for: .count).makeAsyncIterator()
        try storage.set(.count, to: 1)
        #expect(await changes.next() == 1)
    }

    @Test func `no change is lost between creating an iterator and calling next`() async throws {
        var values = storage.values(for: .count).makeAsyncIterator()
        try storage.set(.count, to: 1)
        #expect(await values.next() == 0)
        #expect(await values.next() == 1)
    }

    @Test func `a slow consumer gets the initial value and the newest`() async throws {
        var values = storage.values(for: .count).makeAsyncIterator()
        for value in 1...5 { try storage.set(.count, to: value) }
        #expect(await values.next() == 0)
        #expect(await values.next() == 5)
    }

    @Test func `an unbounded buffer keeps every value`() async throws {
        var values = storage.changes(for: .count, bufferingPolicy: .unbounded).makeAsyncIterator()
        for value in 1...5 { try storage.set(.count, to: value) }
        for value in 1...5 { #expect(await values.next() == value) }
    }

    @Test func `other keys, equal values and rejected values are no change`() async throws {
        var values = storage.changes(for: .count, bufferingPolicy: .unbounded).makeAsyncIterator()
        try storage.set(.name, to: "ada")
        try storage.set(.count, to: 0)
        try storage.setValue("many", forKey: "count")
        try storage.set(.count, to: 7)
        #expect(await values.next() == 7)
    }

    @Test func `releasing an iterator deregisters once`() async {
        var values: PersistentKeyValues<Int>.Iterator? = storage.values(for: .count).makeAsyncIterator()
        #expect(storage.live == 1)
        _ = await values?.next()
        values = nil
        #expect(storage.live == 0)
        #expect(storage.deregistered.load(ordering: .relaxed) == 1)
    }

    @Test func `cancelling the task ends the sequence and deregisters once`() async {
        let (started, start) = AsyncStream<Void>.makeStream()
        let task = Task { [storage] in
            var seen = 0
            for await _ in storage.values(for: .count) {
                seen += 1
                start.yield()
            }
            return seen
        }
        for await _ in started { break }
        task.cancel()
        #expect(await task.value == 1)
        #expect(storage.live == 0)
        #expect(storage.deregistered.load(ordering: .relaxed) == 1)
    }

    @Test func `a cancelled task gets no initial value`() async {
        let (gate, open) = AsyncStream<Void>.makeStream()
        let task = Task { [storage] in
            for await _ in gate { break }
            var values = storage.values(for: .count).makeAsyncIterator()
            return await values.next()
        }
        task.cancel()
        open.finish()
        #expect(await task.value == nil)
        #expect(storage.live == 0)
    }

    @Test func `changes follow the same writes as values`() async throws {
        let key: PersistentKey<Int> = .count
        var values = storage.values(for: key).makeAsyncIterator()
        var changes = storage.changes(for: key).makeAsyncIterator()
        try storage.set(key, to: 2)
        #expect(await values.next() == 0)
        #expect(await values.next() == 2)
        #expect(await changes.next() == 2)
    }

    @Test func `several keys form one consistent tuple`() async {
        var values = storage.values(for: .count, .name).makeAsyncIterator()
        #expect(await values.next()! == (0, "unknown"))
        storage.base.update { $0 = ["count": 3, "name": "ada"] }
        #expect(await values.next()! == (3, "ada"))
        #expect(storage.snapshot.get(.count, .name) == (3, "ada"))
        #expect(storage.live == 2)
    }

    @Test func `a tuple never mixes two states`() async {
        let task = Task { [storage] in
            for await (count, name) in storage.values(for: .count, .name) {
                guard name == "unknown" || name == "\(count)" else { return false }
                if count == 500 { return true }
            }
            return false
        }
        for value in 1...500 {
            storage.base.update { $0 = ["count": value.prefsValue, "name": "\(value)".prefsValue] }
        }
        #expect(await task.value)
    }

    @Test func `a store that cannot report changes delivers its value once`() async {
        final class Mute: PrefsStorage {
            var snapshot: PrefsSnapshot { PrefsSnapshot(["count": 4]) }
        }
        let mute = Mute()
        var values = mute.values(for: .count).makeAsyncIterator()
        #expect(await values.next() == 4)
    }

    @Test func `racing cancellation, release and writes leave no registration`() async {
        for round in 1...100 {
            let task = Task { [storage] in
                for await value in storage.values(for: .count) where value == -1 { return }
            }
            let writer = Task { [storage] in
                for value in 1...10 { _ = try? storage.set(.count, to: value * round) }
            }
            task.cancel()
            await writer.value
            await task.value
        }
        #expect(storage.live == 0)
    }
}
