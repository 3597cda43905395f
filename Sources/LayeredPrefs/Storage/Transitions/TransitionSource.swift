import PrefsDocuments
import PrefsSystem

/// The source of every transition of a storage's contents. A transition contains the contents, so observers
/// need not read the storage again, which may have changed in the meantime.
protocol TransitionSource: AnyObject, Sendable {
    /// Calls `body` with every transition that may touch some keys: one at a time, in the order of their
    /// publication, and with no mutex held.
    ///
    /// - Parameter keepsEveryStep: False if transitions may be merged when the observer falls behind.
    /// - Returns: The registration. Its transitions wait until its queue begins.
    func observeTransitions(
        of keys: [ObservedKey], keepsEveryStep: Bool,
        _ body: @escaping @Sendable (PrefsTransition) -> Void
    ) -> TransitionObservation

    /// Notes that a key is observed; the default implementation does nothing.
    func noteObservation(of key: PersistentKey<some Sendable>)
}

extension TransitionSource {
    func noteObservation(of key: PersistentKey<some Sendable>) {}
}

/// A key that is observed, regardless of its type.
struct ObservedKey: Sendable {
    /// The paths where the key's value may be stored.
    let paths: [PrefsPath]
    /// Notes in a storage that the key is observed.
    let note: @Sendable (any TransitionSource) -> Void

    init(_ key: PersistentKey<some Sendable>) {
        paths = key.name.paths
        note = { $0.noteObservation(of: key) }
    }
}

/// A registration for transitions.
struct TransitionObservation {
    /// The contents before the first transition.
    let start: PrefsSnapshot
    /// The transitions. They wait for ``ObserverQueue/begin()``.
    let queue: ObserverQueue
    let registration: PrefsObservation
}

/// An observer of transitions, with the queue of the transitions that wait for it.
final class TransitionObserver: Sendable {
    let queue: ObserverQueue
    /// The observed paths; `nil` for everything.
    private let paths: [PrefsPath]?
    private let backlog: Lock<TransitionBacklog>
    private let body: @Sendable (PrefsTransition) -> Void

    /// - Parameters:
    ///   - loop: The loop whose threads deliver; `nil` for the thread that publishes the transition.
    ///   - keepsEveryStep: False if an observer that falls behind may be notified of several steps as one.
    init(
        _ paths: [PrefsPath]?, on loop: EventLoop?, keepsEveryStep: Bool,
        _ body: @escaping @Sendable (PrefsTransition) -> Void
    ) {
        queue = ObserverQueue(on: loop, isHeld: true)
        self.paths = paths
        self.body = body
        backlog = Lock(TransitionBacklog(keepsEveryStep: keepsEveryStep))
    }

    /// Delivers a transition.
    func post(_ transition: WaitingTransition) {
        if backlog.withLock({ $0.add(transition) }) { queue.post { [self] in deliverNext() } }
    }

    /// Adds a transition, which is delivered when the queue is drained. You may call it with a mutex held.
    func add(_ transition: WaitingTransition) {
        if backlog.withLock({ $0.add(transition) }) { queue.add { [self] in deliverNext() } }
    }

    /// Discards the waiting transitions. A transition that another thread has just taken may still be delivered.
    func close() {
        queue.close()
        backlog.withLockReleasing { $0.removeAll() }
    }

    private func deliverNext() {
        guard let waiting = backlog.withLock({ $0.popFirst() }) else { return }
        let transition = waiting.compared
        // The sender has already selected the observers that a compared transition touches.
        if !waiting.isCompared, !touches(transition) { return }
        body(transition)
    }

    private func touches(_ transition: PrefsTransition) -> Bool {
        paths?.contains(where: transition.touches) ?? !transition.dirty.isEmpty
    }
}
