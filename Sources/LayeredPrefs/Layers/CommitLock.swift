import PrefsDocuments
import PrefsSystem

/// The lock that a thread holds while it commits to a stack.
///
/// Writers wait for the lock in the order of their calls. A thread that announces a change of a layer never waits,
/// because it may hold a mutex that the running commit needs. It marks the stack dirty instead, and the thread
/// that releases the lock makes the stack commit once more. Readers do not need the lock.
///
/// A commit calls the program's code, its rules and the snapshots of its storages, with no mutex held. That code
/// may read. But a thread that holds the commit lock of one stack never waits for the commit lock of another; see
/// ``isHeldByThisThread``.
final class CommitLock: Sendable {
    private struct State {
        var isHeld = false
        /// True if a layer has announced a change since the running commit read the layers.
        var isDirty = false
        /// The waiting writers, in order.
        var writers: [BlockingPromise<Void>] = []
        /// The name of the program's code that the commit is calling.
        var activity: String?
    }

    private let state = Lock(State())

    /// The number of waiting writers.
    var waitingCount: Int { state.withLock { $0.writers.count } }

    /// True if the calling thread holds the commit lock of any stack.
    static var isHeldByThisThread: Bool { ps_commit_locks() > 0 }

    /// Acquires the lock, or returns false and marks the stack dirty if another thread holds it.
    func acquireOrMarkDirty() -> Bool {
        let isAcquired = state.withLock { state in
            if state.isHeld {
                state.isDirty = true
                return false
            }
            state.isHeld = true
            return true
        }
        if isAcquired { ps_set_commit_locks(ps_commit_locks() + 1) }
        return isAcquired
    }

    /// Acquires the lock after all earlier writers. Returns false if that takes longer than `timeout`.
    func acquire(within timeout: Duration) -> Bool {
        let writer = state.withLock { state -> BlockingPromise<Void>? in
            if state.isHeld {
                let writer = BlockingPromise<Void>()
                state.writers.append(writer)
                return writer
            }
            state.isHeld = true
            return nil
        }
        if let writer, writer.wait(until: .now + timeout.clamped) == nil {
            let isTooLate = state.withLock { state in
                guard let index = state.writers.firstIndex(where: { $0 === writer }) else { return false }
                state.writers.remove(at: index)
                return true
            }
            if isTooLate { return false }
        }
        ps_set_commit_locks(ps_commit_locks() + 1)
        return true
    }

    /// Marks the stack dirty, for a thread that must not wait. Returns false if no thread holds the lock, because
    /// then none would see the flag.
    func markDirty() -> Bool {
        state.withLock { state in
            if state.isHeld { state.isDirty = true }
            return state.isHeld
        }
    }

    /// Clears the dirty flag. Call it before a commit reads the layers: the commit then includes every change
    /// announced until now.
    func clearDirty() { state.withLock { $0.isDirty = false } }

    /// Releases the lock. Returns true if the stack has to commit once more.
    func release() -> Bool {
        ps_set_commit_locks(ps_commit_locks() - 1)
        let (next, isDirty) = state.withLock { state -> (BlockingPromise<Void>?, Bool) in
            // The next writer reads the layers, too.
            if !state.writers.isEmpty { return (state.writers.removeFirst(), false) }
            defer { (state.isHeld, state.isDirty) = (false, false) }
            return (nil, state.isDirty)
        }
        next?.open(())
        return isDirty
    }
}

extension CommitLock {
    /// Calls the program's code. If a writer waits too long meanwhile, its error contains the name of this code.
    func call<Result>(_ name: String, _ body: () -> Result) -> Result {
        state.withLock { $0.activity = name }
        defer { state.withLock { $0.activity = nil } }
        return body()
    }

    /// The end of a sentence about a commit that takes long: `, running` the code that the commit calls.
    private var activity: String { state.withLock { $0.activity }.map { ", running \($0)" } ?? "" }

    /// Returns the error of a writer that has waited for the lock for too long.
    func busy(after timeout: Duration) -> PrefsError {
        PrefsError(
            .busy,
            reason: """
                not written because another commit has taken longer than \(timeout)\(activity); try again
                """)
    }

    /// Returns the report about a reload that has waited for the lock for too long.
    func delayedReload(after timeout: Duration) -> PrefsError {
        PrefsError(
            .busy,
            reason: """
                not loaded yet because another commit has taken longer than \(timeout)\(activity); keeping the \
                previous version until it ends
                """)
    }

    /// Returns the report about a new rule over several keys, whose check has waited for the lock for too long.
    func delayedCheck(of rule: String, after timeout: Duration) -> PrefsError {
        PrefsError(
            .busy,
            reason: """
                \(rule) is not checked because another commit has taken longer than \(timeout)\(activity); it is \
                checked after the next edit of its keys
                """)
    }

    /// Returns the report about code that a commit has been calling for a time.
    static func takesLong(_ name: String, _ time: Duration) -> PrefsError {
        PrefsError(
            .busy,
            reason: "\(name) has been running for \(time); keeping the previous version until it returns"
        )
    }

    /// The error of a write by code that a commit calls.
    static let writesInCommit = PrefsError(
        .unsupported,
        reason: "not written because a rule over several keys, and the snapshot of a storage, may only read;"
            + " write from an observer")
}
