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

    /// A watcher's knowledge of a revision of the file.
    package enum Knowledge: Sendable {
        /// The last event was about this revision, and no writer had the file open for writing. Or the watcher
        /// found this revision when watching began.
        case whole
        /// A writer has the file open: an event follows.
        case unfinished
        /// The revision may be incomplete, or the file may be missing only for a moment. If so, an event
        /// follows. For example, a file is empty, and somebody may just have begun to write it.
        case doubtful
        /// The revision is not the last one that the watcher knows of.
        ///
        /// If the file still has the same signature after ``synchronize(_:)``, and this is the answer again, the
        /// revision is whole: the watcher would know by now of a writer that began before the first question.
        case unknown
        /// As `unknown`, for a polled path. The next poll finds out whether the revision stays.
        case unpolled
    }

    /// Returns whether a revision of the file is whole, as far as the watcher knows.
    ///
    /// - Parameter signature: The signature of the revision; `nil` if there was no file.
    package func knowledge(of signature: FileSignature?) -> Knowledge {
        hub.knowledge(of: signature, at: subscription)
    }

    /// Makes the watchers of some paths take note of everything that has happened until now.
    ///
    /// Call it without holding a mutex: it may wait for the leading thread of the event loop.
    package static func synchronize(_ watches: some Sequence<FileWatch>) {
        var hubs: [WatchHub] = []
        for watch in watches where !hubs.contains(where: { $0 === watch.hub }) { hubs.append(watch.hub) }
        for hub in hubs { hub.synchronize() }
    }

    /// Ends the watch.
    ///
    /// This method does not wait for a callback that another thread has just taken or is already running, so you may
    /// call it from within the callback. A second call does nothing.
    public func cancel() {
        if subscription.end() {
            hub.remove(subscription)
        }
    }
}
