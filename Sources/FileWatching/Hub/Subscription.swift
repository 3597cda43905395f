import PrefsSystem

/// The identity of a watcher. It distinguishes the watcher's subscriptions from others.
final class WatcherToken: Sendable {}

/// One consumer of one path.
final class Subscription: Sendable {
    /// The path as it was given to the watcher.
    let path: String
    let key: WatchedPath.Key
    let watcher: WatcherToken
    private let handler: Lock<Handler?>
    private let onRoundEnd: (@Sendable () -> Void)?

    // Passing a bare closure through the generic mutex would add another layer of wrapping on every access,
    // and never remove it.
    private struct Handler: Sendable {
        let call: @Sendable (FileEvent) -> Void
    }

    init(
        path: String, settling: FileSettling, safetyPoll: Duration?, watcher: WatcherToken,
        handler: @escaping @Sendable (FileEvent) -> Void,
        onRoundEnd: (@Sendable () -> Void)? = nil
    ) {
        self.path = path
        // Without a working directory, a relative path leads nowhere until there is one again.
        let absolute = try? WorkingDirectory.current.absolute(path)
        key = WatchedPath.Key(path: absolute ?? path, settling: settling, safetyPoll: safetyPoll)
        self.watcher = watcher
        self.handler = Lock(Handler(call: handler))
        self.onRoundEnd = onRoundEnd
    }

    func event(_ source: FileEvent.Source, _ signature: FileSignature?) -> FileEvent {
        FileEvent(path: path, source: source, signature: signature)
    }

    /// Runs the handler unless the subscription has ended.
    func deliver(_ event: FileEvent) {
        let handler = handler.withLock { $0 }
        handler?.call(event)
    }

    /// Runs the end-of-round handler, after every event of a round has been delivered.
    func endRound() {
        if handler.withLock({ $0 != nil }) { onRoundEnd?() }
    }

    /// Releases the handler. Returns false if the subscription had already ended.
    func end() -> Bool {
        // The handler must not be released with the mutex held: it may hold the watch itself.
        let last = handler.withLock { handler in
            defer { handler = nil }
            return handler
        }
        return last != nil
    }
}
