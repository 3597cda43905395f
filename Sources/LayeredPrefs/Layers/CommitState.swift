import PrefsDocuments

/// The state of a stack that its commits change.
///
/// A commit is one turn, see ``CommitTurn``: it composes the layers' contents with the mutex held, checks them, applies
/// the rules over several keys and finds the differences without it, because checks and rules are the program's code,
/// and publishes the result with the mutex held.
struct CommitState {
    var composition: SnapshotComposition
    var sources = SourceGenerations()
    /// The refused ones of the newest versions of sources.
    private(set) var refused = RefusedVersions()
    /// The writes that are no part of a turn.
    var foreignWrites = ForeignWrites()
    /// True once a commit may have something to report.
    var hasReports = false
    /// The number of the composition that was decided on last.
    private var decidedCount: UInt64 = 0
    /// The newest contents that were decided on last.
    private var decided: PrefsSnapshot?

    init(locks: [CodeLock]) { composition = SnapshotComposition(locks: locks) }

    /// The layers of which a version is refused since the start.
    var restoredLayers: Set<String> {
        if refused.all.isEmpty { return [] }
        return Set(refused.all.lazy.filter(\.value.isSinceStart).compactMap(\.key.layer))
    }

    /// Composes the layers' contents; returns `nil` if they are those that were decided on last.
    ///
    /// - Parameters:
    ///   - states: The layers' contents.
    ///   - inForce: The contents that the stack has published last.
    mutating func compose(
        _ layers: [PrefsLayer], _ states: [PrefsSnapshot], inForce: PrefsSnapshot
    ) -> Candidate? {
        composition.update(layers, to: states)
        guard composition.count > decidedCount else { return nil }
        return lastComposed(inForce: inForce)
    }

    /// Returns the contents that were composed last.
    func lastComposed(inForce: PrefsSnapshot) -> Candidate {
        // A file that has become readable may have the contents that were refused while it was not.
        let isToBeChecked = composition.isForced || !restoredLayers.isEmpty
        return Candidate(
            newest: composition.last, decided: isToBeChecked ? nil : decided, inForce: inForce,
            refused: refused, count: composition.count)
    }

    /// Returns true if the contents that were decided on last have some versions of sources.
    func hasDecided(on sources: [PrefsSource]) -> Bool {
        sources.allSatisfy { source in decided?.state.parts.contains { $0.source === source } ?? false }
    }

    /// Decides on a candidate, and returns what to report of it: new refusals, and recoveries.
    ///
    /// - Parameter wrong: Files of which nothing is refused, but that have new values that are rejected.
    mutating func decide(
        on candidate: Candidate, _ refusals: [RefusedVersions.Name: RefusedVersions.Refusal],
        wrong: Set<RefusedVersions.Name> = []
    ) -> [PrefsDiagnostic] {
        (decidedCount, decided) = (candidate.count, candidate.newest)
        return refused.replace(with: refusals, wrong: wrong)
    }
}
