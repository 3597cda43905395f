public import PrefsDocuments
import PrefsSystem

extension LayeredPrefsStorage {
    /// Calls `body` with every change of a key's effective value, in whatever layer, until the observation is
    /// cancelled or released.
    ///
    /// `body` is called on the delivery thread, with one change after another in the order of the
    /// generations, and while the library holds no mutex: it may read, write, observe and cancel. It is not
    /// called for changes that leave the effective value the same. For an observer of `http.port`:
    ///
    /// | layer  | before | edit     | notification                 |
    /// |--------|--------|----------|------------------------------|
    /// | `user` | 2      | 2        | none: equal content          |
    /// | `system` | 1    | 3        | none: shadowed by the user's 2 |
    /// | `user` | 2      | removed  | 2 → 3                        |
    public func observe<Key: PersistentKeyProtocol>(
        _ key: Key, _ body: @escaping @Sendable (PrefsChange<Key.Value>) -> Void
    ) -> PrefsObservation where Key.Value: Equatable {
        declare(key)
        return observe(key.name.paths) { transition in
            let old = transition.old.resolution(for: key)
            let new = transition.new.resolution(for: key)
            guard !key.isSame(old.value, new.value) || Mutant.isActive(.unchangedValueNotified) else {
                return
            }
            body(
                PrefsChange(
                    key: key.id, old: old, new: new, cause: transition.cause,
                    needsRestart: key.traits.needsRestart))
        }
    }

    /// Calls `body` with the untyped changes of every commit.
    ///
    /// Keys that changed without an effect are listed in ``PrefsChangeSet/shadowed``.
    public func observeChanges(
        _ body: @escaping @Sendable (PrefsChangeSet) -> Void
    ) -> PrefsObservation {
        observe(nil as [PrefsPath]?) { body($0.changeSet) }
    }

    /// Calls `body` with the untyped changes of every commit at or below a key.
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

    /// Calls `body` with every change of a key's untyped value, including any change below a dictionary.
    public func observe(
        _ key: String, _ body: @escaping @Sendable (PrefsChange<PrefsValue?>) -> Void
    ) -> PrefsObservation {
        observe([PrefsPath(key)]) { transition in
            if let change = transition.change(ofKey: key) { body(change) }
        }
    }

    /// Calls `body` after every commit that touches a key; `nil` if a layer does not notify of its changes.
    public func observe(key: String, _ body: @escaping @Sendable () -> Void) -> PrefsObservation? {
        guard changeSource != nil else { return nil }
        return observe([PrefsPath(key)]) { _ in body() }
    }

    /// Calls `body` with the transitions that touch some paths, or all transitions if `paths` is `nil`, in
    /// order on the delivery thread.
    func observe(
        _ paths: [PrefsPath]?, _ body: @escaping @Sendable (PrefsTransition) -> Void
    ) -> PrefsObservation {
        follow(paths, body).registration
    }

    /// Registers `body` and returns the snapshot from which the first transition starts.
    private func follow(
        _ paths: [PrefsPath]?, _ body: @escaping @Sendable (PrefsTransition) -> Void
    ) -> TransitionObservation {
        let subscriber = PrefsSubscriber(paths: paths, body: body)
        // Under one mutex, so that no commit can come between the two.
        let (id, start) = committing.withLock { ($0.observers.add(subscriber, at: paths), committedSnapshot) }
        let registration = PrefsObservation { [weak self] in
            subscriber.mailbox.close()
            self?.committing.withLock { $0.observers.remove(id, at: paths) }
        }
        return TransitionObservation(start: start, registration: registration)
    }

    /// Waits until all file contents read before the call are reported, committed and posted to observers.
    package func readings() async {
        await withCheckedContinuation { continuation in burst.whenNotified { continuation.resume() } }
    }

    /// Waits until every event posted before the call has been delivered.
    package func deliveries() async {
        // A blocked observer does not delay the others, so wait for each mailbox separately.
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
