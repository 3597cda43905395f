import PrefsDocuments
import PrefsSystem

/// What a configuration does at the start.
struct StartRule: Sendable {
    /// True if it starts with what was accepted last in place of files that are wrong.
    let usesAccepted: Bool
    /// Returns what would be wrong with a stack at the start.
    let problems: @Sendable (LayeredPrefsStorage) -> [PrefsError]
}

/// The contents with which the program would start now.
package struct RestartedContents {
    /// The contents of the layers, read again. Without a ``Live`` configuration, rejected values count as absent.
    package let read: PrefsSnapshot
    /// The contents that would be in force; `nil` if the program would not start.
    package let used: PrefsSnapshot?
    /// True if some layers would be as they were accepted last.
    package var isAccepted = false
}

extension LayeredPrefsStorage {
    /// Returns the contents with which the program would start now.
    ///
    /// - Parameter environment: The variables of the new process; those of this process if `nil`.
    package func restarted(environment: [String: String]? = nil) -> RestartedContents {
        let next = reopened(environment: environment)
        let (read, rules) = (next.snapshot, starts.withLock { Array($0.values) })
        let problems = rules.flatMap { $0.problems(next) }
        if problems.isEmpty { return RestartedContents(read: read, used: read) }
        let names = rules.contains(where: \.usesAccepted) ? layersToRestore(because: problems) : []
        if names.isEmpty { return RestartedContents(read: read, used: nil) }
        let inForce = committedSnapshot.state.parts.groups
        let restored = read.with { state in
            state.parts = PrefsSnapshot.Parts(
                groups: state.parts.groups.map { group in
                    guard let layer = group.parts.first?.layer, names.contains(layer) else { return group }
                    return inForce.first { $0.parts.first?.layer == layer } ?? group
                })
        }
        return RestartedContents(read: read, used: restored, isAccepted: true)
    }
}
