import PrefsSystem
import PrefsDocuments

extension LayeredPrefsStorage {
    /// The locks in force, from files and from code, the lowest layer's first.
    public var locks: [PrefsLock] { snapshot.state.locks.sorted { $0.height < $1.height } }

    /// Locks a key, and everything beneath it, at a layer: its value comes from that layer or from beneath.
    ///
    /// In force, and committed as a generation of its own, before this returns. It ends with
    /// ``unlock(_:at:)`` or with the process.
    public func lock(_ key: String, at layer: PrefsLayer.Name) {
        let lock = CodeLock(path: PrefsPath(key), layer: layer)
        committing.withLock { state in
            if !state.locks.contains(lock) { state.locks.append(lock) }
        }
        commit()
    }

    /// Ends a lock that was made in code; one from a file stays.
    public func unlock(_ key: String, at layer: PrefsLayer.Name) {
        let lock = CodeLock(path: PrefsPath(key), layer: layer)
        committing.withLock { $0.locks.removeAll { $0 == lock } }
        commit()
    }
}
