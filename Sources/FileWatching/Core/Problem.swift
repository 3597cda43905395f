import PrefsSystem

/// The reason why a path is polled although its engine is not polling.
struct Problem: Sendable, Hashable {
    let reason: String
    /// True if the problem would affect every other path too.
    let isLimit: Bool

    /// Returns the problem of a file system on which inotify does not see all changes.
    static func blind(_ fileSystem: String) -> Problem {
        Problem(reason: "\(fileSystem) does not report all changes to inotify", isLimit: false)
    }

    /// Returns the problem of an inotify instance that could not be opened.
    static func unopened(_ errno: Errno) -> Problem {
        Problem(reason: "inotify cannot be opened: \(hint(errno))", isLimit: true)
    }

    /// Describes a watch that could not be added; nil if that only means that the path is changing at this
    /// moment.
    init?(watching path: String, rejected errno: Errno) {
        guard !errno.meansGone else { return nil }
        self.init(reason: "inotify cannot watch \(path): \(Self.hint(errno))", isLimit: errno.isLimit)
    }

    /// Describes an engine that cannot be used in this process.
    init(_ rejection: EngineRejection) {
        self.init(reason: rejection.reason, isLimit: false)
    }

    private init(reason: String, isLimit: Bool) {
        self.reason = reason
        self.isLimit = isLimit
    }

    private static func hint(_ errno: Errno) -> String {
        errno.hint.map { "\(errno.text) (\($0))" } ?? errno.text
    }
}
