import PrefsDocuments

/// The paths whose effective value is unchanged although some layer's value, or a lock, changed.
///
/// The dirty paths are only the highest ones that differ, so other layers' keys below them may not have
/// changed at all and must be left out. If the system file gains `{"http": {"port": 1, "tls": true}}`, the
/// dirty path is `http`:
///
/// | key         | `user`  | `system`     | result                                  |
/// |-------------|---------|--------------|-----------------------------------------|
/// | `http.port` | 2       | `nil` → 1    | shadowed                                |
/// | `http.host` | `"b"`   |              | left out: unchanged in every layer      |
/// | `http.tls`  |         | `nil` → true | a change, so not shadowed               |
struct ShadowedKeys {
    private let transition: PrefsTransition
    private let claims: Set<PrefsPath>
    private let sources: [(before: PrefsSource, after: PrefsSource)]

    init(_ transition: PrefsTransition) {
        self.transition = transition
        claims = Set(PrefsTransition.changedClaims(from: transition.old, to: transition.new))
        sources = PrefsTransition.changedSources(from: transition.old, to: transition.new)
    }

    /// Returns true if a path whose effective value is unchanged is shadowed.
    ///
    /// - Parameter isLeaf: True if any layer has, or had, the key itself.
    func include(_ path: PrefsPath, isLeaf: Bool) -> Bool {
        if isLeaf, claims.contains(path) || transition.hasChangedLock(on: path) { return true }
        guard sources.contains(where: { $1.tree.differs(from: $0.tree, at: path) }) else { return false }
        return isLeaf || [transition.old, transition.new].contains { $0.hasValue(of: path) }
    }
}

extension PrefsTransition {
    fileprivate func hasChangedLock(on path: PrefsPath) -> Bool {
        old.lock(on: path)?.height != new.lock(on: path)?.height
    }
}

extension PrefsTree {
    /// Returns true if two trees differ at a path itself, without what lies below it. The same value in
    /// another spelling is no difference.
    fileprivate func differs(from other: PrefsTree, at path: PrefsPath) -> Bool {
        guard !Self.areSame(ownValue(at: path), other.ownValue(at: path)) else { return false }
        let (value, others) = (value(at: path), other.value(at: path))
        return value?.rejection != nil || others?.rejection != nil || value?.value != others?.value
    }

    private static func areSame(_ own: LocatedValue?, _ other: LocatedValue?) -> Bool {
        if own?.rejection != nil || other?.rejection != nil {
            return own?.rejection?.reason == other?.rejection?.reason
        }
        guard let content = own?.content, let others = other?.content else {
            return own == nil && other == nil
        }
        return content.hasSameContent(as: others)
    }
}

extension PrefsSnapshot {
    /// Returns true if any source has a value at a path itself.
    fileprivate func hasValue(of path: PrefsPath) -> Bool {
        state.parts.contains { $0.source.contents.hasValue(at: path, claims: state.rules.claims) }
    }
}
