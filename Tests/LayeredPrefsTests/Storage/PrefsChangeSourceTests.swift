import PrefsDocuments
import PrefsSystem
import TestSupport
import Testing

@testable import LayeredPrefs

@Suite struct PrefsChangeSourceTests {
    private let changes = PrefsChangeSource(isExact: true)

    @Test func `what several sources have published is announced once`() {
        let announced = Log<UInt64>()
        let observation = changes.observe { [changes] in announced.add(changes.publicationCount) }
        changes.announce()
        #expect(announced.all == [])
        for _ in 0..<3 { changes.notePublication(at: PrefsChangeSource.nextGeneration()) }
        changes.announce()
        changes.announce()
        #expect(announced.all == [3])
        changes.notePublication(at: nil)
        changes.announce()
        #expect(announced.all == [3, 4])
        observation.cancel()
    }

    @Test func `a version advances the generation even if a later one was published before it`() {
        let early = PrefsChangeSource.nextGeneration()
        changes.notePublication(at: PrefsChangeSource.nextGeneration())
        let seen = changes.generation
        changes.notePublication(at: early)
        #expect(changes.generation > seen)
    }

    @Test func `a reading that ends after a newer one is ignored`() throws {
        let storage = InterruptedStorage()
        let calls = Log<PrefsValue?>()
        let observation = storage._registerObserver(under: "a") { calls.add(storage.value) }
        storage.interruption.withLock { interruption in
            // Another thread changes the value after the first one has read 1.
            interruption = { storage.set(2) }
        }
        storage.set(1)
        #expect(calls.all == [2])
        storage.set(1)
        #expect(calls.all == [2, 1])
        observation?.cancel()
    }

    /// A storage whose readers another thread can overtake.
    private final class InterruptedStorage: PrefsStorage {
        let interruption = Lock<(@Sendable () -> Void)?>(nil)
        private let current = Lock<PrefsValue>(0)
        private let changes = PrefsChangeSource()

        var changeSource: PrefsChangeSource? { changes }
        var value: PrefsValue { current.withLock { $0 } }

        var snapshot: PrefsSnapshot {
            let value = value
            interruption.withLock { $0.take() }?()
            return PrefsSnapshot(candidates: ["a": PrefsCandidate(value, origin: PrefsOrigin())])
        }

        func set(_ value: PrefsValue) {
            current.withLock { $0 = value }
            changes.advance()
        }
    }
}
