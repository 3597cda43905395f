extension PrefsStorage {
    /// Calls `body` with every change of a key's effective value, until the observation is cancelled or
    /// released.
    ///
    /// Calls are made one at a time, in order, and with no mutex held. So `body` may read, write, observe and
    /// cancel. If it writes this key, the change of the value is delivered in a later call. `body` is not
    /// called for changes that leave the effective value the same. For example, an observer of `http.port` in
    /// a stack is notified as follows:
    ///
    /// | layer    | before | edit    | notification                   |
    /// |----------|--------|---------|--------------------------------|
    /// | `user`   | 2      | 2       | none: equal content            |
    /// | `system` | 1      | 3       | none: shadowed by the user's 2 |
    /// | `user`   | 2      | removed | 2 → 3                          |
    ///
    /// The old value of each change is the new value of the previous change. If an observer writes the key
    /// that it observes, it must do so only if the value is not yet the wanted one. Otherwise it would be
    /// called forever.
    ///
    /// The storage decides how changes are delivered:
    ///
    /// - A ``PrefsStack`` delivers one generation after another, on a thread of the package.
    /// - A storage of this library that holds one file or dictionary delivers one step after another, on the
    ///   thread that makes the step or on a thread that is still delivering an earlier one.
    /// - Any other storage is read again when it reports a change. So changes that follow each other faster
    ///   than `body` returns are delivered as one.
    ///
    /// If `body` is so slow that many changes of the first two storages wait, the newest of them absorbs the
    /// changes that follow. A stream with an unbounded buffer receives every value.
    ///
    /// - Returns: The observation, which keeps the registration alive. If the storage cannot report changes,
    ///   the observation holds no registration, and `body` is never called. A stack with a layer that cannot
    ///   report changes finds them when the stack is read or written, and `body` is called then.
    public func observe<Value>(
        _ key: PersistentKey<Value>, _ body: @escaping @Sendable (PrefsChange<Value>) -> Void
    ) -> PrefsObservation {
        let follower = KeyFollower<PrefsResolution<Value>>(
            keys: [ObservedKey(key)],
            read: { $0.resolution(of: key) },
            readSnapshot: { $0.resolution(for: key) },
            isSame: { key.isSame($0.value, $1.value) })
        let (id, needsRestart) = (key.id, key.traits.needsRestart)
        return follower.follow(self) { old, new, cause in
            body(PrefsChange(key: id, old: old, new: new, cause: cause, needsRestart: needsRestart))
        }
    }

    /// Returns a key's resolution without taking a snapshot.
    fileprivate func resolution<Value>(of key: PersistentKey<Value>) -> PrefsResolution<Value> {
        let resolution = key.resolution(
            among: _candidates(for: key), lock: nil, generation: changeSource?.generation ?? 0)
        if !resolution.rejected.isEmpty { _noteRejection(of: key) }
        return resolution
    }
}
