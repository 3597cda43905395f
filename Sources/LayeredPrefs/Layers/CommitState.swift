import PrefsDocuments

/// The state of a stack that its commits change.
///
/// A commit is one turn, see ``CommitTurn``: it composes the layers' contents with the mutex held, applies the rules
/// over several keys and finds the differences without it, because rules are the program's code, and publishes the
/// result with the mutex held. If the stack has a check, a turn only publishes contents that were checked before it.
struct CommitState {
    var composition: SnapshotComposition
    var sources = SourceGenerations()
    /// The newest versions of sources that are not in force.
    private(set) var refused = RefusedVersions()
    /// True once a commit may have something to report.
    var hasReports = false
    /// The number of the composition that was decided on last.
    private var decidedCount: UInt64 = 0

    /// What becomes of the layers' contents.
    enum Decision {
        /// They are those that were decided on last.
        case same
        /// They have to be checked first.
        case unchecked(UncheckedCandidate)
        /// They take effect, but for the versions that are refused. The diagnostics are of these and of those that
        /// no longer are.
        case accepted(PrefsSnapshot, [PrefsDiagnostic])
    }

    init(locks: [CodeLock]) { composition = SnapshotComposition(locks: locks) }

    /// Composes the layers' contents, and decides on them.
    ///
    /// - Parameters:
    ///   - foreign: The contents of the layers that run the program's code when asked for them, by index.
    ///   - inForce: The contents that the stack has published last.
    mutating func decide(
        on layers: [PrefsLayer], _ foreign: [Int: PrefsSnapshot], inForce: PrefsSnapshot, _ check: CheckState
    ) -> Decision {
        composition.update(layers) { index in
            layers[index].contents?.snapshot ?? layers[index].stack?.committedSnapshot ?? foreign[index]
        }
        guard composition.count > decidedCount else { return .same }
        let newest = composition.last
        let candidate = UncheckedCandidate(newest, inForce: inForce, refused, count: composition.count)
        switch check {
        case .notNeeded:
            decidedCount = composition.count
            return .accepted(newest, refused.replace(with: [:]))
        case .done(let checked) where checked.isDecision(on: candidate):
            decidedCount = composition.count
            let reports = refused.replace(with: checked.refusals)
            return .accepted(newest.refusing(checked.refusals, inForce: inForce), reports)
        case .needed, .done:
            return .unchecked(candidate)
        }
    }
}

/// Whether contents have to be checked before they take effect.
enum CheckState {
    case notNeeded
    case needed
    /// They have been, unless they have moved since.
    case done(CheckedCandidate)
}
