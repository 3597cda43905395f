import PrefsDocuments

/// The locks files that cannot be read. Each of them locks every key that the sources at its height set, in
/// their active or newest revisions.
struct UnreadableLocks: Sendable, Equatable {
    struct File: Sendable, Equatable {
        let place: PrefsLock.Place
        let height: Int
    }

    var files: [File] = []
    /// The names of the keys that have several: see ``KnownKeys/renamed``. The locks hold under all of them.
    var renamed: [[PrefsPath]] = []
}

extension PrefsSnapshot.State {
    /// Locks the keys that the active contents set, if a locks file cannot be read. The keys of the newest
    /// contents are already locked.
    mutating func lockActiveKeys() {
        for file in rules.unreadableLocks.files {
            let paths = parts.filter { $0.height == file.height }.flatMap { part in
                Array(part.source.original.tree.leaves)
                    + (part.source.mended == nil ? [] : Array(part.source.tree.leaves))
            }
            let new = Set(paths).filter { path in
                !rules.locks.locks(onOrAbove: path).contains { $0.path == path && $0.height == file.height }
            }
            if new.isEmpty { continue }
            let locks = LockTable(
                new.map { PrefsLock($0, origin: file.place.origin, height: file.height) })
            rules.locks = LockTable(
                rules.locks.all + locks.spread(over: rules.unreadableLocks.renamed).all)
        }
    }
}
