import PrefsDocuments

/// Composes a stack's snapshots from the layers' states and from the rules made in code.
struct SnapshotComposition {
    private var merged = LayerComposition()
    /// True if the rules changed, which may change the next snapshot even if no layer changes.
    private var hasNewRules = true

    /// The rules over several keys.
    var constraints: [PrefsConstraint] = [] { didSet { hasNewRules = true } }

    /// The locks made in code.
    var locks: [CodeLock] { didSet { hasNewRules = true } }

    /// The declared keys.
    var known = KnownKeys() { didSet { hasNewRules = true } }

    init(locks: [CodeLock]) { self.locks = locks }

    /// Returns the snapshot of the layers' current states; `nil` if it is the same as `old`.
    mutating func next(of layers: [PrefsLayer], after old: PrefsSnapshot) -> PrefsSnapshot? {
        if !merged.update(layers), !hasNewRules { return nil }
        hasNewRules = false
        var secrets = known.metadata.secrets
        merged.addSecrets(to: &secrets)
        let rules = PrefsSnapshot.Rules(
            locks: known.spread(merged.locks(layers, and: locks)), claims: known.claims, secrets: secrets)
        let next = PrefsSnapshot(generation: old.generation, parts: merged.parts, rules: rules)
            .applying(constraints)
        return next.hasSameSources(as: old) ? nil : next
    }
}

/// A lock made in code.
struct CodeLock: Hashable {
    let path: PrefsPath
    let layer: PrefsLayer.Name
}

extension PrefsSnapshot {
    fileprivate func hasSameSources(as other: PrefsSnapshot) -> Bool {
        state.rules == other.state.rules
            && state.parts.elementsEqual(other.state.parts) {
                $0.source === $1.source && $0.height == $1.height
            }
    }
}
