extension PrefsStorage {
    /// Calls `body` with every change of a key's effective value, until the observation is cancelled or
    /// released.
    ///
    /// Calls are made one at a time, in order, with no mutex held: `body` may read, write (this key, too; a
    /// change of its value is delivered in a later call), observe and cancel. It is not called for changes
    /// that leave the effective value the same. For an observer of `http.port` in a stack:
    ///
    /// | layer    | before | edit    | notification                   |
    /// |----------|--------|---------|--------------------------------|
    /// | `user`   | 2      | 2       | none: equal content            |
    /// | `system` | 1      | 3       | none: shadowed by the user's 2 |
    /// | `user`   | 2      | removed | 2 → 3                          |
    ///
    /// Each change's old value is the previous one's new value. An observer that writes the key that it observes
    /// writes only if the value is not yet the one it wants; otherwise it would be called for ever.
    ///
    /// A ``LayeredPrefsStorage`` delivers one generation after another, on a thread of the package. A storage of this
    /// library that holds one file or dictionary delivers one step after another, on the thread that makes it
    /// or on one that is still delivering an earlier step. If `body` is so slow that many changes wait, the
    /// newest of them absorbs those that follow; a stream with an unbounded buffer gets every value. Any other
    /// storage is read again when it reports a change, so changes that follow each other faster than `body`
    /// returns are one.
    ///
    /// - Returns: The observation, which keeps the registration alive. For a storage that cannot report
    ///   changes it holds no registration, and `body` is never called.
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
