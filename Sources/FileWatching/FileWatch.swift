/// A watch on one path. Watching ends with ``cancel()`` or when this object is released.
public final class FileWatch: Sendable {
    /// The path as it was given to the watcher.
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

    /// The current status of the path; nil once watching has ended.
    public var status: FileWatcherStatus.Path? { hub.status(of: subscription, requested: requested) }

    /// Ends watching.
    ///
    /// No callback starts after this returns. A callback that is already running is not waited for, so this
    /// may be called from within the callback. A second call does nothing.
    public func cancel() {
        if subscription.end() {
            hub.remove(subscription)
        }
    }
}
