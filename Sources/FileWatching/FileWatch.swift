/// One path being watched. Watching ends with ``cancel()`` or with this object.
public final class FileWatch: Sendable {
    /// The path as it was given to the watcher.
    public let path: String
    private let subscription: Subscription
    private let hub: WatchHub
    private let asked: FileWatcherEngine

    init(_ subscription: Subscription, on hub: WatchHub, asked: FileWatcherEngine) {
        self.asked = asked
        path = subscription.path
        self.subscription = subscription
        self.hub = hub
    }

    deinit {
        cancel()
    }

    /// How the path is watched at this moment; nil once watching has ended.
    public var status: FileWatcherStatus.Path? { hub.status(of: subscription, asked: asked) }

    /// Ends watching. No callback starts after it returned; one that runs is not waited for, so it may be
    /// called from within the callback. A second call does nothing.
    public func cancel() {
        if subscription.end() {
            hub.remove(subscription)
        }
    }
}
