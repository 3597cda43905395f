import PrefsSystem

/// Tells the watches of one watcher from those of another.
final class WatcherToken: Sendable {}

/// One consumer of one path.
final class Subscription: Sendable {
    /// The path as it was given.
    let path: String
    let key: WatchedPath.Key
    let watcher: WatcherToken
    private let handler: Lock<Handler?>
    private let onRoundEnd: (@Sendable () -> Void)?

    // A generic lock that held the closure itself would wrap it once more whenever it is taken, and never
    // unwrap it.
    private struct Handler: Sendable {
        let call: @Sendable (FileEvent) -> Void
    }

    init(
        path: String, settling: FileSettling, safetyPoll: Duration?, watcher: WatcherToken,
        handler: @escaping @Sendable (FileEvent) -> Void, onRoundEnd: (@Sendable () -> Void)? = nil
    ) {
        self.path = path
        key = WatchedPath.Key(path: Self.absolute(path), settling: settling, safetyPoll: safetyPoll)
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

    /// Says that every event of a round has been delivered.
    func endRound() {
        guard let onRoundEnd, handler.withLock({ $0 != nil }) else { return }
        onRoundEnd()
    }

    /// Drops the handler; false if that was done already.
    func end() -> Bool {
        // What the handler holds must not be released under the lock: it may hold the watch itself.
        let last = handler.withLock { handler in
            defer { handler = nil }
            return handler
        }
        return last != nil
    }

    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let current = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(current) }
        return unsafe String(cString: current) + "/" + path
    }
}
