import PrefsDocuments

/// The step from one generation to the next, from which each observer derives its own changes.
struct PrefsTransition: Sendable {
    let old: PrefsSnapshot
    let new: PrefsSnapshot
    let cause: PrefsChangeCause
    /// The highest paths at which any candidate or lock differs.
    var dirty: PathList
    /// The paths of the keys whose changes take effect only after a restart.
    var restarts: Set<PrefsPath> = []
}

extension PrefsTransition {
    /// Returns the highest paths at which any layer's candidates, or the locks, differ between two snapshots.
    ///
    /// Sources are paired by layer and file. A source that was added or removed differs wherever it has a
    /// value. Effective values are not compared, so the result includes paths at which the difference is
    /// shadowed:
    ///
    /// | `user` before             | `user` after                           | dirty paths              |
    /// |---------------------------|----------------------------------------|--------------------------|
    /// | `{"a": 1}`                | `{"a": 1, "http": {"port": 2}}`        | `http`                   |
    /// | `{"http": {"port": 2}}`   | `{"http": {"port": 3, "host": "b"}}`   | `http.host`, `http.port` |
    ///
    /// A path at which several sources differ is listed for each of them.
    ///
    /// - Parameter sources: Those that changed between the snapshots.
    static func dirtyPaths(
        from old: PrefsSnapshot, to new: PrefsSnapshot, _ sources: [ChangedSource]
    ) -> PathList {
        var dirty = PathList(changedRules(from: old, to: new))
        for (before, after) in sources { dirty.append(contentsOf: PrefsSource.differences(before, after)) }
        return dirty
    }

    /// Returns the highest paths at which any layer's candidates, or the locks, differ between two snapshots.
    static func dirtyPaths(from old: PrefsSnapshot, to new: PrefsSnapshot) -> PathList {
        dirtyPaths(from: old, to: new, changedSources(from: old, to: new))
    }

    private typealias Name = PrefsSnapshot.Part.Name

    /// A source with a new version, and the previous one.
    typealias ChangedSource = (before: PrefsSource, after: PrefsSource)

    /// Returns the sources with a new version, each with the previous one. A source that was added or removed
    /// is paired with an empty one.
    static func changedSources(
        from old: PrefsSnapshot, to new: PrefsSnapshot
    ) -> [ChangedSource] {
        guard let groups = PrefsSnapshot.Parts.changedGroups(from: old.state.parts, to: new.state.parts)
        else { return changedSources(from: Array(old.state.parts), to: Array(new.state.parts)) }
        var sources: [ChangedSource] = []
        for (before, after) in groups {
            let changed = changedSources(from: before.parts, to: after.parts)
            // Usually only one group has changed.
            if sources.isEmpty { sources = changed } else { sources += changed }
        }
        return sources
    }

    private static func changedSources(
        from old: [PrefsSnapshot.Part], to new: [PrefsSnapshot.Part]
    ) -> [ChangedSource] {
        if old.elementsEqual(new, by: { $0.hasSameName(as: $1) }) {
            return zip(old, new).compactMap { part, next in
                part.source === next.source ? nil : (part.source, next.source)
            }
        }
        var before: [Name: PrefsSource] = [:]
        for part in old { before[Name(part)] = part.source }
        let pairs = new.map { part in
            (before.removeValue(forKey: Name(part)) ?? .empty, part.source)
        }
        return (pairs + before.values.map { ($0, .empty) }).filter { $0 !== $1 }
    }

    /// Returns the paths at which a lock differs, or which have lost their variable.
    static func changedRules(from old: PrefsSnapshot, to new: PrefsSnapshot) -> [PrefsPath] {
        new.state.rules.locks.differences(from: old.state.rules.locks) + lostVariables(from: old, to: new)
    }

    /// Returns the paths that have lost their variable.
    static func lostVariables(from old: PrefsSnapshot, to new: PrefsSnapshot) -> [PrefsPath] {
        new.state.rules.claims.losses(since: old.state.rules.claims)
    }

    /// Returns true if anything changed at, above or below a path.
    func touches(_ path: PrefsPath) -> Bool {
        dirty.contains { $0.contains(path) || path.contains($0) }
    }
}
