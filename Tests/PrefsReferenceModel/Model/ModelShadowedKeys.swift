extension ModelMachine {
    /// Returns the keys that changed in some layer while their effective value stayed the same. An audit gets
    /// them in addition to the events.
    ///
    /// A key has changed if some source's value at the key itself differs, or if a different layer locks it.
    /// If no key of a lock has a value, the lock is reported under its own name.
    ///
    /// For example, the vendor's file sets `http = {host: a}`, the administrator's `http = {port: 2}` and the
    /// user's `http = {port: 1}`. Deleting the administrator's file reports `http.port` and neither `http`
    /// nor `http.host`.
    func shadowedKeys(since before: ModelSnapshot) -> [String] {
        let rules = snapshot.changedLocks(since: before)
        var keys = Set(before.spelledPaths + snapshot.spelledPaths)
        let empty = rules.filter { rule in
            !keys.contains(where: rule.covers) && !rules.contains { $0.isAncestor(of: rule) }
        }
        keys.formUnion(empty)
        let changed = keys.filter { key in
            snapshot.differs(than: before, at: key)
                || snapshot.lock(covering: key)?.layer != before.lock(covering: key)?.layer
        }
        return changed.filter { snapshot.raw($0).value == before.raw($0).value }.map(\.description).sorted()
    }
}

extension ModelSnapshot {
    fileprivate func changedLocks(since old: ModelSnapshot) -> [ModelPath] {
        let (before, after) = (old.effectiveLocks, effectiveLocks)
        return before.symmetricDifference(after).map(\.path)
    }

    /// The locks that no other lock, at or above their path, makes redundant.
    private var effectiveLocks: Set<ModelLock> {
        Set(
            locks.filter { lock in
                !locks.contains { $0 != lock && $0.path.covers(lock.path) && $0.layer <= lock.layer }
            })
    }

    /// Every path that some source sets.
    fileprivate var spelledPaths: [ModelPath] { sources.flatMap(\.pathsSet) }

    fileprivate func differs(than old: ModelSnapshot, at path: ModelPath) -> Bool {
        old.statements(at: path) != statements(at: path)
    }

    /// Returns each source's value at a path itself, regardless of the keys below it. Text sources are left
    /// out: they never change while the program runs.
    private func statements(at path: ModelPath) -> [[String]: ModelValue] {
        var statements: [[String]: ModelValue] = [:]
        for source in sources where !source.isText {
            statements[[source.layerName, source.name]] = contents(of: source).statement(at: path)
        }
        return statements
    }
}

extension ModelContents {
    fileprivate func statement(at path: ModelPath) -> ModelValue? {
        switch view(path) {
        case .found(let value, _): return value.entries == nil || value == [:] ? value : nil
        case .blocked, .absent: return nil
        }
    }
}
