import LayeredPrefsTesting
import PrefsSystem
import Synchronization
import TestSupport
import Testing

@testable import LayeredPrefs

@Suite struct TransitionBacklogTests {
    private func step(_ old: PrefsSnapshot, _ new: PrefsSnapshot) -> WaitingTransition {
        WaitingTransition(old: old, new: new, cause: .file)
    }

    private func snapshots(_ numbers: ClosedRange<Int>) -> [PrefsSnapshot] {
        numbers.map { PrefsSnapshot(["n": .integer(Int128($0))]) }
    }

    /// Adds a step from each snapshot to the next and returns the numbers of those that wait.
    private func waiting(keepsEveryStep: Bool, _ snapshots: [PrefsSnapshot]) -> [[PrefsValue?]] {
        var backlog = TransitionBacklog(of: ObserverID(), keepsEveryStep: keepsEveryStep)
        for (old, new) in zip(snapshots, snapshots.dropFirst()) { _ = backlog.add(step(old, new)) }
        var steps: [[PrefsValue?]] = []
        while let next = backlog.popFirst() { steps.append([next.old["n"], next.new["n"]]) }
        return steps
    }

    @Test func `as many steps as the limit are kept`() {
        let limit = TransitionBacklog.countLimit
        #expect(waiting(keepsEveryStep: false, snapshots(0...limit)).count == limit)
    }

    @Test func `the newest step absorbs those beyond the limit`() {
        let limit = TransitionBacklog.countLimit
        let steps = waiting(keepsEveryStep: false, snapshots(0...(limit + 100)))
        #expect(steps.count == limit)
        #expect(steps.first == [0, 1])
        #expect(steps.last == [.integer(Int128(limit - 1)), .integer(Int128(limit + 100))])
    }

    @Test func `an observer of every step gets every step`() {
        let steps = waiting(keepsEveryStep: true, snapshots(0...500))
        #expect(steps == (0..<500).map { [.integer(Int128($0)), .integer(Int128($0 + 1))] })
    }

    @Test func `a merged step has the paths that differ between its ends`() {
        var backlog = TransitionBacklog(of: ObserverID(), keepsEveryStep: false)
        let first = PrefsSnapshot(["a": 1, "b": 1, "c": 1])
        let ends = [PrefsSnapshot(["a": 2, "b": 1, "c": 1]), PrefsSnapshot(["a": 1, "b": 2, "c": 1])]
        for _ in 1..<TransitionBacklog.countLimit { _ = backlog.add(step(first, first)) }
        let areNew = [backlog.add(step(first, ends[0])), backlog.add(step(ends[0], ends[1]))]
        #expect(areNew == [true, false])
        for _ in 1..<TransitionBacklog.countLimit { _ = backlog.popFirst() }
        let merged = backlog.popFirst()
        #expect(merged?.transition.dirty.map(\.name) == ["b"])
    }

    @Test func `an observer's own writes are not merged, so that it is not notified of them`() async throws {
        let storage = LayeredPrefsStorage { .overrides }
        let gate = Latch()
        let (entered, received, passed) = (Recorder<Int>(), Recorder<[Int]>(), Recorder<Int>())
        let isFirst = Atomic(true)
        let observations = [
            storage.observe(.counted) { change in
                received.record([change.old.value, change.new.value])
                guard isFirst.exchange(false, ordering: .relaxed) else { return }
                entered.record(1)
                gate.wait()
                // Everything that waits was written before this.
                PrefsObservation.withoutEcho { _ = try? storage.set(.counted, to: -1, in: .overrides) }
            },
            storage.observe(.counted) { passed.record($0.new.value) },
        ]
        try storage.set(.counted, to: 1, in: .overrides)
        try await entered.wait { !$0.isEmpty }
        for number in 2...100 { try storage.set(.counted, to: number, in: .overrides) }
        // The blocked observer's transitions wait in its backlog when the other one has received them.
        try await passed.wait { $0.last == 100 }
        gate.open()
        await storage.deliveries()
        try storage.set(.counted, to: 200, in: .overrides)
        await storage.deliveries()
        let changes = received.elements
        #expect(changes.first == [0, 1])
        #expect(!changes.contains { $0[1] == -1 })
        #expect(changes.suffix(2) == [[64, 100], [-1, 200]])
        withExtendedLifetime(observations) {}
    }
}

/// Observers that never return, and what they keep in memory.
@Suite struct StuckObserverTests {
    /// The versions of a source that are still in memory.
    private final class Versions {
        private struct Version { weak let source: PrefsSource? }

        private var versions: [Version] = []

        func add(_ storage: some PrefsStorage) {
            versions += storage.snapshot.state.parts.map { Version(source: $0.source) }
        }

        var alive: Int { versions.filter { $0.source != nil }.count }
    }

    /// Returns the number of versions in memory while an observer is stuck.
    private func stuck(
        _ storage: LayeredPrefsStorage, edit: (Int) throws -> Void, times: Int
    ) async throws -> Int {
        let gate = Latch()
        defer { gate.open() }
        let (entered, passed) = (Recorder<Int>(), Recorder<Int>())
        let observations = [
            storage.observe(.counted) { _ in
                entered.record(1)
                gate.wait()
            },
            storage.observe(.counted) { passed.record($0.new.value) },
        ]
        let versions = Versions()
        try edit(1)
        try await entered.wait { !$0.isEmpty }
        // Both ends of the transition that the observer is receiving are older than the first one counted.
        for number in 2...times {
            versions.add(storage)
            try edit(number)
        }
        try await passed.wait { $0.last == times }
        await storage.readings()
        defer { withExtendedLifetime(observations) {} }
        return versions.alive
    }

    @Test func `a stuck observer of a large file holds few versions of it`() async throws {
        let folder = try TemporaryFolder()
        let filler = String(repeating: "x", count: TransitionBacklog.byteLimit)
        let path = try folder.write(#"{"counted": 0, "filler": "\#(filler)"}"#, to: "large.json")
        let file = FilePrefsStorage(path: path)
        let storage = LayeredPrefsStorage { PrefsLayer(.user, file) }
        let alive = try await stuck(storage, edit: { try storage.set(.counted, to: $0) }, times: 12)
        // The versions at the start of the transition that waits, and of the one that the other observer has
        // received last, and the present one.
        #expect(alive <= 3)
    }

    @Test func `a stuck observer holds a bounded number of small versions`() async throws {
        let storage = LayeredPrefsStorage { .overrides }
        let alive = try await stuck(
            storage, edit: { try storage.set(.counted, to: $0, in: .overrides) }, times: 1000)
        #expect(alive <= TransitionBacklog.countLimit + 1)
    }
}

extension PersistentKeyProtocol where Self == PersistentKey<Int> {
    fileprivate static var counted: PersistentKey<Int> { PersistentKey("counted", defaultValue: 0) }
}
