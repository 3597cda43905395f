import PrefsDocuments
import PrefsSystem

/// A transition that an observer has not begun to receive.
struct WaitingTransition: Sendable {
    var old: PrefsSnapshot
    var new: PrefsSnapshot
    var cause: PrefsChangeCause
    /// The highest paths that differ; `nil` if they are to be found by comparing the snapshots.
    var dirty: PathList?
    var metadata = KeyMetadata()
    /// Ends when the last observer has received the transition; `nil` if its delivery is not measured.
    var measurement: DurationObservers.Measurement?
}

extension WaitingTransition {
    init(_ transition: PrefsTransition) {
        self.init(
            old: transition.old, new: transition.new, cause: transition.cause, dirty: transition.dirty,
            metadata: transition.metadata)
    }

    /// The transition, compared if it has not been.
    var transition: PrefsTransition {
        let dirty =
            dirty
            ?? PrefsTransition.dirtyPaths(
                from: old, to: new, PrefsTransition.changedSources(from: old, to: new))
        return PrefsTransition(
            old: old, new: new, cause: cause, dirty: dirty, metadata: metadata)
    }

    /// Returns the step from the start of this transition to the end of the next.
    fileprivate func merged(with next: WaitingTransition) -> WaitingTransition {
        WaitingTransition(
            old: old, new: next.new, cause: next.cause, dirty: nil, metadata: next.metadata,
            measurement: measurement)
    }
}

/// The transitions that one observer has not begun to receive.
///
/// An observer that falls behind must not keep every version of every file in memory. Behind a number of waiting
/// transitions, the newest one absorbs those that follow, which the observer later receives as one.
struct TransitionBacklog: Sendable {
    /// The number of transitions from which on others are merged.
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
