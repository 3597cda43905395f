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

    /// The last composed snapshot, to which no constraint has been applied.
    private(set) var last = PrefsSnapshot(parts: [])
    /// The number of snapshots composed so far.
    private(set) var count: UInt64 = 0

    init(locks: [CodeLock]) { self.locks = locks }

    /// Composes the layers' current states into the next snapshot, if anything differs from the last one.
    ///
    /// - Parameter snapshot: Returns the state of a layer, by its index; `nil` leaves the layer as it was.
    mutating func update(_ layers: [PrefsLayer], _ snapshot: (Int) -> PrefsSnapshot?) {
        if !merged.update(layers, snapshot), !hasNewRules { return }
        hasNewRules = false
        let rules = PrefsSnapshot.Rules(
            locks: known.spread(merged.locks(layers, and: locks)), claims: known.claims)
        last = PrefsSnapshot(parts: merged.parts, rules: rules)
        count += 1
    }
}

/// A lock made in code.
struct CodeLock: Hashable {
    let path: PrefsPath
    let layer: PrefsLayer.Name
}

extension PrefsSnapshot {
    /// Returns true if both snapshots have the same versions of the same sources, and the same rules.
    func hasSameSources(as other: PrefsSnapshot) -> Bool {
        state.rules == other.state.rules
            && state.parts.elementsEqual(other.state.parts) {
                $0.source === $1.source && $0.height == $1.height
            }
    }
}
