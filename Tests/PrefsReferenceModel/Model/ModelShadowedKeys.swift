extension ModelMachine {
    /// Returns the keys that changed in some layer without a change of their effective value; an audit is
    /// notified of them in addition to the events.
    ///
    /// A key has changed if some source's value at the key itself differs, if a different layer locks it, or
    /// if a constraint over several keys that includes it began or ceased to reject values. A lock or
    /// constraint whose keys have no values is reported under its own name.
    ///
    /// For example, the vendor's file sets `http = {host: a}`, the administrator's `http = {port: 2}` and the
    /// user's `http = {port: 1}`. Deleting the administrator's file reports `http.port` and neither `http`
    /// nor `http.host`.
    func shadowedKeys(since old: (ModelSnapshot, ModelAnswers)) -> [String] {
        let before = old.0
        let rejected = changedConstraintRejections(since: old.1)
        let rules = snapshot.changedLocks(since: before) + rejected
        var keys = Set(before.spelledPaths + snapshot.spelledPaths)
        let empty = rules.filter { rule in
            !keys.contains(where: rule.covers) && !rules.contains { $0.isAncestor(of: rule) }
        }
        keys.formUnion(empty)
        let changed = keys.filter { key in
            rejected.contains(key) || snapshot.differs(than: before, at: key)
                || snapshot.lock(covering: key)?.layer != before.lock(covering: key)?.layer
        }
        return changed.filter { snapshot.raw($0).value == before.raw($0).value }.map(\.description).sorted()
    }

    /// Returns the keys of every constraint that rejects values of other sources than before.
    private func changedConstraintRejections(since old: ModelAnswers) -> [ModelPath] {
        world.groups.filter { $0.rejectedSources(in: old) != $0.rejectedSources(in: answers) }
            .flatMap { $0.keys.map { ModelPath($0) } }
    }
}

extension ModelGroup {
    fileprivate func rejectedSources(in answers: ModelAnswers) -> Set<[String]> {
        let candidates = keys.flatMap { answers.typed[$0]?.candidates ?? [] }
        let rejected = candidates.filter { $0.fate == .rejected(.group(name)) }
        return Set(rejected.map { [$0.origin.layer, $0.origin.source] })
    }
}

extension ModelSnapshot {
    fileprivate func changedLocks(since old: ModelSnapshot) -> [ModelPath] {
        let (before, after) = (old.effectiveLocks, effectiveLocks)
        return before.symmetricDifference(after).map(\.path)
    }

    /// The locks without those that another one, at or above their path, makes redundant.
    private var effectiveLocks: Set<ModelLock> {
        Set(
            locks.filter { lock in
                !locks.contains { $0 != lock && $0.path.covers(lock.path) && $0.layer <= lock.layer }
            })
    }

    /// Every path to which some source gives a value.
    fileprivate var spelledPaths: [ModelPath] { sources.flatMap(\.pathsSet) }

    fileprivate func differs(than old: ModelSnapshot, at path: ModelPath) -> Bool {
        old.statements(at: path) != statements(at: path)
    }

    /// Returns the value that every source except text has at a path itself, regardless of the keys below it. Text never
    /// changes while the program runs.
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
