import PrefsSystem
import Testing

@testable import LayeredPrefs

extension PersistentKeyProtocol where Self == PersistentKey<Int> {
    fileprivate static var count: Self { Self("count", defaultValue: 0) }
}

@Suite struct PersistentKeyObservationTests {
    let storage = CountingStorage()
    let seen = Recorder()

    final class Recorder: Sendable {
        private let changes = Lock<[KeyChange<Int>]>([])

        var all: [KeyChange<Int>] { changes.withLock { $0 } }

        func add(_ change: KeyChange<Int>) { changes.withLock { $0.append(change) } }
    }

    @Test func `observers receive the old and new value`() throws {
        let observation = storage.observe(.count) { [seen] in seen.add($0) }
        try storage.set(.count, to: 1)
        try storage.set(.count, to: 1)
        try storage.remove(.count)
        #expect(seen.all == [KeyChange(old: 0, new: 1), KeyChange(old: 1, new: 0)])
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
            _ = try? storage.set(.count, to: min(change.new, 3))
        }
        try storage.set(.count, to: 9)
        #expect(seen.all == [KeyChange(old: 0, new: 9), KeyChange(old: 9, new: 3)])
        observation.cancel()
    }

    @Test func `an observer may cancel itself`() throws {
        let box = Lock<PersistentKeyObservation?>(nil)
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

    @Test func `an observation lives as long as the object it is tied to`() throws {
        final class Owner {}
        var owner: Owner? = Owner()
        storage.observe(.count) { [seen] in seen.add($0) }.tieToLifetime(of: owner!)
        try storage.set(.count, to: 1)
        #expect(seen.all.count == 1)
        withExtendedLifetime(owner) {}
        owner = nil
        try storage.set(.count, to: 2)
        #expect(seen.all.count == 1)
        #expect(storage.live == 0)
    }

    final class Holder: Sendable {
        private let observation: Lock<PersistentKeyObservation?>

        init(box: consuming Lock<PersistentKeyObservation?>) { observation = box }

        func set(_ value: PersistentKeyObservation) { observation.withLock { $0 = value } }

        func cancel() { observation.withLock { $0 }?.cancel() }
    }
}

@Suite struct SinkTests {
    @Test func `a sink receives the current value and then changes`() throws {
        let storage = CountingStorage()
        let seen = PersistentKeyObservationTests.Recorder()
        var kept: Set<PersistentKeyObservation> = []
        storage.values(for: .count).sink { [seen] in seen.add(KeyChange(old: $0, new: $0)) }.store(in: &kept)
        try storage.set(.count, to: 2)
        #expect(seen.all.map(\.new) == [0, 2])
        kept = []
        #expect(storage.live == 0)
    }
}
