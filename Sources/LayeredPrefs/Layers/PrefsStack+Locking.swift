import PrefsSystem
import PrefsDocuments

extension PrefsStack {
    /// The effective locks from files and from code. The locks of the lowest layer come first.
    public var locks: [PrefsLock] { snapshot.state.rules.locks.all.sorted { $0.height < $1.height } }

    /// Locks a key, and everything below it, at a layer. Then only this layer and lower layers can set the key.
    ///
    /// In the following example, `http.port` is locked at `system`:
    ///
    /// | layer    | `http`                          | result                        |
    /// |----------|---------------------------------|-------------------------------|
    /// | `user`   | `{"port": 1, "host": "b"}`      | `port` locked out             |
    /// | `system` | `{"port": 8080}`                | `http.port` effective         |
    /// | merged   | `{"port": 8080, "host": "b"}`   |                               |
    ///
    /// If neither this layer nor a lower layer sets the key, the key's own default is effective. The lock is
    /// committed before this method returns. It holds until ``unlock(_:at:)-(String,_)`` or the end of the
    /// process. If the environment names folders of the layer, the lock also holds against these folders; see
    /// ``PrefsFileLocations``.
    public func lock(_ key: String, at layer: PrefsLayer.Name) { lock([key], at: layer) }

    /// Locks several keys at a layer as one generation. See ``lock(_:at:)``.
    ///
    /// Every call composes all locks again, so locking many keys one by one takes quadratic time.
    public func lock(_ keys: some Sequence<String>, at layer: PrefsLayer.Name) {
        let locks = keys.map { CodeLock(path: PrefsPath($0), layer: layer) }
        engine.state.withLock { $0.composition.add(locks) }
        commit()
    }

    /// Removes a lock that was made in code. Locks from files stay.
    public func unlock(_ key: String, at layer: PrefsLayer.Name) { unlock([key], at: layer) }

    /// Removes several locks that were made in code, as one generation. Locks from files stay.
    public func unlock(_ keys: some Sequence<String>, at layer: PrefsLayer.Name) {
        let locks = keys.map { CodeLock(path: PrefsPath($0), layer: layer) }
        engine.state.withLock { $0.composition.remove(locks) }
        commit()
    }
}
