/// A watcher that reports when the content behind a path may have changed, however it was changed.
///
/// ```swift
/// let watch = FileWatcher.shared.watch("/etc/app.conf") { event in
///     reload(event.path)
/// }
/// ```
///
/// **Paths, not inodes.** Every directory and symbolic link along a path is watched with it. So a renamed parent, a
/// re-pointed link or a replaced file is a change like any other. The path may name a file or a directory; the
/// content of a directory is its listing. The path need not exist: the watcher waits for it to appear, and creates
/// nothing.
///
/// **Callbacks** of all watchers with the same engine run one at a time, and no mutex is held while they run. A
/// callback may watch, cancel and read. Callbacks run on threads of this package's event loop, usually on the thread
/// that has read the event, and not always on the same thread. All signals are blocked in these threads. The threads
/// end soon after the last watch has ended.
///
/// **Mounts.** The watcher notices at once when a file system is mounted over the path or unmounted from it. Inotify
/// does not report mounts, but the kernel reports every change of the mount table.
///
/// **Changes that inotify cannot see** are found by a slow poll (``init(engine:settling:safetyPoll:)``). Examples are
/// an edit of an overlay's lower or upper directory from outside, and a store through an `mmap` that stays mapped.
/// Network file systems are always polled.
///
/// **Fork.** All descriptors are close-on-exec, so a child that calls exec inherits none of them. Neither threads nor
/// Swift's mutexes survive a `fork` without exec, so a daemon must fork before it watches.
public final class FileWatcher: Sendable {
    /// The default watcher: automatic engine, standard settling, and a safety poll every 30 s.
    ///
    /// The watcher has no state of its own, so sharing it is equivalent to creating another one.
    public static let shared = FileWatcher()

    private let engine: FileWatcherEngine
    private let settling: FileSettling
    private let safetyPoll: Duration?
    private let token = WatcherToken()

    /// Creates a watcher.
    ///
    /// - Parameters:
    ///   - engine: The source of events. The whole process shares each engine, so a second watcher costs nothing, and
    ///     a path that both watch is watched once.
    ///   - settling: The times to leave a file alone while it is being written.
    ///   - safetyPoll: The time between polls of every path, even without an event; `nil` for no polls.
    /// - Precondition: `safetyPoll` is positive or `nil`.
    public init(
        engine: FileWatcherEngine = .automatic,
        settling: FileSettling = .standard,
        safetyPoll: Duration? = .seconds(30)
    ) {
        precondition(safetyPoll.map { $0 > .zero } ?? true, "a poll interval must be positive")
        self.engine = engine
        self.settling = settling
        self.safetyPoll = safetyPoll
    }

    /// Watches a file or directory until you cancel or release the returned watch.
    ///
    /// Watching has begun when this method returns: if you read the file afterwards, you miss no change. Watching
    /// never fails. A path that the engine cannot watch is polled, and ``status`` gives the reason. A relative path
    /// is resolved against the working directory at the time of the call.
    ///
    /// - Parameters:
    ///   - path: A file or directory, which need not exist.
    ///   - onEvent: The callback. It is called on a thread of this package, and never from within this call.
    /// - Returns: The watch, which ends when it is cancelled or released.
    public func watch(_ path: String, onEvent: @escaping @Sendable (FileEvent) -> Void) -> FileWatch {
        watch(path, onEvent: onEvent, onRoundEnd: nil)
    }

    /// Watches as ``watch(_:onEvent:)`` does. After the last callback of each round with an event of this watch,
    /// it calls `onRoundEnd` on the same thread. Changes of several paths that the kernel reports in one read
    /// are delivered in one round.
    package func watch(
        _ path: String, onEvent: @escaping @Sendable (FileEvent) -> Void,
        onRoundEnd: (@Sendable () -> Void)?
    ) -> FileWatch {
        let subscription = Subscription(
            path: path, settling: settling, safetyPoll: safetyPoll, watcher: token, handler: onEvent,
            onRoundEnd: onRoundEnd)
        return FileWatch(subscription, on: WatchHub.add(subscription, on: engine), requested: engine)
    }

    /// Returns the events of `path` as an asynchronous sequence. Watching has begun when this method returns.
    public func events(for path: String) -> FileEvents {
        FileEvents(of: path, from: self)
    }

    /// Sends an event to every watch of this watcher. A daemon can call it on SIGHUP.
    ///
    /// A file that is being written gets its event after it has settled (see ``FileSettling``).
    public func recheck() {
        for hub in WatchHub.all(for: engine) {
            hub.recheck(token)
        }
    }

    /// The active engine, the reason for it, and the status of each watched path.
    public var status: FileWatcherStatus {
        let hubs = WatchHub.all(for: engine)
        let paths = hubs.flatMap { $0.paths(of: token, requested: self.engine) }.sorted { $0.path < $1.path }
        let (engine, reason) = WatchHub.choice(for: engine)
        return FileWatcherStatus(engine: engine, reason: reason, paths: paths)
    }
}
