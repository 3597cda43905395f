/// One path being watched. Watching ends with ``cancel()`` or with this object.
public final class FileWatch: Sendable {
    /// The path as it was given to the watcher.
    public let path: String
    private let subscription: Subscription
    private let hub: WatchHub

    init(_ subscription: Subscription, on hub: WatchHub) {
        path = subscription.path
        self.subscription = subscription
        self.hub = hub
    }

    deinit {
        cancel()
    }

    /// Ends watching. No callback starts after it returned; one that runs is not waited for, so it may be
    /// called from within the callback. A second call does nothing.
    public func cancel() {
        if subscription.end() {
            hub.remove(subscription)
        }
    }
}
