/// The active engine of a ``FileWatcher``, and the status of its watched paths.
public struct FileWatcherStatus: Sendable, Hashable {
    /// The status of one watched path.
    public struct Path: Sendable, Hashable {
        /// The path as you passed it to the watcher.
        public var path: String
        /// The engine that watches the path. It is ``FileWatcherEngine/polling`` if the watcher's own engine is
        /// denied a watch or cannot see every change.
        public var engine: FileWatcherEngine
        /// The reason for polling instead of using the watcher's engine; `nil` if there is no problem.
        public var reason: String?
    }

    /// The active engine. It is never ``FileWatcherEngine/automatic``.
    public var engine: FileWatcherEngine
    /// The reason for using this engine.
    public var reason: String
    /// The status of each watched path, sorted by path.
    public var paths: [Path]
}
