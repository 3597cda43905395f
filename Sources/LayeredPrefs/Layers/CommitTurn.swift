import PrefsDocuments
import PrefsSystem

/// The right to commit to one stack, which one thread has at a time.
///
/// Only writers wait for it, in the order in which they came. A thread that announces a change of a layer never waits,
/// because it may hold a mutex that the present turn needs: it marks the stack, and the thread that ends the turn has
/// the stack looked at again. Readers do not take part.
///
/// A turn calls code of the program, its constraints and the snapshots of its storages, with no mutex held. That code
/// may read, but a thread in a turn begins no other one: see ``isTakenByThisThread``.
final class CommitTurn: Sendable {
    private struct State {
        var isTaken = false
        /// True if a layer has announced a change since the present turn looked at the layers.
        var isMarked = false
        /// The writers that wait, the first one first.
        var writers: [BlockingPromise<Void>] = []
        /// The code of the program that the turn is calling.
        var activity: String?
    }

    private let state = Lock(State())

    /// The number of writers that wait.
    var waitingCount: Int { state.withLock { $0.writers.count } }

    /// True if the calling thread is in a turn, of whatever stack.
    static var isTakenByThisThread: Bool { ps_turns() > 0 }

    /// Begins a turn, or returns false and marks the stack if another thread has it.
    func beginOrMark() -> Bool {
        let begins = state.withLock { state in
            if state.isTaken {
                state.isMarked = true
                return false
            }
            state.isTaken = true
            return true
        }
        if begins { ps_set_turns(ps_turns() + 1) }
        return begins
    }

    /// Begins a turn after those of the writers that came before; returns false if that takes longer than a time.
    func begin(within timeout: Duration) -> Bool {
        let writer = state.withLock { state -> BlockingPromise<Void>? in
            if state.isTaken {
                let writer = BlockingPromise<Void>()
                state.writers.append(writer)
                return writer
            }
            state.isTaken = true
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
        ps_set_turns(ps_turns() + 1)
        return true
    }

    /// Marks the stack, for a thread that may not begin a turn; returns false if no turn is under way whose end would
    /// find the mark.
    func mark() -> Bool {
        state.withLock { state in
            if state.isTaken { state.isMarked = true }
            return state.isTaken
        }
    }

    /// Removes the mark. Called in a turn, before it looks at the layers: it finds what was announced until now.
    func takeMark() { state.withLock { $0.isMarked = false } }

    /// Ends the turn; returns true if the stack has to be looked at again.
    func end() -> Bool {
        ps_set_turns(ps_turns() - 1)
        let (next, isMarked) = state.withLock { state -> (BlockingPromise<Void>?, Bool) in
            // The next writer looks at the layers, too.
            if !state.writers.isEmpty { return (state.writers.removeFirst(), false) }
            defer { (state.isTaken, state.isMarked) = (false, false) }
            return (nil, state.isMarked)
        }
        next?.open(())
        return isMarked
    }
}

extension CommitTurn {
    /// Calls code of the program within the turn, whose name is part of the error of a writer that waits too long.
    func call<Result>(_ name: String, _ body: () -> Result) -> Result {
        state.withLock { $0.activity = name }
        defer { state.withLock { $0.activity = nil } }
        return body()
    }

    /// The error of a writer that has waited for a time.
    func busy(after timeout: Duration) -> PrefsError {
        let activity = state.withLock { $0.activity }
        return PrefsError(
            .busy,
            reason: "not written because another commit has taken longer than \(timeout)"
                + (activity.map { ", running \($0)" } ?? "") + "; try again")
    }

    /// The report of code that a turn has been calling for a time.
    static func takesLong(_ name: String, _ time: Duration) -> PrefsError {
        PrefsError(
            .busy,
            reason: "\(name) has been running for \(time); keeping the previous version until it returns"
        )
    }

    /// The error of code that a turn calls, and that writes.
    static let writesInTurn = PrefsError(
        .unsupported,
        reason: "not written because a rule over several keys, and the snapshot of a storage, may only read;"
            + " write from an observer")
}
