/// What a ``FileWatcher`` watches with, and where it has to make do with less.
public struct FileWatcherStatus: Sendable, Hashable {
    /// How one path is watched.
    public struct Path: Sendable, Hashable {
        /// The path as it was given to the watcher.
        public var path: String
        /// The engine that serves it: ``FileWatcherEngine/polling`` where the watcher's own is refused or
        /// blind.
        public var engine: FileWatcherEngine
        /// Why it is polled although the watcher's engine is another one; nil if all is well.
        public var reason: String?
    }

    /// The engine in use; never ``FileWatcherEngine/automatic``.
    public var engine: FileWatcherEngine
    /// Why this engine and not another.
    public var reason: String
    /// One entry for each watched path, sorted by path.
    public var paths: [Path]
}
