import PrefsDocuments
import PrefsSystem

/// How a configuration would start with a stack.
enum StartOutcome {
    /// With the values of the files.
    case read
    /// With the last accepted files instead of invalid ones. The stack then contains them.
    case accepted
    /// Creating the configuration throws these problems.
    case fails([PrefsError])
}

/// The contents that the program would start with now.
package struct RestartedContents {
    /// The contents of the layers, read again. Without a ``Live`` configuration, rejected values count as absent.
    package let read: PrefsSnapshot
    /// The contents that would be active; `nil` if the program would not start.
    package var used: PrefsSnapshot? { problems.isEmpty ? started : nil }
    private let started: PrefsSnapshot
    /// True if some layers would start with their last accepted files.
    package fileprivate(set) var isAccepted = false
    /// The problems that would prevent the start.
    package fileprivate(set) var problems: [PrefsError] = []

    fileprivate init(read: PrefsSnapshot, used: PrefsSnapshot) { (self.read, started) = (read, used) }
}

extension PrefsStack {
    /// Returns the contents that the program would start with now.
    ///
    /// - Parameter environment: The variables of the new process; `nil` for the variables of this process.
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
