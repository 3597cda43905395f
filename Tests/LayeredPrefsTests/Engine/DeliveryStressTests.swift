import Foundation
import LayeredPrefsTesting
import PrefsSystem
import Synchronization
import TestSupport
import Testing

@testable import LayeredPrefs

extension PersistentKey where Value == Int {
    /// A key that is edited in a file.
    fileprivate static var edited: Self { Self("edited", defaultValue: 0) }
    /// A key that is written in memory.
    fileprivate static var written: Self { Self("written", defaultValue: 0) }
    /// A key that an observer writes.
    fileprivate static var echoed: Self { Self("echoed", defaultValue: 0) }
}

/// Observers that take any time, write, cancel and observe, while a file is edited and keys are written.
///
/// `DELIVERY_EVENTS` sets the number of changes.
@Suite struct DeliveryStressTests {
    /// Checks that each change starts where the one before ended.
    private final class Chain: Sendable {
        private let state = Lock((last: 0, isBroken: false))
        let values = Recorder<Int>()

        func add(_ change: PrefsChange<Int>) {
            state.withLock { state in
                if change.old.value != state.last || change.new.value <= state.last { state.isBroken = true }
                state.last = change.new.value
            }
            values.record(change.new.value)
        }

        var isBroken: Bool { state.withLock { $0.isBroken } }
    }

    /// An observer that replaces itself at each change.
    private final class Restless: Sendable {
        private let observation = Lock<PrefsObservation?>(nil)
        let values = Recorder<Int>()

        func observe(_ storage: PrefsStack) {
            let next = storage.observe(.edited) { [weak self, weak storage] change in
                self?.values.record(change.new.value)
                if let storage { self?.observe(storage) }
            }
            // The next observer starts with the value that is effective now, including unnotified changes.
            values.record(storage.get(.edited))
            let last = observation.withLock { observation in
                defer { observation = next }
                return observation
            }
            last?.cancel()
        }

        func cancel() { observation.withLock { $0 }?.cancel() }
    }

    private static let count = max(
        20, ProcessInfo.processInfo.environment["DELIVERY_EVENTS"].flatMap { Int($0) } ?? 1000)

    @Test func `observers of any duration are notified of every change in order`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(#"{"edited": 0}"#, to: "user.json")
        let storage = PrefsStack {
            PrefsLayer(.user, FilePrefsStorage(path: path))
            PrefsLayer.overrides
        }
        let (quick, slow, restless) = (Chain(), Chain(), Restless())
        let echoed = Chain()
        let everyValue = Recorder<Int>()
        let random = Lock(SeededGenerator(seed: 7))
        var observations = [
            storage.observe(.edited) { quick.add($0) },
            storage.observe(.edited) { change in
                // The duration is the point of the test: some calls are longer than the loop's patience,
                // others shorter.
                let milliseconds = random.withLock { UInt32.random(in: 0...100, using: &$0) }
                usleep(milliseconds * 1000)
                slow.add(change)
            },
            storage.observe(.edited) { change in
                _ = try? storage.set(.echoed, to: change.new.value, in: .overrides)
            },
            storage.observe(.echoed) { echoed.add($0) },
            storage.values(for: .written, bufferingPolicy: .unbounded).sink(everyValue.record),
        ]
        restless.observe(storage)
        let edits = Self.count / 20
        for number in 1...Self.count {
            try storage.set(.written, to: number, in: .overrides)
            guard number.isMultiple(of: 20) else { continue }
            try folder.write(#"{"edited": \#(number / 20)}"#, to: "next.json")
            guard unsafe rename(folder["next.json"], path) == 0 else { throw Errno.last }
        }
        for chain in [quick, slow, echoed] {
            _ = try await chain.values.wait { $0.last == edits }
            #expect(!chain.isBroken)
        }
        _ = try await restless.values.wait { $0.contains(edits) }
        #expect(try await everyValue.wait { $0.last == Self.count } == Array(0...Self.count))
        restless.cancel()
        observations.removeAll()
    }
}
