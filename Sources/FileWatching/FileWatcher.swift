/// A watcher that reports when the content behind a path may have changed, however it was changed.
///
/// ```swift
/// let watch = FileWatcher.shared.watch("/etc/app.conf") { event in
///     reload(event.path)
/// }
/// ```
///
/// **Paths, not inodes.** Every directory and symbolic link along a path is watched with it, so a renamed
/// parent, a re-pointed link or a replaced file is a change like any other. The path may name a file or a
/// directory; the content of a directory is its listing. It need not exist: the watcher waits for it to
/// appear, and creates nothing.
///
/// **Callbacks** of all watchers with the same engine run one at a time, with no mutex held. They may watch, cancel
/// and read; while one runs, no other does. They run on threads of this package's event loop, usually on the one that
/// has read the event, and not always on the same one. All signals are blocked in these threads, and they end soon
/// after the last watch does.
///
/// **Mounts.** A file system that is mounted over the path or unmounted from it is noticed at once, although
/// inotify does not report it: the kernel reports every change of the mount table.
///
/// **Changes that inotify cannot see** are found by a slow poll (``init(engine:settling:safetyPoll:)``): an
/// overlay's lower or upper directory edited from outside, a store through an `mmap` that stays mapped. Network
/// file systems are always polled.
///
/// **Fork.** All descriptors are close-on-exec, so a child that calls exec inherits nothing. Neither threads
/// nor Swift's mutexes survive a `fork` without exec: a daemon must fork before it watches.
public final class FileWatcher: Sendable {
    /// The default watcher: automatic engine, standard settling, safety poll every 30 s.
    ///
    /// It holds no state of its own, so sharing it and creating another one are equivalent.
    public static let shared = FileWatcher()

    private let engine: FileWatcherEngine
    private let settling: FileSettling
    private let safetyPoll: Duration?
    private let token = WatcherToken()

    /// Creates a watcher.
    ///
    /// - Parameters:
    ///   - engine: The source of events. Engines are shared by the whole process, so a second watcher costs
    ///     nothing and a path watched by both is watched once.
    ///   - settling: The time to leave a file alone while it is being written.
    ///   - safetyPoll: The interval at which every path is polled even without an event; nil for never.
    /// - Precondition: `safetyPoll` is positive or nil.
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

    /// Watches a file or directory until the result is cancelled or released.
    ///
    /// Watching is in place before this returns: a caller that reads the file afterwards misses no change. It
    /// never fails; a path that the engine cannot watch is polled, and ``status`` gives the reason. A
    /// relative path is resolved against the working directory at the time of the call.
    ///
    /// - Parameters:
    ///   - path: A file or directory, which need not exist.
    ///   - onEvent: The callback, called on a thread of this package and never from within this call.
    /// - Returns: The watch, which ends when it is cancelled or released.
    public func watch(_ path: String, onEvent: @escaping @Sendable (FileEvent) -> Void) -> FileWatch {
        watch(path, onEvent: onEvent, onRoundEnd: nil)
    }

    /// Watches as ``watch(_:onEvent:)`` does, and calls `onRoundEnd` on the same thread after the last callback of
    /// each round in which this watch had an event: changes of several paths that the kernel reports in one read
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

    /// Returns the events of `path` as an asynchronous sequence; watching is in place before this returns.
    public func events(for path: String) -> FileEvents {
        FileEvents(of: path, from: self)
    }

    /// Sends an event to every watch of this watcher, as a daemon does on SIGHUP.
    ///
    /// A file that is being written has its event when it has settled (``FileSettling``).
    public func recheck() {
        for hub in WatchHub.all(for: engine) {
            hub.recheck(token)
        }
    }

    /// The engine in use, the reason for it, and the state of each watched path.
    public var status: FileWatcherStatus {
        let hubs = WatchHub.all(for: engine)
        let paths = hubs.flatMap { $0.paths(of: token, requested: self.engine) }.sorted { $0.path < $1.path }
        let (engine, reason) = WatchHub.choice(for: engine)
        return FileWatcherStatus(engine: engine, reason: reason, paths: paths)
    }
}
