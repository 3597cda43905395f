/// The content behind a watched path may have changed.
///
/// An event promises nothing more: the content may turn out to be what it was, and several changes may be
/// one event. What matters is the other direction: after the last change there is always an event.
public struct FileEvent: Sendable, Hashable {
    /// How the watcher learned of the change.
    public struct Source: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String {
            case inotify, poll, overflow, recheck, armed, manual
        }

        private let kind: Kind

        /// The kernel told, through either inotify engine.
        public static let inotify = Source(kind: .inotify)
        /// Looking again found another ``FileSignature``.
        public static let poll = Source(kind: .poll)
        /// The kernel's event queue overflowed, so that every path is suspect.
        public static let overflow = Source(kind: .overflow)
        /// Somebody called ``FileWatcher/recheck()``.
        public static let recheck = Source(kind: .recheck)
        /// Watching began after ``FileWatcher/watch(_:onEvent:)`` had returned, because the thread was busy
        /// in a callback; what changed between is covered by this event.
        public static let armed = Source(kind: .armed)
        /// A test called ``ManualFileEngine/signal(_:)``.
        public static let manual = Source(kind: .manual)

        /// The name of the source.
        public var description: String { kind.rawValue }
    }

    /// The path as it was given to the watcher.
    public var path: String
    /// How the watcher learned of the change.
    public var source: Source
    /// What the path led to when the event was sent, or nil if there was nothing.
    ///
    /// Who reads the file may compare it with the signature of the descriptor read from: if they differ, the
    /// file changed meanwhile, and another event follows.
    public var signature: FileSignature?

    /// An event as a watcher would send it.
    public init(path: String, source: Source, signature: FileSignature? = nil) {
        self.path = path
        self.source = source
        self.signature = signature
    }
}
