import PrefsSystem

/// One engine, shared by all watchers of the process that use it. It is a client of the event loop.
///
/// One mutex protects all state; it is never held while a callback runs. The leading thread of the loop calls
/// ``serve(_:)`` when inotify or the mount table has events, and when something is due. ``serve(_:)`` decides
/// which paths have changed, and returns the callbacks as work. While a callback runs, events are still read,
/// and due events wait for the end of the callback.
///
/// The engine is open while there are watches, and for a short time afterwards. Closing inotify takes the kernel
/// some milliseconds, and a caller that watches again immediately should not pay for that.
final class WatchHub: Sendable {
    typealias Instant = WatchCore.Instant

    struct State {
        var core: WatchCore
        /// The mount table, watched as long as inotify is used.
        var mounts: MountTable?
        /// The descriptor of the engine that the loop waits for.
        var events: (descriptor: Int32, registration: EventLoop.Registration)?
        var mountChanges: EventLoop.Registration?
        /// The next time when the loop calls the hub.
        var timer: (due: Instant, timer: EventLoop.Timer)?
        /// True while a thread delivers events.
        var isDelivering = false
        /// True while a thread polls.
        var isPolling = false
        var emptySince: Instant?
        /// The reason why this engine cannot be used at all, so that another one must be chosen.
        var rejection: Problem?
    }

    /// The engine; `nil` for a manual engine. There may be several manual engines.
    let engine: FileWatcherEngine?
    let idleTimeout: Duration
    /// The number of dead watches that an engine may accumulate before it is reopened.
    let leakLimit: Int
    let loop: EventLoop
    let state: Lock<State>
    /// The moment when the loop's time was 0.
    let start: Instant

    init(
        _ engine: FileWatcherEngine?, idleTimeout: Duration = .milliseconds(100), leakLimit: Int = 16_384,
        loop: EventLoop = .shared
    ) {
        self.engine = engine
        self.idleTimeout = idleTimeout
        self.leakLimit = leakLimit
        self.loop = loop
        start = .now - loop.now
        let mode: WatchCore.EventMode =
            switch engine {
            case nil: .manual
            case .polling: .polling
            default: .inotify
            }
        state = Lock(State(core: WatchCore(mode)))
    }

    var now: Instant { start + loop.now }

    /// Adds a subscription. Throws if this engine cannot be used at all.
    func add(_ subscription: Subscription) throws(Problem) {
        // A network file system that hangs holds up this caller here, and not all callers while this one has the
        // mutex.
        if engine != nil { _ = FileSignature(path: subscription.key.path) }
        let rejection = engine == .inotifyTools ? addOnLeadingThread(subscription) : addNow(subscription)
        if let rejection { throw rejection }
    }

    /// Adds a subscription. Returns the reason if this engine cannot be used at all.
    func addNow(_ subscription: Subscription) -> Problem? {
        state.withLock { state in
            openIfNeeded(&state)
            if let rejection = state.rejection, state.core.isEmpty { return rejection }
            state.core.add(subscription, now: now)
            arm(&state)
            return nil
        }
    }

    /// Ends a subscription.
    func remove(_ subscription: Subscription) {
        state.withLock { state in
            state.core.remove(subscription)
            if !state.isDelivering { state.core.removeIdleWatches() }
            arm(&state)
        }
    }

    /// Sends an event to every subscription of a watcher.
    func recheck(_ watcher: WatcherToken) {
        send(.recheck) { $0.watcher === watcher }
    }

    /// Sends an event to every subscription of a path.
    func signal(_ path: String) {
        send(.manual) { $0.path.utf8.elementsEqual(path.utf8) }
    }

    private func send(_ source: FileEvent.Source, where isIncluded: @Sendable (Subscription) -> Bool) {
        // Without the mutex, because a network file system may hold up this thread.
        let paths = state.withLock { $0.core.paths(where: isIncluded) }
        let signatures = paths.mapValues { engine == nil ? nil : FileSignature(path: $0) }
        state.withLock { state in
            state.core.send(source, signatures: signatures, where: isIncluded)
            arm(&state)
        }
    }
}
