import PrefsSystem
/// One engine with its thread, shared by all watchers of the process that use that engine.
///
/// All state is under one lock, which is never held while a callback runs. A thread is there while there are
/// watches, and for a moment after: closing inotify takes the kernel some milliseconds, which nobody should
/// pay who watches again right away.
final class WatchHub: Sendable {
    enum Kind: Sendable {
        case kernel, inotifyTools, polling, manual
    }

    struct State {
        var core: WatchCore
        var wakeup: Wakeup?
        var hasThread = false
        /// The thread, once it runs.
        var thread: UInt?
        var isDelivering = false
        /// How long the thread sleeps; nil if it is awake.
        var sleep: Sleep?
        var emptySince: ContinuousClock.Instant?
        /// Subscriptions for a thread-bound engine to arm.
        var inbox: [Posted] = []
        var refusal: EngineRefusal?
    }

    let kind: Kind
    let linger: Duration
    /// How many dead watches an engine may leave behind before it is opened anew.
    let wear: Int
    let state: Lock<State>

    init(_ kind: Kind, linger: Duration = .milliseconds(100), wear: Int = 16_384) {
        self.kind = kind
        self.linger = linger
        self.wear = wear
        state = Lock(State(core: WatchCore(kind.sense)))
    }

    /// Begins a subscription; throws if this engine cannot be used at all.
    func add(_ subscription: Subscription) throws(EngineRefusal) {
        if let gate = begin(subscription) {
            if case .refused(let refusal) = gate.wait() { throw refusal }
        }
    }

    /// Ends a subscription.
    func remove(_ subscription: Subscription) {
        state.withLock { state in
            state.inbox.removeAll { $0.subscription === subscription }
            state.core.remove(subscription)
            // The thread has watches to give back, or to stop.
            state.wake()
        }
    }

    /// Sends every subscription of a watcher an event.
    func recheck(_ watcher: WatcherToken) {
        send(.recheck) { $0.watcher === watcher }
    }

    /// Sends the subscriptions of a path an event.
    func signal(_ path: String) {
        send(.manual) { $0.path == path }
    }

    private func send(_ source: FileEvent.Source, where isMeant: @Sendable (Subscription) -> Bool) {
        state.withLock { state in
            state.core.send(source, where: isMeant)
            state.wake()
        }
    }

    /// Arms a subscription, or posts it to the thread that may; then there is something to wait for.
    private func begin(_ subscription: Subscription) -> Gate<Posted.Answer>? {
        state.withLock { state in
            state.emptySince = nil
            state.startThread(of: self)
            if kind == .inotifyTools, state.thread != BackgroundThread.current {
                return state.post(subscription)
            }
            openIfWanted(&state)
            state.core.add(subscription, now: .now)
            state.wakeIfLate()
            return nil
        }
    }
}
