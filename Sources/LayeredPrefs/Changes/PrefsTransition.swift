/// From one generation to the next, for observers to work out what it means to them.
struct PrefsTransition: Sendable {
    let old: PrefsSnapshot
    let new: PrefsSnapshot
    let cause: PrefsChangeCause
    /// The highest paths at which any candidate or lock differs.
    let dirty: [PrefsPath]
    /// What is declared of the keys.
    var facts = DeclaredFacts()
}

extension PrefsTransition {
    /// The paths at which any layer's candidates, or any lock, differ between two snapshots.
    ///
    /// Sources are paired by layer and file; one that is new or gone differs wherever it has anything.
    static func dirtyPaths(from old: PrefsSnapshot, to new: PrefsSnapshot) -> Set<PrefsPath> {
        var dirty = Set(changedRules(from: old, to: new))
        forEachDifference(from: old, to: new) { path, _, _ in dirty.insert(path) }
        return dirty
    }

    /// Visits the highest paths at which any layer's candidates differ, with the sources they differ in.
    static func forEachDifference(
        from old: PrefsSnapshot, to new: PrefsSnapshot,
        _ body: (_ path: PrefsPath, _ before: PrefsSource, _ after: PrefsSource) -> Void
    ) {
        if old.state.parts.elementsEqual(new.state.parts, by: { SourceName($0) == SourceName($1) }) {
            for (part, next) in zip(old.state.parts, new.state.parts) {
                PrefsSource.forEachDifference(part.source, next.source) { body($0, part.source, next.source) }
            }
            return
        }
        var before: [SourceName: PrefsSource] = [:]
        for part in old.state.parts { before[SourceName(part)] = part.source }
        for part in new.state.parts {
            let previous = before.removeValue(forKey: SourceName(part)) ?? .empty
            PrefsSource.forEachDifference(previous, part.source) { body($0, previous, part.source) }
        }
        for gone in before.values {
            PrefsSource.forEachDifference(gone, .empty) { body($0, gone, .empty) }
        }
    }

    /// The paths at which a lock, what rules over several keys refuse, or a contested variable, differs.
    static func changedRules(from old: PrefsSnapshot, to new: PrefsSnapshot) -> [PrefsPath] {
        let contestants = new.state.claims.contestants.subtracting(old.state.claims.contestants)
        let rules = changedLocks(from: old.state.locks, to: new.state.locks) + contestants.map(PrefsPath.init)
        guard old.state.refusals != new.state.refusals else { return rules }
        return rules + (old.state.refusals + new.state.refusals).flatMap(\.paths)
    }

    /// A lock that moved to another line still locks the same.
    private static func changedLocks(from old: [PrefsLock], to new: [PrefsLock]) -> [PrefsPath] {
        if old == new { return [] }
        func essence(_ locks: [PrefsLock]) -> Set<LockEssence> {
            Set(locks.map { LockEssence(path: $0.path, height: $0.height) })
        }
        return essence(old).symmetricDifference(essence(new)).map(\.path)
    }

    private struct LockEssence: Hashable {
        let path: PrefsPath
        let height: Int
    }

    private struct SourceName: Hashable {
        let height: Int
        let file: String?

        init(_ part: PrefsSnapshot.Part) {
            height = part.height
            file = part.source.file
        }
    }

    /// Whether anything changed at, above or beneath a path.
    func touches(_ path: PrefsPath) -> Bool {
        dirty.contains { $0.contains(path) || path.contains($0) }
    }
}

extension PrefsTransition {
    /// The change of each key whose effective value differs, and the keys that changed without effect.
    ///
    /// A dictionary that differs is told by what differs beneath it, unless nothing beneath it can be read.
    var changeSet: PrefsChangeSet {
        let leaves = changedLeaves
        var changes: [PrefsChange<PrefsValue?>] = []
        var shadowed: [String] = []
        var told: Set<PrefsPath> = []
        for path in Self.withDictionaries(of: leaves) {
            guard let change = change(ofKey: path.name) else {
                if leaves.contains(path.name) { shadowed.append(path.name) }
                continue
            }
            let isDictionary = [change.old.value, change.new.value].allSatisfy {
                $0?.kind ?? .dictionary == .dictionary
            }
            if !isDictionary || !told.contains(path) { changes.append(change) }
            told.formUnion(path.ancestors)
        }
        return PrefsChangeSet(
            generation: new.generation, cause: cause, changes: changes.sorted { $0.key < $1.key },
            shadowed: shadowed.sorted())
    }

    /// The paths of some keys and of everything above them, the deepest first.
    private static func withDictionaries(of keys: Set<String>) -> [PrefsPath] {
        let paths = keys.map { PrefsPath($0) }
        return Set(paths + paths.flatMap(\.ancestors)).sorted { $0.components.count > $1.components.count }
    }

    /// The change of a key's untyped value, if it is one.
    func change(ofKey key: String) -> PrefsChange<PrefsValue?>? {
        var (before, after) = (old.resolution(forKey: key), new.resolution(forKey: key))
        guard before.value != after.value else { return nil }
        let path = PrefsPath(key)
        before.isSecret = facts.isSecret(path)
        after.isSecret = before.isSecret
        return PrefsChange(
            key: key, old: before, new: after, cause: cause, needsRestart: facts.needsRestart(path))
    }

    /// The dirty paths, each replaced by the keys that any layer has, or had, beneath it.
    private var changedLeaves: Set<String> {
        var leaves: Set<String> = []
        for path in dirty {
            let beneath = old.leaves(beneath: path) + new.leaves(beneath: path)
            leaves.formUnion(beneath.isEmpty ? [path.name] : beneath.map(\.name))
        }
        return leaves
    }
}

extension PrefsSnapshot {
    /// The keys at or beneath a path for which any layer has anything, shown by a dictionary or not.
    fileprivate func leaves(beneath path: PrefsPath) -> [PrefsPath] {
        state.parts.flatMap { part in
            guard case .variables(let variables) = part.source.form else {
                return part.source.leaves(beneath: path)
            }
            return state.claims.keys(setBy: variables).map { PrefsPath($0) }.filter(path.contains)
        }
    }
}
