import PrefsSystem

/// The reason why a path is polled although its engine is not polling, or why an engine cannot be used.
struct Problem: Error, Hashable {
    let reason: String

    /// Returns the problem of a file system that hides some changes from inotify.
    static func unreliable(_ fileSystem: String) -> Problem {
        Problem(reason: "\(fileSystem) does not report all changes to inotify")
    }

    /// Returns the problem of an inotify instance that could not be opened.
    static func cannotOpen(_ errno: Errno) -> Problem {
        Problem(reason: "inotify cannot be opened: \(hint(errno))")
    }

    /// Describes a watch that could not be added; `nil` if the path is only changing at this moment.
    init?(watching path: RawPath, rejected errno: Errno) {
        guard !errno.meansGone else { return nil }
        self.init(reason: "inotify cannot watch \(path): \(Self.hint(errno))")
    }

    init(reason: String) {
        self.reason = reason
    }

    private static func hint(_ errno: Errno) -> String {
        errno.hint.map { "\(errno.text) (\($0))" } ?? errno.text
    }
}
