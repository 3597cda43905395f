import PrefsSystem
import PrefsDocuments

extension PrefsStack {
    /// The effective locks from files and from code, those of the lowest layer first.
    public var locks: [PrefsLock] { snapshot.state.rules.locks.all.sorted { $0.height < $1.height } }

    /// Locks a key, and everything below it, at a layer: only that layer and lower ones can set it.
    ///
    /// With `http.port` locked at `system`:
    ///
    /// | layer    | `http`                          | result                        |
    /// |----------|---------------------------------|-------------------------------|
    /// | `user`   | `{"port": 1, "host": "b"}`      | `port` locked out             |
    /// | `system` | `{"port": 8080}`                | `http.port` effective         |
    /// | merged   | `{"port": 8080, "host": "b"}`   |                               |
    ///
    /// If neither the locking layer nor one below it sets the key, its own default is effective. The lock is
    /// committed before this method returns, and holds until ``unlock(_:at:)-(String,_)`` or the end of the
    /// process. It also holds against the folders of the layer that the environment names; see
    /// ``PrefsFileLocations``.
    public func lock(_ key: String, at layer: PrefsLayer.Name) { lock([key], at: layer) }

    /// Locks several keys at a layer as one generation; see ``lock(_:at:)``.
    ///
    /// Every call composes all locks again, so locking many keys one by one takes quadratic time.
    public func lock(_ keys: some Sequence<String>, at layer: PrefsLayer.Name) {
        let locks = keys.map { CodeLock(path: PrefsPath($0), layer: layer) }
        committing.withLock { $0.composition.add(locks) }
        commit()
    }

    /// Removes a lock made in code; locks from files are unaffected.
    public func unlock(_ key: String, at layer: PrefsLayer.Name) { unlock([key], at: layer) }

    /// Removes several locks made in code as one generation; locks from files are unaffected.
    public func unlock(_ keys: some Sequence<String>, at layer: PrefsLayer.Name) {
        let locks = keys.map { CodeLock(path: PrefsPath($0), layer: layer) }
        committing.withLock { $0.composition.remove(locks) }
        commit()
    }
}
