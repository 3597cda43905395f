import PrefsDocuments
import PrefsSystem

extension PrefsStack {
    /// Calls `body` with the untyped changes of every commit, until the observation is cancelled or released.
    ///
    /// ``PrefsChangeSet/shadowed`` lists the keys that changed in a layer without an effect. Calls are made as
    /// described for ``PrefsStorage/observe(_:_:)``.
    public func observe(_ body: @escaping @Sendable (PrefsChangeSet) -> Void) -> PrefsObservation {
        observe(nil as [PrefsPath]?) { body($0.changeSet) }
    }

    /// Calls `body` with the untyped changes at or below a key, until the observation is cancelled or released.
    public func observe(
        under key: String, _ body: @escaping @Sendable (PrefsChangeSet) -> Void
    ) -> PrefsObservation {
        let path = PrefsPath(key)
        return observe([path]) { transition in
            let changes = transition.changeSet(under: path)
            if !changes.changes.isEmpty || !changes.shadowed.isEmpty { body(changes) }
        }
    }

    /// Calls `body` after every commit that touches a key. Returns `nil` if a layer does not report its changes.
    public func _registerObserver(
        under key: String, _ body: @escaping @Sendable () -> Void
    ) -> PrefsObservation? {
        guard changeSource != nil else { return nil }
        return observe([PrefsPath(key)]) { _ in body() }
    }

    /// Calls `body` with the transitions that touch some paths, or all transitions if `paths` is `nil`, in
    /// order on a thread of the loop.
    func observe(
        _ paths: [PrefsPath]?, _ body: @escaping @Sendable (PrefsTransition) -> Void
    ) -> PrefsObservation {
        let observation = follow(paths, keepsEveryStep: false, body)
        observation.queue.begin()
        return observation.registration
    }

    /// Registers `body`. The result contains the snapshot that the first transition starts from.
    func follow(
        _ paths: [PrefsPath]?, keepsEveryStep: Bool, _ body: @escaping @Sendable (PrefsTransition) -> Void
    ) -> TransitionObservation {
        let observer = TransitionObserver(paths, on: loop, keepsEveryStep: keepsEveryStep, body)
        // Under one mutex, so that no commit can come between the two.
        let (id, start) = engine.state.withLock { _ in
            let start = committedSnapshot
            return (engine.transitions.register(observer, at: paths, after: start.generation), start)
        }
        let registration = PrefsObservation { [transitions = engine.transitions] in
            observer.close()
            transitions.deregister(id, at: paths)
        }
        return TransitionObservation(start: start, queue: observer.queue, registration: registration)
    }
}

extension PrefsStack {
    /// Waits until everything that was committed before the call has been delivered.
    ///
    /// After the wait, observers have returned, the elements of sequences are buffered, and diagnostics are
    /// reported. The values for an actor's schema are on their way to the actor. The wait does not include the
    /// work that your program does with an element, or on an actor. If the task is cancelled, the wait ends at
    /// once.
    ///
    /// Do not block an observer until this method returns: the observer would wait for itself.
    public func settled() async {
        let (end, continuation) = AsyncStream<Never>.makeStream()
        post(Arrival(continuation))
        for await _ in end {}
    }

    private func post(_ arrival: Arrival) { postToAll { withExtendedLifetime(arrival) {} } }

    /// Posts an event behind everything that is under way: files that are being read, then commits, then each
    /// observer's events. It goes to every observer's queue, because a blocked observer does not delay the others.
    private func postToAll(_ event: @escaping @Sendable () -> Void) {
        let afterReading: @Sendable () -> Void = { [self] in
            engine.commitQueue.post { [self] in
                engine.transitions.postToAll(event)
                engine.reporter.queue.post(event)
            }
        }
        if let reloads = changes.reloads { reloads.whenNotified(afterReading) } else { afterReading() }
    }
}

/// Ends a stream once every event that holds this object has been delivered, or dropped by a cancelled observer.
private final class Arrival: Sendable {
    private let continuation: AsyncStream<Never>.Continuation

    init(_ continuation: AsyncStream<Never>.Continuation) { self.continuation = continuation }

    deinit { continuation.finish() }
}

extension PrefsStack: TransitionSource {
    public var _capabilities: _PrefsStorageCapabilities {
        _PrefsStorageCapabilities(storage: self, transitions: self)
    }

    func observeTransitions(
        of keys: [ObservedKey], keepsEveryStep: Bool,
        _ body: @escaping @Sendable (PrefsTransition) -> Void
    ) -> TransitionObservation {
        // If a layer does not announce its changes, only reads commit. So the observation commits first.
        if !isAnnounced { tryCommit() }
        for key in keys { key.note(self) }
        return follow(keys.flatMap(\.paths), keepsEveryStep: keepsEveryStep, body)
    }

    func noteObservation(of key: PersistentKey<some Sendable>) {
        declare(key)
        noteRead(of: key)
    }
}
