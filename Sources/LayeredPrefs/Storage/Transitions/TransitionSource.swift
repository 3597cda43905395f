import PrefsDocuments
import PrefsSystem

/// A storage that delivers every transition of its contents, so that observers need not read contents again
/// that may have changed in the meantime.
protocol TransitionSource: PrefsStorage {
    /// Calls `body` with every transition that may touch some keys, one at a time, in the order in which they
    /// were published, with no mutex held.
    ///
    /// - Returns: The registration, whose transitions wait until its queue begins; `nil` if this storage
    ///   cannot report changes.
    func observeTransitions(
        of keys: [any PersistentKeyProtocol], _ body: @escaping @Sendable (PrefsTransition) -> Void
    ) -> TransitionObservation?
}

/// A registration for transitions.
struct TransitionObservation {
    /// The contents from which the first transition starts.
    let start: PrefsSnapshot
    /// The transitions, which wait for ``ObserverQueue/begin()``.
    let queue: ObserverQueue
    let registration: PrefsObservation
}

/// An observer of transitions, with the queue of those it is notified of.
struct TransitionObserver: Sendable {
    let queue: ObserverQueue
    private let id = ObserverID()
    /// The paths observed; `nil` for everything.
    private let paths: [PrefsPath]?
    private let body: @Sendable (PrefsTransition) -> Void

    /// - Parameter delivery: The thread that delivers; `nil` for the thread that publishes the transition.
    init(
        _ paths: [PrefsPath]?, on delivery: DeliveryQueue?,
        _ body: @escaping @Sendable (PrefsTransition) -> Void
    ) {
        queue = ObserverQueue(on: delivery, isHeld: true)
        self.paths = paths
        self.body = body
    }

    /// Delivers a transition that touches the paths.
    func post(_ transition: PrefsTransition) {
        queue.post { [self] in call(transition) }
    }

    /// Adds a transition between two versions of a storage with a single source; it is compared, and then
    /// delivered if it touches the paths, when the queue is drained. May be called with a mutex held.
    func add(from old: PrefsSnapshot, to new: PrefsSnapshot) {
        queue.add { [self] in
            let cause = new.state.parts.first?.source.cause ?? .write
            let dirty = Array(PrefsTransition.dirtyPaths(from: old, to: new))
            let transition = PrefsTransition(old: old, new: new, cause: cause, dirty: dirty)
            if paths?.contains(where: transition.touches) ?? true { call(transition) }
        }
    }

    private func call(_ transition: PrefsTransition) {
        guard !transition.isEcho(for: id, at: paths) else { return }
        ObserverScope.call(id) { body(transition) }
    }
}

/// The observers of a storage with a single source.
final class TransitionObservers: Sendable {
    private struct State {
        var observers: [UInt64: TransitionObserver] = [:]
        var nextID: UInt64 = 0
    }

    private let state = Lock(State())

    var isEmpty: Bool { state.withLock { $0.observers.isEmpty } }

    func add(_ observer: TransitionObserver) -> UInt64 {
        state.withLock { state in
            state.nextID += 1
            state.observers[state.nextID] = observer
            return state.nextID
        }
    }

    func remove(_ id: UInt64) { state.withLockReleasing { $0.observers.removeValue(forKey: id) } }

    func add(from old: PrefsSnapshot, to new: PrefsSnapshot) {
        for observer in state.withLock({ Array($0.observers.values) }) { observer.add(from: old, to: new) }
    }
}
