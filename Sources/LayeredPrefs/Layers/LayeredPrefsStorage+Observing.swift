public import PrefsDocuments
import PrefsSystem

extension LayeredPrefsStorage {
    /// Calls `body` with every change of a key's value, by whatever layer, until the observation is
    /// cancelled or released.
    ///
    /// It is called on the delivery thread, one change after another in the order of the generations, under
    /// no lock: it may read, write, observe and cancel. A change that leaves the value what it was — a
    /// shadowed edit, an equal rewrite — is not told.
    public func observe<Key: PersistentKeyProtocol>(
        _ key: Key, _ body: @escaping @Sendable (PrefsChange<Key.Value>) -> Void
    ) -> PrefsObservation where Key.Value: Equatable {
        declare(key)
        return observe(key.name.paths) { transition in
            let old = transition.old.resolution(for: key)
            let new = transition.new.resolution(for: key)
            guard !key.isSame(old.value, new.value) else { return }
            body(
                PrefsChange(
                    key: key.id, old: old, new: new, cause: transition.cause,
                    needsRestart: key.traits.needsRestart))
        }
    }

    /// Calls `body` with the changes of every commit, untyped; those without effect are named in
    /// ``PrefsChangeSet/shadowed``.
    public func observeChanges(
        _ body: @escaping @Sendable (PrefsChangeSet) -> Void
    ) -> PrefsObservation {
        observe(nil as [PrefsPath]?) { body($0.changeSet) }
    }

    /// Calls `body` with the changes at or beneath a key, untyped.
    public func observeChanges(
        under key: String, _ body: @escaping @Sendable (PrefsChangeSet) -> Void
    ) -> PrefsObservation {
        let path = PrefsPath(key)
        return observe([path]) { transition in
            var changes = transition.changeSet
            changes.changes.removeAll { !path.contains(PrefsPath($0.key)) }
            changes.shadowed.removeAll { !path.contains(PrefsPath($0)) }
            if !changes.changes.isEmpty || !changes.shadowed.isEmpty { body(changes) }
        }
    }

    /// Calls `body` with every change of a key's untyped value, what lies beneath a dictionary included.
    public func observe(
        _ key: String, _ body: @escaping @Sendable (PrefsChange<PrefsValue?>) -> Void
    ) -> PrefsObservation {
        observe([PrefsPath(key)]) { transition in
            if let change = transition.change(ofKey: key) { body(change) }
        }
    }

    public func observe(key: String, _ body: @escaping @Sendable () -> Void) -> PrefsObservation? {
        guard changeSource != nil else { return nil }
        return observe([PrefsPath(key)]) { _ in body() }
    }

    /// Registers for the transitions that touch some paths, delivered in order on the delivery thread.
    func observe(
        _ paths: [PrefsPath]?, _ body: @escaping @Sendable (PrefsTransition) -> Void
    ) -> PrefsObservation {
        follow(paths, body).registration
    }

    /// The same, with the snapshot that the first transition begins with.
    private func follow(
        _ paths: [PrefsPath]?, _ body: @escaping @Sendable (PrefsTransition) -> Void
    ) -> TransitionObservation {
        let subscriber = PrefsSubscriber(paths: paths, body: body)
        // No commit can come between the two.
        let (id, start) = committing.withLock { ($0.observers.add(subscriber, at: paths), snapshotInForce) }
        let registration = PrefsObservation { [weak self] in
            subscriber.mailbox.close()
            self?.committing.withLock { $0.observers.remove(id, at: paths) }
        }
        return TransitionObservation(start: start, registration: registration)
    }

    /// Returns when whatever was read of the files before the call has been told of: reported, committed, and
    /// posted to the observers.
    package func readings() async {
        await withCheckedContinuation { continuation in burst.whenTold { continuation.resume() } }
    }

    /// Returns when every event posted before the call has been delivered.
    package func deliveries() async {
        // An observer that is stuck does not hold up the others, so each has to say that it is through.
        let mailboxes = committing.withLock { $0.observers.all }.map(\.mailbox)
        guard !mailboxes.isEmpty else { return }
        let left = Lock(mailboxes.count)
        await withCheckedContinuation { continuation in
            let isThrough: @Sendable () -> Void = {
                let isLast = left.withLock { left in
                    left -= 1
                    return left == 0
                }
                if isLast { continuation.resume() }
            }
            for mailbox in mailboxes where !mailbox.post(isThrough) { isThrough() }
        }
    }
}

extension LayeredPrefsStorage: TransitionSource {
    func observeTransitions(
        of keys: [any PersistentKeyProtocol], _ body: @escaping @Sendable (PrefsTransition) -> Void
    ) -> TransitionObservation? {
        guard changeSource != nil else { return nil }
        for key in keys { declare(key) }
        return follow(keys.flatMap(\.name.paths), body)
    }
}

/// An observer of transitions and the mailbox that keeps its events in order.
struct PrefsSubscriber: Sendable {
    let mailbox = Mailbox()
    private let id = ObserverID()
    private let paths: [PrefsPath]?
    private let body: @Sendable (PrefsTransition) -> Void

    init(paths: [PrefsPath]?, body: @escaping @Sendable (PrefsTransition) -> Void) {
        self.paths = paths
        self.body = body
    }

    func post(_ transition: PrefsTransition) {
        mailbox.post { [id, paths, body] in
            guard !transition.isEcho(for: id, at: paths) else { return }
            ObserverScope.call(id) { body(transition) }
        }
    }
}
