import PrefsDocuments

/// The paths whose effective value is unchanged although some layer's value, or a lock, changed.
///
/// The dirty paths are only the highest paths that differ. Below them, a key of another layer may not have
/// changed at all, and must be left out. For example, the dirty path is `http` if the system file gains
/// `{"http": {"port": 1, "tls": true}}`:
///
/// | key         | `user`  | `system`     | result                                  |
/// |-------------|---------|--------------|-----------------------------------------|
/// | `http.port` | 2       | `nil` → 1    | shadowed                                |
/// | `http.host` | `"b"`   |              | left out: unchanged in every layer      |
/// | `http.tls`  |         | `nil` → true | a change, so not shadowed               |
struct ShadowedKeys {
    private let transition: PrefsTransition
    private let lostVariables: Set<PrefsPath>
    private let sources: [(before: PrefsSource, after: PrefsSource)]

    init(_ transition: PrefsTransition) {
        self.transition = transition
        lostVariables = Set(PrefsTransition.lostVariables(from: transition.old, to: transition.new))
        sources = PrefsTransition.changedSources(from: transition.old, to: transition.new)
    }

    /// Returns true if a path whose effective value is unchanged is shadowed.
    ///
    /// - Parameter isLeaf: True if any layer has, or had, the key itself.
    func include(_ path: PrefsPath, isLeaf: Bool) -> Bool {
        if isLeaf, lostVariables.contains(path) || transition.hasChangedLock(on: path) { return true }
        guard differs(at: path) else { return false }
        return isLeaf || [transition.old, transition.new].contains { $0.mayHoldOwnValue(at: path) }
    }

    /// Returns true if a source has another value at the path itself, ignoring everything below it.
    private func differs(at path: PrefsPath) -> Bool {
        let (old, new) = (transition.old, transition.new)
        return sources.contains { before, after in
            guard before.holdsVariables || after.holdsVariables else {
                return after.tree.differs(from: before.tree, at: path)
            }
            let name = PrefsKeyName(path.name)
            return !LocatedValue.haveSameValue(
                before.value(for: name, at: path, claims: old.state.rules.claims),
                after.value(for: name, at: path, claims: new.state.rules.claims))
        }
    }
}

extension PrefsTransition {
    fileprivate func hasChangedLock(on path: PrefsPath) -> Bool {
        old.lock(on: path)?.height != new.lock(on: path)?.height
    }
}

extension PrefsTree {
    /// Returns true if two trees differ at the path itself, ignoring everything below it.
    fileprivate func differs(from other: PrefsTree, at path: PrefsPath) -> Bool {
        !LocatedValue.haveSameValue(ownValue(at: path), other.ownValue(at: path))
    }
}
