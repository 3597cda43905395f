import PrefsDocuments
import PrefsSystem

/// A transition that an observer has not begun to receive.
struct WaitingTransition: Sendable {
    var transition: PrefsTransition
    /// True if the paths that differ are known. If false, they must be found by comparing the snapshots.
    var isCompared = true

    /// The transition with the paths that differ.
    var compared: PrefsTransition {
        if isCompared { return transition }
        var transition = transition
        transition.dirty = PrefsTransition.dirtyPaths(from: transition.old, to: transition.new)
        return transition
    }

    /// Returns the step from the start of this transition to the end of the next.
    fileprivate func merged(with next: WaitingTransition) -> WaitingTransition {
        var merged = next
        merged.transition = PrefsTransition(
            old: transition.old, new: next.transition.new, cause: next.transition.cause, dirty: [],
            restarts: next.transition.restarts)
        merged.isCompared = false
        return merged
    }
}

/// The transitions that one observer has not begun to receive.
///
/// An observer that falls behind must not keep every revision of every file in memory. Once ``limit``
/// transitions wait, the newest of them absorbs all that follow, and the observer receives them as one.
struct TransitionBacklog: Sendable {
    /// The largest number of waiting transitions. Further ones are merged with the last of them.
    static let limit = 64

    private let keepsEveryStep: Bool
    private var waiting = Fifo<WaitingTransition>()

    /// - Parameter keepsEveryStep: True if no transitions may be merged.
    init(keepsEveryStep: Bool) { self.keepsEveryStep = keepsEveryStep }

    /// Adds a transition; returns false if it was merged with the newest one.
    mutating func add(_ next: WaitingTransition) -> Bool {
        if !keepsEveryStep, waiting.count >= Self.limit, let last = waiting.last {
            waiting.replaceLast(with: last.merged(with: next))
            return false
        }
        waiting.append(next)
        return true
    }

    /// Removes and returns the oldest transition.
    mutating func popFirst() -> WaitingTransition? { waiting.popFirst() }

    /// Removes all transitions and returns them, so that the caller can release them when it holds no mutex.
    mutating func removeAll() -> some Sendable {
        defer { waiting = Fifo() }
        return waiting
    }
}
