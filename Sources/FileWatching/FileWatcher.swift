/// Says when the content behind a path may have changed, whatever way it was changed.
///
/// ```swift
/// let watch = FileWatcher.shared.watch("/etc/app.conf") { event in
///     reload(event.path)
/// }
/// ```
///
/// **Paths, not inodes.** A path is watched with every directory and symbolic link on its way, so a renamed
/// parent, a re-pointed link or a replaced file is a change like any other. It may name a file or a
/// directory; the content of a directory is its listing. It need not exist: it is watched for its birth, and
/// nothing is created.
///
/// **Callbacks** come one at a time on a thread of the package, which all watchers with the same engine
/// share, outside all locks. They may watch, cancel and read; while one runs, no other does. All signals are
/// blocked in that thread, and it ends when the last watch does.
///
/// **What no inotify can see** is found by a slow poll (``init(engine:settling:safetyPoll:)``): a file system
/// mounted over the path, an overlay's lower or upper directory edited from outside, a store through `mmap`
/// that stays mapped. Network file systems are polled as a matter of course.
///
/// **Fork.** All descriptors are close-on-exec, so a child that execs inherits nothing. Neither threads nor
/// Swift's locks survive a `fork` without exec: a daemon forks before it watches.
public final class FileWatcher: Sendable {
    /// The watcher that is used unless another one is given: automatic, standard settling, 30 s safety poll.
    public static let shared = FileWatcher()

    private let engine: FileWatcherEngine
    private let settling: FileSettling
    private let safetyPoll: Duration?
    private let token = WatcherToken()

    /// - Parameters:
    ///   - engine: where events come from. Engines are shared by the whole process, so a second watcher costs
    ///     nothing and a path watched by both is watched once.
    ///   - settling: how long to leave a file alone that is being written.
    ///   - safetyPoll: how often to look at every path whether or not there was an event; nil for never.
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
    /// Watching is in place before this returns: what is read afterwards can miss no change. It never fails;
    /// a path that the engine cannot watch is polled, and ``status`` says why. A relative path is taken from
    /// the directory that is current now.
    ///
    /// - Parameters:
    ///   - path: a file or directory, there or not.
    ///   - onEvent: called on the watcher's thread, never from within this call.
    public func watch(_ path: String, onEvent: @escaping @Sendable (FileEvent) -> Void) -> FileWatch {
        let subscription = Subscription(
            path: path, settling: settling, safetyPoll: safetyPoll, watcher: token, handler: onEvent)
        return FileWatch(subscription, on: WatchHub.place(subscription, on: engine), asked: engine)
    }

    /// The same, and calls `onRoundEnd` on the watcher's thread after the last callback of each round in which
    /// this watch had an event: what the kernel told of several paths in one reading comes in one round.
    package func watch(
        _ path: String, onEvent: @escaping @Sendable (FileEvent) -> Void,
        onRoundEnd: @escaping @Sendable () -> Void
    ) -> FileWatch {
        let subscription = Subscription(
            path: path, settling: settling, safetyPoll: safetyPoll, watcher: token, handler: onEvent,
            onRoundEnd: onRoundEnd)
        return FileWatch(subscription, on: WatchHub.place(subscription, on: engine), asked: engine)
    }

    /// The events of `path` as an asynchronous sequence; watching is in place before this returns.
    public func events(for path: String) -> FileEvents {
        FileEvents(of: path, from: self)
    }

    /// Sends every watch of this watcher an event, as a daemon wants it on SIGHUP.
    public func recheck() {
        for hub in WatchHub.all(for: engine) {
            hub.recheck(token)
        }
    }

    /// The engine in use and why, and how each path is watched.
    public var status: FileWatcherStatus {
        let hubs = WatchHub.all(for: engine)
        let paths = hubs.flatMap { $0.paths(of: token, asked: self.engine) }.sorted { $0.path < $1.path }
        let (engine, reason) = WatchHub.choice(for: engine)
        return FileWatcherStatus(engine: engine, reason: reason, paths: paths)
    }
}
