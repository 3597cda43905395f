/// The engine that a ``FileWatcher`` uses, and the paths for which it falls back to polling.
public struct FileWatcherStatus: Sendable, Hashable {
    /// The state of one watched path.
    public struct Path: Sendable, Hashable {
        /// The path as it was given to the watcher.
        public var path: String
        /// The engine that watches it: ``FileWatcherEngine/polling`` if the watcher's own engine is denied a
        /// watch or cannot see every change.
        public var engine: FileWatcherEngine
        /// The reason for polling although the watcher's engine is another one; nil if there is no problem.
        public var reason: String?
    }

    /// The engine in use; never ``FileWatcherEngine/automatic``.
    public var engine: FileWatcherEngine
    /// The reason for using this engine and no other.
    public var reason: String
    /// One entry for each watched path, sorted by path.
    public var paths: [Path]
}
