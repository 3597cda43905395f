import PrefsSystem
/// Why a path is polled although its engine is not polling.
struct Problem: Sendable, Hashable {
    let reason: String
    /// Whether every other path would meet it too.
    let isLimit: Bool

    /// Watching the file system is no use.
    static func blind(_ fileSystem: String) -> Problem {
        Problem(reason: "\(fileSystem) does not report all changes to inotify", isLimit: false)
    }

    /// There is no inotify instance.
    static func unopened(_ errno: Errno) -> Problem {
        Problem(reason: "inotify cannot be opened: \(hint(errno))", isLimit: true)
    }

    /// A watch was refused; nil if that only means that the way changed at this moment.
    init?(watching path: String, refused errno: Errno) {
        guard !errno.meansGone else { return nil }
        self.init(reason: "inotify refuses \(path): \(Self.hint(errno))", isLimit: errno.isLimit)
    }

    /// The engine cannot be used in this process.
    init(_ refusal: EngineRefusal) {
        self.init(reason: refusal.reason, isLimit: false)
    }

    private init(reason: String, isLimit: Bool) {
        self.reason = reason
        self.isLimit = isLimit
    }

    private static func hint(_ errno: Errno) -> String {
        errno.hint.map { "\(errno.text) (\($0))" } ?? errno.text
    }
}
