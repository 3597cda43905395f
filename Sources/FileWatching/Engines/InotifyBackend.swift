import PrefsSystem

/// An inotify instance, independent of how it is accessed. The two conformers behave identically to callers.
///
/// A hub owns one instance, and calls it with the hub's mutex held. A hub without an instance polls.
protocol InotifyBackend: Sendable {
    /// A descriptor that is readable when there are events.
    var descriptor: Int32 { get }
    /// True if the instance has leaked so much memory that it should be closed and reopened.
    var shouldReopen: Bool { get }
    /// Watches a directory for changes of its entries, or a file for changes of its content, without
    /// following a link. Watching the same inode again returns the same number.
    func add(_ path: RawPath, as target: WatchTarget) throws(Errno) -> Int32
    /// Ends a watch. Does nothing if the kernel has already ended it.
    func remove(_ watch: Int32)
    /// Appends queued events without waiting: all of them, or as many as the kernel queues at most. So a process
    /// that keeps changing a directory cannot hold up the caller.
    ///
    /// Returns true if there may be more events although the descriptor is not readable.
    func drain(into events: inout [InotifyEvent]) -> Bool
    /// Closes the instance and releases its watches; called once.
    func close()
}

/// The kind of inode to watch.
enum WatchTarget: Sendable {
    case directory, file
}
