extension ModelMachine {
    /// The keys that changed "in any layer" without effect (DESIGN "Changes"): what an audit is told beside the
    /// events.
    ///
    /// A key changed where some source says something else at the key itself than it did, where another layer locks
    /// it, or where a rule over several keys came or went that speaks of it. What a lock or such a rule speaks of
    /// without there being any value is told by its own name.
    func shadowedKeys(since old: (ModelSnapshot, ModelAnswers)) -> [String] {
        let before = old.0
        let refused = changedRefusals(since: old.1)
        let rules = snapshot.changedLocks(since: before) + refused
        var keys = Set(before.spelledPaths + snapshot.spelledPaths)
        let empty = rules.filter { rule in
            !keys.contains(where: rule.covers) && !rules.contains { $0.isAncestor(of: rule) }
        }
        keys.formUnion(empty)
        let changed = keys.filter { key in
            refused.contains(key) || snapshot.saysOtherwise(than: before, at: key)
                || snapshot.lock(covering: key)?.layer != before.lock(covering: key)?.layer
        }
        return changed.filter { snapshot.raw($0).value == before.raw($0).value }.map(\.description).sorted()
    }

    /// The keys of every rule that refuses another source's values than it did.
    private func changedRefusals(since old: ModelAnswers) -> [ModelPath] {
        world.groups.filter { $0.refusedSources(in: old) != $0.refusedSources(in: answers) }
            .flatMap { $0.keys.map { ModelPath($0) } }
    }
}

extension ModelGroup {
    fileprivate func refusedSources(in answers: ModelAnswers) -> Set<[String]> {
        let candidates = keys.flatMap { answers.typed[$0]?.candidates ?? [] }
        let refused = candidates.filter { $0.fate == .rejected(.group(name)) }
        return Set(refused.map { [$0.origin.layer, $0.origin.source] })
    }
}

/// What one source says at a key itself, whatever it says beneath.
private struct ModelStatement {
    /// The key's value, or what bars the key and where; `nil` also for a dictionary that is told by its keys.
    var own: ModelValue?
    /// The value with all that lies beneath.
    var whole: ModelValue?
}

extension ModelSnapshot {
    fileprivate func changedLocks(since old: ModelSnapshot) -> [ModelPath] {
        let (before, after) = (old.effectiveLocks, effectiveLocks)
        return before.symmetricDifference(after).map(\.path)
    }

    /// The locks without those that another one at or above their path makes void.
    private var effectiveLocks: Set<ModelLock> {
        Set(
            locks.filter { lock in
                !locks.contains { $0 != lock && $0.path.covers(lock.path) && $0.layer <= lock.layer }
            })
    }

    /// Every path that some source spells: its literal keys, and the leaves of its other entries.
    fileprivate var spelledPaths: [ModelPath] {
        sources.flatMap { source in
            let nested = source.entries.filter { !$0.key.contains(".") }
            let tree = ModelSource(
                layer: 0, layerName: "", name: "", entries: nested, isText: source.isText)
            return source.literals + tree.pathsSet
        }
    }

    fileprivate func saysOtherwise(than old: ModelSnapshot, at path: ModelPath) -> Bool {
        let (before, after) = (old.statements(at: path), statements(at: path))
        return Set(before.keys).union(after.keys).contains { source in
            let (before, after) = (before[source], after[source])
            // Another spelling of the same is no change.
            if let whole = before?.whole, whole == after?.whole { return false }
            return before?.own != after?.own
        }
    }

    /// What every source of values says at a path; text is the same from start to end.
    private func statements(at path: ModelPath) -> [[String]: ModelStatement] {
        var statements: [[String]: ModelStatement] = [:]
        for source in sources where !source.isText {
            statements[[source.layerName, source.name]] = contents(of: source).statement(at: path)
        }
        return statements
    }
}

extension ModelContents {
    fileprivate func statement(at path: ModelPath) -> ModelStatement {
        var statement = ModelStatement()
        if case .found(let value, _) = view(path) { statement.whole = value }
        switch find(path) {
        case .found(let value, .literal): statement.own = value
        case .found(let value, .nested):
            if value.entries == nil || statement.whole == [:] { statement.own = value }
        case .blocked(let place):
            let form = ModelValue.dictionary(entries).at(place.components)?.form ?? ""
            if statement.whole == nil { statement.own = .string("barred by a \(form) at \(place)") }
        case .absent: break
        }
        return statement
    }
}
