/// A report that the content behind a watched path may have changed.
///
/// An event does not promise a difference. The content may turn out to be the same, and several changes may be merged
/// into one event. The guarantee is the converse: the last change is always followed by an event.
public struct FileEvent: Sendable, Hashable {
    /// The source of an event: how the watcher learned of a change.
    public struct Source: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String {
            case inotify, mount, poll, overflow, recheck, manual
        }

        private let kind: Kind

        /// The kernel reported the change, through either inotify engine.
        public static let inotify = Source(kind: .inotify)
        /// A file system was mounted or unmounted, and the path now leads to another file.
        public static let mount = Source(kind: .mount)
        /// Polling found a different ``FileSignature``.
        public static let poll = Source(kind: .poll)
        /// The kernel's event queue overflowed, so every path may have changed.
        public static let overflow = Source(kind: .overflow)
        /// The program called ``FileWatcher/recheck()``.
        public static let recheck = Source(kind: .recheck)
        /// A test called ``ManualFileEngine/signal(_:)``.
        public static let manual = Source(kind: .manual)

        /// The name of the source.
        public var description: String { kind.rawValue }
    }

    /// The path as you passed it to the watcher.
    public var path: String
    /// The source of the event: how the watcher learned of the change.
    public var source: Source
    /// The signature of the file behind the path when the event was sent; `nil` if there was no file.
    ///
    /// When you read the file, you can compare this signature with the signature of the descriptor that you read
    /// from. If they differ, the file has changed in the meantime, and another event follows.
    public var signature: FileSignature?

    /// Creates an event, like the ones that a watcher sends.
    public init(path: String, source: Source, signature: FileSignature? = nil) {
        self.path = path
        self.source = source
        self.signature = signature
    }
}
