import TestSupport
import PrefsSystem
import Testing

@testable import LayeredPrefs

extension PersistentKey where Value == Int {
    fileprivate static var count: Self { Self("count", defaultValue: 0) }
}

@Suite struct PrefsObservationTests {
    let storage = CountingStorage()
    let seen = Recorder()

    final class Recorder: Sendable {
        private let changes = Lock<[ValueChange<Int>]>([])

        var all: [ValueChange<Int>] { changes.withLock { $0 } }

        func add(_ change: ValueChange<Int>) { changes.withLock { $0.append(change) } }

        func add(_ change: PrefsChange<Int>) { add(ValueChange(change)) }
    }

    @Test func `observers receive the old and new value`() throws {
        let observation = storage.observe(.count) { [seen] in seen.add($0) }
        try storage.set(.count, to: 1)
        try storage.set(.count, to: 1)
        try storage.remove(.count)
        #expect(seen.all == [ValueChange(old: 0, new: 1), ValueChange(old: 1, new: 0)])
        observation.cancel()
        try storage.set(.count, to: 5)
        #expect(seen.all.count == 2)
        #expect(storage.live == 0)
    }

    @Test func `releasing an observation ends it`() throws {
        _ = storage.observe(.count) { [seen] in seen.add($0) }
        try storage.set(.count, to: 1)
        #expect(seen.all.isEmpty)
        #expect(storage.live == 0)
    }

    @Test func `an observer may write without looping`() throws {
        let observation = storage.observe(.count) { [seen, storage] change in
            seen.add(change)
            _ = try? storage.set(.count, to: min(change.new.value, 3))
        }
        try storage.set(.count, to: 9)
        #expect(seen.all == [ValueChange(old: 0, new: 9), ValueChange(old: 9, new: 3)])
        observation.cancel()
    }

    @Test func `an observer may cancel itself`() throws {
        let box = Lock<PrefsObservation?>(nil)
        let holder = Holder(box: box)
        holder.set(
            storage.observe(.count) { [seen, holder] change in
                seen.add(change)
                holder.cancel()
            })
        try storage.set(.count, to: 1)
        try storage.set(.count, to: 2)
        #expect(seen.all.count == 1)
        #expect(storage.live == 0)
    }

    @Test func `an observation lives as long as the object that keeps it`() throws {
        final class Owner {
            var observations: Set<PrefsObservation> = []
        }
        var owner: Owner? = Owner()
        storage.observe(.count) { [seen] in seen.add($0) }.store(in: &owner!.observations)
        try storage.set(.count, to: 1)
        #expect(seen.all.count == 1)
        owner = nil
        try storage.set(.count, to: 2)
        #expect(seen.all.count == 1)
        #expect(storage.live == 0)
    }

    @Test func `values of a type that is not Equatable are compared by their stored form`() throws {
        struct Level: Sendable {
            var number: Int
        }
        let coding = ClosurePrefsCoding<Level, Int>(encode: { $0.number }, decode: { Level(number: $0) })
        let key = PersistentKey("level", defaultValue: Level(number: 0), coding: coding)
        for storage in [storage, storage.base, ErasedStorage(storage.base)] as [any PrefsStorage] {
            let levels = Log<Int>()
            let observation = storage.observe(key) { levels.add($0.new.value.number) }
            for number in [1, 1, 2] { try storage.set(key, to: Level(number: number)) }
            try storage.remove(key)
            #expect(levels.all == [1, 2, 0])
            observation.cancel()
        }
    }

    final class Holder: Sendable {
        private let observation: Lock<PrefsObservation?>

        init(box: consuming Lock<PrefsObservation?>) { observation = box }

        func set(_ value: PrefsObservation) { observation.withLock { $0 = value } }

        func cancel() { observation.withLock { $0 }?.cancel() }
    }
}

@Suite struct SinkTests {
    @Test func `a sink receives the current value and then changes`() throws {
        let storage = CountingStorage()
        let seen = PrefsObservationTests.Recorder()
        var kept: Set<PrefsObservation> = []
        storage.values(for: .count).sink { [seen] in seen.add(ValueChange(old: $0, new: $0)) }.store(
            in: &kept)
        try storage.set(.count, to: 2)
        #expect(seen.all.map(\.new) == [0, 2])
        kept = []
        #expect(storage.live == 0)
    }
}
