import PrefsDocuments

extension PrefsTransition {
    /// The changes of the keys whose effective value differs, and the keys that changed without an effect.
    var changeSet: PrefsChangeSet { changeSet(under: PrefsPath(components: [])) }

    /// Returns the changes at and below a path.
    ///
    /// If a dictionary differs, the change set has the keys that differ below it. If no readable key differs
    /// there, it has the dictionary itself:
    ///
    /// | `http` before      | `http` after                  | changes                            |
    /// |--------------------|-------------------------------|------------------------------------|
    /// | `{"port": 1}`      | `{"port": 2, "host": "a"}`    | `http.host`, `http.port`           |
    /// | none               | `{"port": 2}`                 | `http.port`                        |
    /// | none               | `{}`                          | `http`                             |
    /// | `{"port": 1}`      | 5                             | `http`, `http.port` (which is gone) |
    func changeSet(under place: PrefsPath) -> PrefsChangeSet {
        var walk = ChangeWalk(self, under: place)
        for leaf in changedLeaves(under: place) { walk.visit(leaf) }
        let (changed, shadowed) = walk.finish()
        return PrefsChangeSet(
            generation: new.generation, cause: cause,
            changes: PrefsChangeSet.Elements(of: changed) { change(at: PrefsPath($0)) }, shadowed: shadowed)
    }

    private func change(at path: PrefsPath) -> PrefsChange<PrefsValue?> {
        var (before, after) = (old.resolution(forKey: path.name), new.resolution(forKey: path.name))
        // A key declared since the last generation is secret in both.
        before.isSecret = before.isSecret || after.isSecret
        after.isSecret = before.isSecret
        return PrefsChange(
            key: path.name, old: before, new: after, cause: cause,
            needsRestart: restarts.contains { $0.contains(path) })
    }

    /// Returns the keys at or below the dirty paths that any layer has, or had. Each key occurs once and is
    /// directly followed by the keys below it.
    ///
    /// If a lock differs on a path without any key, the path itself is in the result, unless a lock above it
    /// differs, too. The same holds for a key that has lost its variable.
    private func changedLeaves(under place: PrefsPath) -> [String] {
        let rules = Set(Self.changedRules(from: old, to: new))
        var leaves: [String] = []
        func add(_ leaf: PrefsPath) { if place.contains(leaf) { leaves.append(leaf.name) } }
        for path in dirty where path.contains(place) || place.contains(path) {
            var isEmpty = true
            for snapshot in [old, new] {
                for leaf in snapshot.leaves(below: path) {
                    isEmpty = false
                    add(leaf)
                }
            }
            guard isEmpty, rules.contains(path) else { continue }
            if !path.ancestors.contains(where: rules.contains) { add(path) }
        }
        leaves.sort(by: Self.precedesInTree)
        return leaves.withoutRepetitions
    }

    /// Orders names so that the names below a path directly follow it: a dot precedes all other characters.
    private static func precedesInTree(_ lhs: String, _ rhs: String) -> Bool {
        func rank(_ byte: UInt8) -> UInt8 { byte == UInt8(ascii: ".") ? 0 : byte }
        let (mine, others) = (lhs.utf8Span.span, rhs.utf8Span.span)
        for index in 0..<min(mine.count, others.count) where mine[index] != others[index] {
            return rank(mine[index]) < rank(others[index])
        }
        return mine.count < others.count
    }
}

/// Finds the changes of a transition among the keys that may have changed, and the dictionaries above these keys.
///
/// The keys of a whole file may have changed, so only their names are kept.
private struct ChangeWalk {
    private let transition: PrefsTransition
    private let place: PrefsPath
    private let shadowing: ShadowedKeys
    /// The last key and the paths above it. Each of them is compared once everything below it has been compared.
    private var open: [Step] = []
    private var changed: [String] = []
    private var shadowed: [String] = []

    private struct Step {
        let path: PrefsPath
        /// True if a layer has, or had, a value at the path itself.
        var isLeaf: Bool
        /// True if a change below the path is readable.
        var hasChangesBelow = false
    }

    init(_ transition: PrefsTransition, under place: PrefsPath) {
        self.transition = transition
        self.place = place
        shadowing = ShadowedKeys(transition)
    }

    /// Visits a key. It is compared once the keys below it, which come next, have been visited.
    mutating func visit(_ leaf: String) {
        let path = PrefsPath(leaf)
        if !path.isNested, leaf.utf8.contains(UInt8(ascii: ".")) {
            // It has only its literal spelling, so it is not below the paths that its name begins with.
            _ = compare(Step(path: path, isLeaf: true))
            return
        }
        while let last = open.last, !last.path.contains(path) { close() }
        if let last = open.last, last.path == path {
            // The same name in other characters.
            open[open.count - 1].isLeaf = true
            return
        }
        for depth in open.count + 1..<path.components.count {
            open.append(Step(path: PrefsPath(components: Array(path.components[..<depth])), isLeaf: false))
        }
        open.append(Step(path: path, isLeaf: true))
    }

    /// Returns the keys that changed and the keys that changed without an effect, both sorted.
    mutating func finish() -> (changed: [String], shadowed: [String]) {
        while !open.isEmpty { close() }
        // Names in other characters can be equal.
        changed.sort()
        shadowed.sort()
        return (changed.withoutRepetitions, shadowed.withoutRepetitions)
    }

    private mutating func close() {
        let step = open.removeLast()
        let isChanged = compare(step)
        if isChanged || step.hasChangesBelow, !open.isEmpty { open[open.count - 1].hasChangesBelow = true }
    }

    private mutating func compare(_ step: Step) -> Bool {
        // The caller did not ask for anything above the place.
        guard place.contains(step.path) else { return false }
        // The keys below stand for the dictionary. It may be the whole file, so it is not decoded.
        if step.hasChangesBelow, !step.isLeaf, !mayHoldOwnValue(at: step.path) { return true }
        let before = transition.old.untypedValue(at: step.path)
        let after = transition.new.untypedValue(at: step.path)
        guard before != after else {
            if shadowing.include(step.path, isLeaf: step.isLeaf) { shadowed.append(step.path.name) }
            return false
        }
        let areDictionaries = [before, after].allSatisfy { $0?.kind ?? .dictionary == .dictionary }
        if !areDictionaries || !step.hasChangesBelow { changed.append(step.path.name) }
        return true
    }

    /// Returns true if a path itself may have, or have had, a value in some layer.
    private func mayHoldOwnValue(at path: PrefsPath) -> Bool {
        [transition.old, transition.new].contains { $0.mayHoldOwnValue(at: path) }
    }
}

extension [String] {
    /// A sorted array without equal elements.
    fileprivate var withoutRepetitions: [String] {
        var last: String?
        return filter { name in
            defer { last = name }
            return name != last
        }
    }
}

extension PrefsSnapshot {
    /// Returns true if a path itself may have a value in some layer.
    func mayHoldOwnValue(at path: PrefsPath) -> Bool {
        let claims = state.rules.claims
        return state.parts.contains { $0.source.contents.mayHoldOwnValue(at: path, claims: claims) }
    }

    /// Returns the keys at or below a path that any layer sets, including hidden ones.
    fileprivate func leaves(below path: PrefsPath) -> PathList {
        let claims = state.rules.claims
        var leaves = PathList()
        for part in state.parts { part.source.contents.addKeys(below: path, claims: claims, to: &leaves) }
        return leaves
    }
}
