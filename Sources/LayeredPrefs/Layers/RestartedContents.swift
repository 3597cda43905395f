import PrefsDocuments
import PrefsSystem

/// How a configuration would start with a stack.
enum StartOutcome {
    /// With the values of the files.
    case read
    /// With what was accepted last in place of files that are wrong, which the stack then contains.
    case accepted
    /// Creating the configuration throws these problems.
    case fails([PrefsError])
}

/// The contents with which the program would start now.
package struct RestartedContents {
    /// The contents of the layers, read again. Without a ``Live`` configuration, rejected values count as absent.
    package let read: PrefsSnapshot
    /// The contents that would be active; `nil` if the program would not start.
    package var used: PrefsSnapshot? { problems.isEmpty ? started : nil }
    private let started: PrefsSnapshot
    /// True if some layers would be as they were accepted last.
    package fileprivate(set) var isAccepted = false
    /// The problems because of which the program would not start.
    package fileprivate(set) var problems: [PrefsError] = []

    fileprivate init(read: PrefsSnapshot, used: PrefsSnapshot) { (self.read, started) = (read, used) }
}

extension PrefsStack {
    /// Returns the contents with which the program would start now.
    ///
    /// - Parameter environment: The variables of the new process; those of this process if `nil`.
    package func restarted(environment: [String: String]? = nil) -> RestartedContents {
        let next = reopened(environment: environment)
        let read = next.snapshot
        let outcomes = engine.checks.withLock { $0.all }.compactMap { $0.start?(next) }
        var contents = RestartedContents(read: read, used: next.snapshot)
        for outcome in outcomes {
            switch outcome {
            case .read: break
            case .accepted: contents.isAccepted = true
            case .fails(let problems): contents.problems += problems
            }
        }
        return contents
    }
}
