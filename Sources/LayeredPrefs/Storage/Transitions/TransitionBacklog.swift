import PrefsDocuments
import PrefsSystem

/// A transition that an observer has not begun to receive.
struct WaitingTransition: Sendable {
    var old: PrefsSnapshot
    var new: PrefsSnapshot
    var cause: PrefsChangeCause
    /// The highest paths that differ; `nil` if they are to be found by comparing the snapshots.
    var dirty: PathList?
    /// False if it is known that no observer asked not to be notified of what it wrote.
    var mayBeEcho = true
    var metadata = KeyMetadata()
    /// Ends when the last observer has received the transition; `nil` if its delivery is not measured.
    var measurement: DurationObservers.Measurement?
}

extension WaitingTransition {
    init(_ transition: PrefsTransition) {
        self.init(
            old: transition.old, new: transition.new, cause: transition.cause, dirty: transition.dirty,
            mayBeEcho: transition.mayBeEcho, metadata: transition.metadata)
    }

    /// The transition, compared if it has not been.
    var transition: PrefsTransition {
        let dirty =
            dirty
            ?? PrefsTransition.dirtyPaths(
                from: old, to: new, PrefsTransition.changedSources(from: old, to: new))
        return PrefsTransition(
            old: old, new: new, cause: cause, dirty: dirty, mayBeEcho: mayBeEcho, metadata: metadata)
    }

    /// Returns the step from the start of this transition to the end of the next.
    fileprivate func merged(with next: WaitingTransition) -> WaitingTransition {
        WaitingTransition(
            old: old, new: next.new, cause: next.cause, dirty: nil, metadata: next.metadata,
            measurement: measurement)
    }

    /// The size of the files whose contents are kept in memory only because an observer has yet to receive
    /// this transition.
    fileprivate var heldBytes: Int {
        PrefsTransition.changedSources(from: old, to: new).reduce(0) { $0 + $1.before.root.fileSize }
    }

    /// Returns true if an observer made a change that it must not be notified of. The change would no longer
    /// be recognised as its own in a larger transition.
    fileprivate func isWritten(by observer: ObserverID) -> Bool {
        PrefsTransition.changedSources(from: old, to: new).contains { $1.author?.observer == observer }
    }
}

/// The transitions that one observer has not begun to receive.
///
/// An observer that falls behind must not keep every version of every file in memory. From some number of
/// transitions on, or some size of the files in them, the newest one absorbs those that follow. A blocked
/// observer of a large file thus holds two earlier versions of it, those at both ends of the transition that
/// it is receiving, and later receives the changes since as one.
struct TransitionBacklog: Sendable {
    /// The number of transitions from which on others are merged.
    static let countLimit = 64
    /// The size of the files in them from which on others are merged.
    static let byteLimit = 1 << 20

    private struct Entry: Sendable {
        var transition: WaitingTransition
        /// `nil` until another transition waits behind this one.
        var weight: Weight?
    }

    private struct Weight: Sendable {
        let bytes: Int
        let isMergeable: Bool
    }

    private let observer: ObserverID
    private let keepsEveryStep: Bool
    private var entries = Fifo<Entry>()
    private var heldBytes = 0

    /// - Parameter keepsEveryStep: True if no transitions may be merged.
    init(of observer: ObserverID, keepsEveryStep: Bool) {
        self.observer = observer
        self.keepsEveryStep = keepsEveryStep
    }

    /// Adds a transition; returns false if it was merged with the newest one.
    mutating func add(_ next: WaitingTransition) -> Bool {
        if !keepsEveryStep, let last = weighedLast() {
            let isFull = entries.count >= Self.countLimit || heldBytes >= Self.byteLimit
            if isFull, last.weight?.isMergeable == true, !next.isWritten(by: observer) {
                var merged = last
                merged.transition = last.transition.merged(with: next)
                entries.replaceLast(with: merged)
                return false
            }
        }
        entries.append(Entry(transition: next))
        return true
    }

    private mutating func weighedLast() -> Entry? {
        guard var last = entries.last else { return nil }
        if last.weight == nil {
            let weight = Weight(
                bytes: last.transition.heldBytes,
                isMergeable: !last.transition.isWritten(by: observer))
            last.weight = weight
            heldBytes += weight.bytes
            entries.replaceLast(with: last)
        }
        return last
    }

    /// Removes and returns the oldest transition.
    mutating func popFirst() -> WaitingTransition? {
        guard let first = entries.popFirst() else { return nil }
        heldBytes -= first.weight?.bytes ?? 0
        return first.transition
    }

    /// Removes all transitions and returns them, so that the caller can release them when it holds no mutex.
    mutating func removeAll() -> some Sendable {
        defer {
            entries = Fifo()
            heldBytes = 0
        }
        return entries
    }
}
