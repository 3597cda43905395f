import PrefsDocuments

/// The state of a stack that its commits change.
///
/// A commit holds the ``CommitLock``. It composes the layers' contents with the mutex held. Without the mutex, it
/// checks the contents and finds the differences, because checks call the program's code. With the mutex held
/// again, it publishes the result.
struct CommitState {
    var composition: SnapshotComposition
    var sources = SourceGenerations()
    /// The rejections of the newest contents.
    private(set) var rejected = RejectedRevisions()
    /// The running writes that are not part of a commit.
    var foreignWrites = ForeignWrites()
    /// True once a commit may have something to report.
    var hasReports = false
    /// The number of the composition at the last decision.
    private var decidedCount: UInt64 = 0
    /// The newest contents at the last decision.
    private var decided: PrefsSnapshot?

    init(locks: [CodeLock]) { composition = SnapshotComposition(locks: locks) }

    /// The layers with a revision that has been rejected since the start.
    var restoredLayers: Set<String> {
        if rejected.all.isEmpty { return [] }
        return Set(rejected.all.lazy.filter(\.value.isSinceStart).compactMap(\.key.layer))
    }

    /// Composes the layers' contents. Returns `nil` if they are the contents of the last decision.
    ///
    /// - Parameter states: The layers' contents.
    mutating func compose(_ layers: [PrefsLayer], _ states: [PrefsSnapshot]) -> PrefsSnapshot? {
        composition.update(layers, to: states)
        return composition.count > decidedCount ? composition.last : nil
    }

    /// Returns true if the contents of the last decision include all of the given sources.
    func hasDecided(on sources: [PrefsSource]) -> Bool {
        sources.allSatisfy { source in decided?.state.parts.contains { $0.source === source } ?? false }
    }

    /// The contents of the last decision, if some of them are rejected and the same contents need no new decision;
    /// otherwise `nil`.
    var decidedContents: PrefsSnapshot? {
        if rejected.all.isEmpty || composition.isForced || !restoredLayers.isEmpty { return nil }
        return decided
    }

    /// Records the rejections of the last composed contents, and returns the reports to make.
    mutating func decide(_ rejections: [RejectedRevisions.Name: RejectedRevisions.Rejection])
        -> [PrefsDiagnostic]
    {
        (decidedCount, decided) = (composition.count, composition.last)
        composition.noteDecision()
        return rejected.replace(with: rejections)
    }
}
