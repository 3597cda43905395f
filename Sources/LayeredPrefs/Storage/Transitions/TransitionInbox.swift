import PrefsDocuments
import PrefsSystem

/// A queue of one source's transitions for one observer: transitions are added as they are published, and
/// delivered in order by the threads that notify of changes.
final class TransitionInbox: Sendable {
    private struct State {
        var isDraining = false
        var waiting: [(old: PrefsSnapshot, new: PrefsSnapshot)] = []
    }

    private let state = Lock(State())
    private let paths: [PrefsPath]
    private let body: @Sendable (PrefsTransition) -> Void

    init(_ paths: [PrefsPath], _ body: @escaping @Sendable (PrefsTransition) -> Void) {
        self.paths = paths
        self.body = body
    }

    /// Adds a transition; may be called with a mutex held.
    func add(from old: PrefsSnapshot, to new: PrefsSnapshot) {
        state.withLock { $0.waiting.append((old, new)) }
    }

    /// Drains the queue, unless another thread, or this thread further up its stack, is already doing so;
    /// that one then delivers the waiting transitions, too.
    func drain() {
        let isFree = state.withLock { state in
            defer { state.isDraining = true }
            return !state.isDraining
        }
        guard isFree else { return }
        while let (old, new) = next() {
            let cause = new.state.parts.first?.source.cause ?? .write
            let dirty = Array(PrefsTransition.dirtyPaths(from: old, to: new))
            let transition = PrefsTransition(old: old, new: new, cause: cause, dirty: dirty)
            if paths.contains(where: transition.touches) { body(transition) }
        }
    }

    private func next() -> (old: PrefsSnapshot, new: PrefsSnapshot)? {
        state.withLock { state in
            state.isDraining = !state.waiting.isEmpty
            return state.isDraining ? state.waiting.removeFirst() : nil
        }
    }
}

/// The inboxes to which a source's transitions are added.
final class TransitionInboxes: Sendable {
    private struct State {
        var inboxes: [UInt64: TransitionInbox] = [:]
        var nextID: UInt64 = 0
    }

    private let state = Lock(State())

    var isEmpty: Bool { state.withLock { $0.inboxes.isEmpty } }

    func add(_ inbox: TransitionInbox) -> UInt64 {
        state.withLock { state in
            state.nextID += 1
            state.inboxes[state.nextID] = inbox
            return state.nextID
        }
    }

    func remove(_ id: UInt64) {
        let removed = state.withLock { $0.inboxes.removeValue(forKey: id) }
        _ = removed
    }

    func add(from old: PrefsSnapshot, to new: PrefsSnapshot) {
        for inbox in state.withLock({ Array($0.inboxes.values) }) { inbox.add(from: old, to: new) }
    }
}
