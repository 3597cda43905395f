/// A watch on one path. It ends when you call ``cancel()`` or release this object.
public final class FileWatch: Sendable {
    /// The path as you passed it to the watcher.
    public let path: String
    private let subscription: Subscription
    private let hub: WatchHub
    private let requested: FileWatcherEngine

    init(_ subscription: Subscription, on hub: WatchHub, requested: FileWatcherEngine) {
        self.requested = requested
        path = subscription.path
        self.subscription = subscription
        self.hub = hub
    }

    deinit {
        cancel()
    }

    /// The current status of the path; `nil` after the watch has ended.
    public var status: FileWatcherStatus.Path? { hub.status(of: subscription, requested: requested) }

    /// A watcher's knowledge of a version of the file.
    package enum Knowledge: Sendable {
        /// The last event was about this version, which no writer had open for writing, or it is the one that was found when
        /// watching began.
        case whole
        /// A writer has the file open: an event follows.
        case unfinished
        /// The version may be incomplete, or the file is missing for a moment only; an event follows if that is so. For example,
        /// a file is empty that somebody may just have begun to write.
        case doubtful
        /// Another version than the last one that the watcher knows of.
        ///
        /// If the file still has the same signature after ``synchronize(_:)``, and this is the answer again, the version is
        /// whole: a writer that began before the first question would be known by now.
        case unknown
        /// As `unknown`, of a path that is polled: the next poll finds out whether it stays.
        case unpolled
    }

    /// Returns whether a version of the file is whole, as far as the watcher knows.
    ///
    /// - Parameter signature: Its signature; nil if there was no file.
    package func knowledge(of signature: FileSignature?) -> Knowledge {
        hub.knowledge(of: signature, at: subscription)
    }

    /// Has the watchers of some paths take note of everything that has happened until now.
    ///
    /// Call it without holding a mutex: it may wait for the thread that leads the event loop.
    package static func synchronize(_ watches: some Sequence<FileWatch>) {
        var hubs: [WatchHub] = []
        for watch in watches where !hubs.contains(where: { $0 === watch.hub }) { hubs.append(watch.hub) }
        for hub in hubs { hub.synchronize() }
    }

    /// Ends the watch.
    ///
    /// No callback starts after this method returns. It does not wait for a callback that is already running, so you
    /// may call it from within the callback. A second call does nothing.
    public func cancel() {
        if subscription.end() {
            hub.remove(subscription)
        }
    }
}
