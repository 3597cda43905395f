import PrefsDocuments

/// The state of a stack that its commits change.
///
/// A commit holds the ``CommitLock``. It composes the layers' contents with the mutex held, checks them and finds the
/// differences without it, because checks are the program's code, and publishes the result with the mutex held.
struct CommitState {
    var composition: SnapshotComposition
    var sources = SourceGenerations()
    /// What is rejected of the newest contents.
    private(set) var rejected = RejectedRevisions()
    /// The writes that are no part of a commit.
    var foreignWrites = ForeignWrites()
    /// True once a commit may have something to report.
    var hasReports = false
    /// The number of the composition that was decided on last.
    private var decidedCount: UInt64 = 0
    /// The newest contents that were decided on last.
    private var decided: PrefsSnapshot?

    init(locks: [CodeLock]) { composition = SnapshotComposition(locks: locks) }

    /// The layers of which a revision is rejected since the start.
    var restoredLayers: Set<String> {
        if rejected.all.isEmpty { return [] }
        return Set(rejected.all.lazy.filter(\.value.isSinceStart).compactMap(\.key.layer))
    }

    /// Composes the layers' contents; returns `nil` if they are those that were decided on last.
    ///
    /// - Parameter states: The layers' contents.
    mutating func compose(_ layers: [PrefsLayer], _ states: [PrefsSnapshot]) -> PrefsSnapshot? {
        composition.update(layers, to: states)
        return composition.count > decidedCount ? composition.last : nil
    }

    /// Returns true if the contents that were decided on last have some versions of sources.
    func hasDecided(on sources: [PrefsSource]) -> Bool {
        sources.allSatisfy { source in decided?.state.parts.contains { $0.source === source } ?? false }
    }

    /// The contents that were decided on last, if something of them is rejected, and the same contents are not to be decided on
    /// again.
    var decidedContents: PrefsSnapshot? {
        if rejected.all.isEmpty || composition.isForced || !restoredLayers.isEmpty { return nil }
        return decided
    }

    /// Notes what is rejected of the contents that were composed last, and returns what to report of it: new problems, and
    /// recoveries.
    mutating func decide(_ rejections: [RejectedRevisions.Name: RejectedRevisions.Rejection])
        -> [PrefsDiagnostic]
    {
        (decidedCount, decided) = (composition.count, composition.last)
        composition.noteDecision()
        return rejected.replace(with: rejections)
    }
}
