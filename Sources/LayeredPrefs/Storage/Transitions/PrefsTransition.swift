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
        let keepsNothing = old.state.rules.kept.isEmpty && new.state.rules.kept.isEmpty
        var dirty = PathList(changedRules(from: old, to: new))
        for path in new.state.rules.kept.differences(from: old.state.rules.kept) {
            dirty.append(contentsOf: changesOfKept(from: old, to: new, at: path))
        }
        for (before, after) in sources {
            let differences = PrefsSource.differences(before, after)
            if keepsNothing {
                dirty.append(contentsOf: differences)
                continue
            }
            for path in differences {
                // The dictionaries above what is refused may not be in force either.
                let differing = ([path] + path.ancestors).first { !keepsValues(from: old, to: new, at: $0) }
                let changes = differing.map { [$0] } ?? changedHiddenLeaves(from: old, to: new, below: path)
                dirty.append(contentsOf: changes)
            }
        }
        return dirty
    }

    /// Returns the highest paths at or below a path at which what is in force differs, where what stays in force in place of
    /// something newer does.
    private static func changesOfKept(from old: PrefsSnapshot, to new: PrefsSnapshot, at path: PrefsPath)
        -> [PrefsPath]
    {
        keepsValues(from: old, to: new, at: path)
            ? changedHiddenLeaves(from: old, to: new, below: path) : [path]
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

    /// Returns the paths at which a lock or a constraint's rejection differs, or which have lost their variable.
    static func changedRules(from old: PrefsSnapshot, to new: PrefsSnapshot) -> [PrefsPath] {
        new.state.rules.locks.differences(from: old.state.rules.locks) + changedExclusions(from: old, to: new)
    }

    /// Returns the paths at which what stays in force in place of something newer begins or ends to differ from it.
    static func changedKeptValues(from old: PrefsSnapshot, to new: PrefsSnapshot) -> [PrefsPath] {
        new.state.rules.kept.differences(from: old.state.rules.kept).filter {
            !keepsValues(from: old, to: new, at: $0)
        }
    }

    /// Returns the paths at which a constraint's rejection differs, or which have lost their variable.
    static func changedExclusions(from old: PrefsSnapshot, to new: PrefsSnapshot) -> [PrefsPath] {
        new.state.rules.claims.losses(since: old.state.rules.claims)
            + changedConstraintRejections(from: old, to: new)
    }

    /// Returns true if values are kept at, above or below a path, so that no source has another value in force there
    /// although its newest version may.
    private static func keepsValues(from old: PrefsSnapshot, to new: PrefsSnapshot, at path: PrefsPath)
        -> Bool
    {
        touchesKept(old, new, at: path) && !differs(from: old, to: new, at: path) { !$0.isRejected }
    }

    /// Returns the paths, at or below another one, of what differs of that which literal keys have behind non-dictionaries.
    private static func changedHiddenLeaves(
        from old: PrefsSnapshot, to new: PrefsSnapshot, below path: PrefsPath
    ) -> [PrefsPath] {
        var leaves = PathList()
        for place in [old, new].flatMap(\.state.parts).flatMap({ $0.source.root.hidden(at: path) }) {
            place.content.addLeaves(at: place.path, to: &leaves)
        }
        return Set(leaves).filter { leaf in differs(from: old, to: new, at: leaf) { !$0.isRejected } }
    }

    /// Returns true if values are kept at, above or below a path.
    static func touchesKept(_ old: PrefsSnapshot, _ new: PrefsSnapshot, at path: PrefsPath) -> Bool {
        old.state.rules.kept.touches(path) || new.state.rules.kept.touches(path)
    }

    /// Returns true if a source has another value in force at a path, among those that fulfil a condition.
    static func differs(
        from old: PrefsSnapshot, to new: PrefsSnapshot, at path: PrefsPath,
        where isIncluded: (LocatedValue) -> Bool
    ) -> Bool {
        let key = PrefsKeyName(path.name)
        func values(_ snapshot: PrefsSnapshot) -> [Name: LocatedValue] {
            var values: [Name: LocatedValue] = [:]
            for (index, part) in snapshot.state.parts.enumerated() {
                let found = snapshot.value(for: key, at: path, in: index)
                if let found, isIncluded(found) { values[Name(part)] = found }
            }
            return values
        }
        let (before, after) = (values(old), values(new))
        return !Set(before.keys).union(after.keys).allSatisfy {
            LocatedValue.haveSameValue(before[$0], after[$0])
        }
    }

    /// Returns the paths at which the constraints' rejections differ.
    ///
    /// Rejections are compared by source rather than by the index of its part, because the index changes when
    /// another source is added or removed.
    private static func changedConstraintRejections(from old: PrefsSnapshot, to new: PrefsSnapshot)
        -> [PrefsPath]
    {
        let areNone = [old, new].allSatisfy { $0.state.rules.constraintRejections.isEmpty }
        if areNone { return [] }
        func fingerprint(_ state: PrefsSnapshot.State) -> Set<RejectionFingerprint> {
            Set(
                state.rules.constraintRejections.flatMap { rejection in
                    rejection.reasons.map { index, reason in
                        RejectionFingerprint(
                            paths: rejection.paths, source: Name(state.parts[index]), reason: reason)
                    }
                })
        }
        return fingerprint(old.state).symmetricDifference(fingerprint(new.state)).flatMap(\.paths)
    }

    private struct RejectionFingerprint: Hashable {
        let paths: [PrefsPath]
        let source: Name
        let reason: String
    }

    /// Returns true if anything changed at, above or below a path.
    func touches(_ path: PrefsPath) -> Bool {
        dirty.contains { $0.contains(path) || path.contains($0) }
    }
}
