package import PrefsDocuments
import PrefsSystem

extension LayeredPrefsStorage {
    /// Calls `body` with the untyped changes of every commit, until the observation is cancelled or released.
    ///
    /// Keys that changed without an effect are listed in ``PrefsChangeSet/shadowed``. Calls are made as for
    /// ``PrefsStorage/observe(_:_:)``.
    public func observe(_ body: @escaping @Sendable (PrefsChangeSet) -> Void) -> PrefsObservation {
        observe(nil as [PrefsPath]?) { body($0.changeSet) }
    }

    /// Calls `body` with the untyped changes of every commit at or below a key, until the observation is
    /// cancelled or released.
    public func observe(
        under key: String, _ body: @escaping @Sendable (PrefsChangeSet) -> Void
    ) -> PrefsObservation {
        let path = PrefsPath(key)
        return observe([path]) { transition in
            let changes = transition.changeSet(under: path)
            if !changes.changes.isEmpty || !changes.shadowed.isEmpty { body(changes) }
        }
    }

    /// Calls `body` with every change of a key's untyped value, of which dictionaries are merged over all
    /// layers, so that it includes any change below the key.
    package func observeValue(
        forKey key: String, _ body: @escaping @Sendable (PrefsChange<PrefsValue?>) -> Void
    ) -> PrefsObservation {
        observe([PrefsPath(key)]) { transition in
            if let change = transition.change(ofKey: key) { body(change) }
        }
    }

    /// Calls `body` after every commit that touches a key; `nil` if a layer does not notify of its changes.
    public func _registerObserver(
        under key: String, _ body: @escaping @Sendable () -> Void
    ) -> PrefsObservation? {
        guard changeSource != nil else { return nil }
        return observe([PrefsPath(key)]) { _ in body() }
    }

    /// Calls `body` with the transitions that touch some paths, or all transitions if `paths` is `nil`, in
    /// order on the delivery thread.
    func observe(
        _ paths: [PrefsPath]?, _ body: @escaping @Sendable (PrefsTransition) -> Void
    ) -> PrefsObservation {
        let observation = follow(paths, keepsEveryStep: false, body)
        observation.queue.begin()
        return observation.registration
    }

    /// Registers `body` and returns the snapshot from which the first transition starts.
    private func follow(
        _ paths: [PrefsPath]?, keepsEveryStep: Bool, _ body: @escaping @Sendable (PrefsTransition) -> Void
    ) -> TransitionObservation {
        let observer = TransitionObserver(paths, on: delivery, keepsEveryStep: keepsEveryStep, body)
        // Under one mutex, so that no commit can come between the two.
        let (id, start) = committing.withLock { _ in
            let start = committedSnapshot
            return (transitions.register(observer, at: paths, after: start.generation), start)
        }
        let registration = PrefsObservation { [transitions] in
            observer.close()
            transitions.deregister(id, at: paths)
        }
        return TransitionObservation(start: start, queue: observer.queue, registration: registration)
    }

    /// Waits until all file contents read before the call are reported, committed and posted to observers.
    package func readings() async {
        guard let reloads = changes.reloads else { return }
        await withCheckedContinuation { continuation in reloads.whenNotified { continuation.resume() } }
    }

    /// Waits until every event posted before the call has been delivered, and every diagnostic reported.
    package func deliveries() async {
        // A blocked observer does not delay the others, so wait for each one's queue separately.
        await withCheckedContinuation { continuation in
            let arrival = Arrival(continuation)
            transitions.postToAll { withExtendedLifetime(arrival) {} }
            reports.post { withExtendedLifetime(arrival) {} }
        }
    }

    /// Resumes its waiter once every event that holds it has been delivered, or dropped by a cancelled
    /// observer.
    private final class Arrival: Sendable {
        private let continuation: CheckedContinuation<Void, Never>

        init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }

        deinit { continuation.resume() }
    }
}

extension LayeredPrefsStorage: TransitionSource {
    public var _capabilities: _PrefsStorageCapabilities {
        _PrefsStorageCapabilities(self, transitions: self)
    }

    func observeTransitions(
        of keys: [any PersistentKeyProtocol], keepsEveryStep: Bool,
        _ body: @escaping @Sendable (PrefsTransition) -> Void
    ) -> TransitionObservation? {
        // Without notifications from a layer, commits are made only by reads, and this one has to be.
        if !isAnnounced { commit() }
        for key in keys {
            declare(key)
            noteRead(of: key)
        }
        return follow(keys.flatMap(\.name.paths), keepsEveryStep: keepsEveryStep, body)
    }
}
