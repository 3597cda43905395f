import LayeredPrefsTesting
import PrefsSystem
import TestSupport
import Testing

@testable import LayeredPrefs

@Suite struct TransitionBacklogTests {
    private func step(_ old: PrefsSnapshot, _ new: PrefsSnapshot) -> WaitingTransition {
        WaitingTransition(
            transition: PrefsTransition(old: old, new: new, cause: .file, dirty: []), isCompared: false)
    }

    private func snapshots(_ numbers: ClosedRange<Int>) -> [PrefsSnapshot] {
        numbers.map { PrefsSnapshot(["n": .integer(Int128($0))]) }
    }

    /// Adds a step from each snapshot to the next. Returns the numbers of the waiting steps.
    private func waiting(keepsEveryStep: Bool, _ snapshots: [PrefsSnapshot]) -> [[PrefsValue?]] {
        var backlog = TransitionBacklog(keepsEveryStep: keepsEveryStep)
        for (old, new) in zip(snapshots, snapshots.dropFirst()) { _ = backlog.add(step(old, new)) }
        var steps: [[PrefsValue?]] = []
        while let next = backlog.popFirst()?.transition { steps.append([next.old["n"], next.new["n"]]) }
        return steps
    }

    @Test func `as many steps as the limit are kept`() {
        let limit = TransitionBacklog.limit
        #expect(waiting(keepsEveryStep: false, snapshots(0...limit)).count == limit)
    }

    @Test func `the newest step absorbs those beyond the limit`() {
        let limit = TransitionBacklog.limit
        let steps = waiting(keepsEveryStep: false, snapshots(0...(limit + 100)))
        #expect(steps.count == limit)
        #expect(steps.first == [0, 1])
        #expect(steps.last == [.integer(Int128(limit - 1)), .integer(Int128(limit + 100))])
    }

    @Test func `an observer of every step gets every step`() {
        let steps = waiting(keepsEveryStep: true, snapshots(0...500))
        let expected: [[PrefsValue?]] = (0..<500).map { (step: Int128) in
            [.integer(step), .integer(step + 1)]
        }
        #expect(steps == expected)
    }

    @Test func `a merged step has the paths that differ between its ends`() {
        var backlog = TransitionBacklog(keepsEveryStep: false)
        let first = PrefsSnapshot(["a": 1, "b": 1, "c": 1])
        let ends = [PrefsSnapshot(["a": 2, "b": 1, "c": 1]), PrefsSnapshot(["a": 1, "b": 2, "c": 1])]
        for _ in 1..<TransitionBacklog.limit { _ = backlog.add(step(first, first)) }
        let areNew = [backlog.add(step(first, ends[0])), backlog.add(step(ends[0], ends[1]))]
        #expect(areNew == [true, false])
        for _ in 1..<TransitionBacklog.limit { _ = backlog.popFirst() }
        let merged = backlog.popFirst()
        #expect(merged?.compared.dirty.map(\.name) == ["b"])
    }
}

/// Observers that never return, and the memory that they hold.
@Suite struct StuckObserverTests {
    /// The revisions of a source that are still in memory.
    private final class Versions {
        private struct Version { weak let source: PrefsSource? }

        private var versions: [Version] = []

        func add(_ storage: some PrefsStorage) {
            versions += storage.snapshot.state.parts.map { Version(source: $0.source) }
        }

        var alive: Int { versions.filter { $0.source != nil }.count }
    }

    /// Returns the number of revisions in memory while an observer is stuck.
    private func stuck(
        _ storage: PrefsStack, edit: (Int) throws -> Void, times: Int
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
        // Both ends of the transition that the observer is receiving are older than the first counted revision.
        for number in 2...times {
            versions.add(storage)
            try edit(number)
        }
        try await passed.wait { $0.last == times }
        await withCheckedContinuation { continuation in
            storage.changes.reloads?.whenNotified { continuation.resume() } ?? continuation.resume()
        }
        defer { withExtendedLifetime(observations) {} }
        return versions.alive
    }

    @Test func `a stuck observer holds a bounded number of versions`() async throws {
        let storage = PrefsStack { .overrides }
        let alive = try await stuck(
            storage, edit: { try storage.set(.counted, to: $0, in: .overrides) }, times: 1000)
        #expect(alive <= TransitionBacklog.limit + 1)
    }
}

extension PersistentKey where Value == Int {
    fileprivate static var counted: PersistentKey<Int> { PersistentKey("counted", defaultValue: 0) }
}
