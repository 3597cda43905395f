import PrefsDocuments

/// Composes a stack's snapshots from the layers' states and from the rules made in code.
struct SnapshotComposition {
    private var merged = LayerComposition()
    /// True if the rules changed, which may change the next snapshot even if no layer changes.
    private var hasNewRules = true

    /// The rules over several keys.
    var constraints: [PrefsConstraint] = []

    /// The locks made in code, in the order of their creation.
    var locks: [CodeLock] = [] {
        didSet { if locks.count != oldValue.count { (hasNewRules, hasNewLocks) = (true, true) } }
    }

    /// The declared keys.
    var known = KnownKeys()
    /// The number of declared keys when the last snapshot was composed. Declaring one of them again changes no
    /// rule.
    private var knownCount = 0

    /// The last composed snapshot.
    private(set) var last = PrefsSnapshot(parts: [])
    /// The number of snapshots composed so far.
    private(set) var count: UInt64 = 0
    /// True if, since the last decision, the rules have changed or a new check has been requested.
    private(set) var isForced = true

    /// The locks of the layers and of the code, under all names of the keys. They are composed only when a lock or
    /// a name has changed.
    private var table = LockTable.empty
    private var hasNewLocks = true
    /// The locks as they were made, each under one name.
    private var named = LockTable.empty
    /// The number of keys with former names that `table` takes into account.
    private var renamedCount = 0

    init(locks: [CodeLock]) { add(locks) }

    /// Adds locks made in code. Locks that exist already are left out.
    mutating func add(_ new: [CodeLock]) {
        var known = Set(locks)
        locks += new.filter { known.insert($0).inserted }
    }

    /// Removes locks made in code.
    mutating func remove(_ old: [CodeLock]) {
        let old = Set(old)
        locks.removeAll(where: old.contains)
    }

    /// Notes that the engine has decided on the last composed snapshot.
    mutating func noteDecision() { isForced = false }

    /// Makes the next update compose a snapshot even if nothing has changed.
    mutating func composeAgain() { hasNewRules = true }

    /// Composes the layers' current states into the next snapshot, if anything differs from the last one.
    mutating func update(_ layers: [PrefsLayer], to states: [PrefsSnapshot]) {
        let (isNew, haveNewLocks) = merged.update(layers, to: states)
        if known.names.count != knownCount { (hasNewRules, knownCount) = (true, known.names.count) }
        guard isNew || hasNewRules else { return }
        if haveNewLocks { hasNewLocks = true }
        (isForced, hasNewRules) = (isForced || hasNewRules, false)
        updateLocks(of: layers)
        var secrets = known.secrets
        merged.addSecrets(to: &secrets)
        var rules = PrefsSnapshot.Rules(locks: table, claims: known.claims, secrets: secrets)
        rules.unreadableLocks.files = merged.unreadableLocks(layers)
        if !rules.unreadableLocks.files.isEmpty { rules.unreadableLocks.renamed = known.renamed }
        last = PrefsSnapshot(parts: merged.parts, rules: rules)
        count += 1
    }

    private mutating func updateLocks(of layers: [PrefsLayer]) {
        let hasNewNames = known.renamed[renamedCount...].contains { $0.contains(where: named.concerns) }
        renamedCount = known.renamed.count
        guard hasNewLocks || hasNewNames else { return }
        if hasNewLocks { named = LockTable(merged.locks(layers, and: locks)) }
        hasNewLocks = false
        let next = named.spread(over: known.renamed)
        if next != table { table = next }
    }
}

/// A lock made in code.
struct CodeLock: Hashable {
    let path: PrefsPath
    let layer: PrefsLayer.Name
}

extension PrefsSnapshot {
    /// Returns true if both snapshots have the same revisions of the same sources, and the same rules.
    func hasSameSources(as other: PrefsSnapshot) -> Bool {
        state.rules == other.state.rules && state.parts.hasSameSources(as: other.state.parts)
    }
}
