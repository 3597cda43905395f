import PrefsDocuments

/// The state of a stack that its commits change.
///
/// A commit is one turn, see ``CommitTurn``: it composes the layers' contents with the mutex held, applies the rules
/// over several keys and finds the differences without it, because rules are the program's code, and publishes the
/// result with the mutex held.
struct CommitState {
    var composition: SnapshotComposition
    var sources = SourceGenerations()
    /// True once a commit may have something to report.
    var hasReports = false
    /// The number of the snapshot that was composed last.
    private var composedCount: UInt64 = 0

    init(locks: [CodeLock]) { composition = SnapshotComposition(locks: locks) }

    /// Composes the layers' contents; `nil` if neither they nor the rules have changed since the last time.
    ///
    /// - Parameter foreign: The contents of the layers that run the program's code when asked for them, by index.
    mutating func compose(_ layers: [PrefsLayer], _ foreign: [Int: PrefsSnapshot]) -> PrefsSnapshot? {
        composition.update(layers) { index in
            layers[index].contents?.snapshot ?? layers[index].stack?.committedSnapshot ?? foreign[index]
        }
        guard composition.count > composedCount else { return nil }
        composedCount = composition.count
        return composition.last
    }
}
