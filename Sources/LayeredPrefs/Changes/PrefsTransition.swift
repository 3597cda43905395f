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
        var dirty: Set<PrefsPath> = []
        var before: [SourceName: PrefsSource] = [:]
        for part in old.state.parts { before[SourceName(part)] = part.source }
        for part in new.state.parts {
            let previous = before.removeValue(forKey: SourceName(part)) ?? .empty
            PrefsSource.forEachDifference(previous, part.source) { dirty.insert($0) }
        }
        for gone in before.values {
            PrefsSource.forEachDifference(gone, .empty) { dirty.insert($0) }
        }
        dirty.formUnion(changedLocks(from: old.state.locks, to: new.state.locks))
        if old.state.refusals != new.state.refusals {
            dirty.formUnion((old.state.refusals + new.state.refusals).flatMap(\.paths))
        }
        return dirty
    }

    /// A lock that moved to another line still locks the same.
    private static func changedLocks(from old: [PrefsLock], to new: [PrefsLock]) -> [PrefsPath] {
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
    var changeSet: PrefsChangeSet {
        var changes: [PrefsChange<PrefsValue?>] = []
        var shadowed: [String] = []
        for key in changedLeaves.sorted() {
            if let change = change(ofKey: key) { changes.append(change) } else { shadowed.append(key) }
        }
        return PrefsChangeSet(generation: new.generation, cause: cause, changes: changes, shadowed: shadowed)
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

    /// The dirty paths, each one that is or was a dictionary replaced by the keys beneath it.
    private var changedLeaves: Set<String> {
        var leaves: Set<String> = []
        for path in dirty {
            var found = false
            for candidate in old.rawCandidates(at: path) + new.rawCandidates(at: path) {
                candidate.value.forEachLeaf(under: path.name) {
                    leaves.insert($0)
                    found = true
                }
            }
            if !found { leaves.insert(path.name) }
        }
        return leaves
    }
}

extension PrefsValue {
    /// Visits the names of what is no dictionary beneath a name; an empty dictionary is a leaf itself.
    fileprivate func forEachLeaf(under name: String, _ body: (String) -> Void) {
        guard case .dictionary(let content) = self, !content.isEmpty else { return body(name) }
        for (key, value) in content { value.forEachLeaf(under: "\(name).\(key)", body) }
    }
}
