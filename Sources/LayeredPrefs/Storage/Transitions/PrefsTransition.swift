import PrefsDocuments

/// The step from one generation to the next. Each observer derives its own changes from it.
struct PrefsTransition: Sendable {
    let old: PrefsSnapshot
    let new: PrefsSnapshot
    let cause: PrefsChangeCause
    /// The highest paths where any candidate or lock differs.
    var dirty: PathList
    /// The paths of the keys whose changes need a restart to take effect.
    var restarts: Set<PrefsPath> = []
}

extension PrefsTransition {
    /// Returns the highest paths where any layer's candidates, or the locks, differ between two snapshots.
    ///
    /// Sources are paired by layer and file. A source that was added or removed differs wherever it has a
    /// value. Effective values are not compared, so the result includes paths whose difference is shadowed:
    ///
    /// | `user` before             | `user` after                           | dirty paths              |
    /// |---------------------------|----------------------------------------|--------------------------|
    /// | `{"a": 1}`                | `{"a": 1, "http": {"port": 2}}`        | `http`                   |
    /// | `{"http": {"port": 2}}`   | `{"http": {"port": 3, "host": "b"}}`   | `http.host`, `http.port` |
    ///
    /// If several sources differ at a path, the path is listed for each of them.
    ///
    /// - Parameter sources: The sources that changed between the snapshots.
    static func dirtyPaths(
        from old: PrefsSnapshot, to new: PrefsSnapshot, _ sources: [ChangedSource]
    ) -> PathList {
        var dirty = PathList(changedRules(from: old, to: new))
        for (before, after) in sources { dirty.append(contentsOf: PrefsSource.differences(before, after)) }
        return dirty
    }

    /// Returns the highest paths where any layer's candidates, or the locks, differ between two snapshots.
    static func dirtyPaths(from old: PrefsSnapshot, to new: PrefsSnapshot) -> PathList {
        dirtyPaths(from: old, to: new, changedSources(from: old, to: new))
    }

    private typealias Name = PrefsSnapshot.Part.Name

    /// The previous and the new revision of a source.
    typealias ChangedSource = (before: PrefsSource, after: PrefsSource)

    /// Returns the previous and the new revision of each source that changed. For a source that was added or
    /// removed, the missing revision is an empty source.
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

    /// Returns the paths where a lock differs, and the paths that have lost their variable.
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
