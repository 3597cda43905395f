import PrefsSystem

/// One engine with its thread, shared by all watchers of the process that use that engine.
///
/// One mutex protects all state; it is never held while a callback runs. The thread exists while there are
/// watches and for a short time afterwards: closing inotify takes the kernel some milliseconds, which a
/// caller that watches again immediately should not pay for. A manual engine has no thread before its first
/// event.
///
/// After a round, the thread may do work that blocks, such as calling the program's observers, because waking
/// another thread for it would take longer than the rest of the round. If that work lasts, a standby thread
/// takes the watching over, and the first thread ends with its work.
final class WatchHub: Sendable {
    enum Kind: Sendable {
        case kernel, inotifyTools, polling, manual
    }

    struct State {
        var core: WatchCore
        var wakeup: Wakeup?
        /// The mount table, watched as long as inotify is used.
        var mounts: MountTable?
        var hasThread = false
        /// The number of the thread, of all that this hub has had. One with a smaller number has been replaced.
        var number: UInt64 = 0
        /// The identifier of the thread, once it runs.
        var thread: UInt?
        /// The work of a round that the thread is doing.
        var work: Work?
        var standby: StandbyTimer?
        var isDelivering = false
        /// True while a thread polls.
        var isPolling = false
        /// The thread's current wait; nil if it is awake.
        var wait: PollWait?
        var emptySince: ContinuousClock.Instant?
        /// Subscriptions to be added by the thread of a thread-bound engine.
        var inbox: [PendingSubscription] = []
        var rejection: EngineRejection?
    }

    let kind: Kind
    let idleTimeout: Duration
    /// The number of dead watches that an engine may accumulate before it is reopened.
    let leakLimit: Int
    let state: Lock<State>

    init(_ kind: Kind, idleTimeout: Duration = .milliseconds(100), leakLimit: Int = 16_384) {
        self.kind = kind
        self.idleTimeout = idleTimeout
        self.leakLimit = leakLimit
        state = Lock(State(core: WatchCore(kind.mode)))
    }

    /// Adds a subscription; throws if this engine cannot be used at all.
    func add(_ subscription: Subscription) throws(EngineRejection) {
        if let answer = addOrPost(subscription) {
            if case .rejected(let rejection) = answer.wait() { throw rejection }
        }
    }

    /// Ends a subscription.
    func remove(_ subscription: Subscription) {
        state.withLock { state in
            state.inbox.removeAll { $0.subscription === subscription }
            state.core.remove(subscription)
            // The thread has watches to remove, or has to stop.
            state.wake()
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
        let signatures = paths.mapValues { kind == .manual ? nil : FileSignature(path: $0) }
        state.withLock { state in
            state.core.send(source, signatures: signatures, where: isIncluded)
            if state.core.isUrgent { state.startThread(of: self) }
            state.wake()
        }
    }

    /// Adds a subscription or, if only the thread may do that, posts it and returns the promise to wait
    /// for.
    private func addOrPost(_ subscription: Subscription) -> BlockingPromise<PendingSubscription.Answer>? {
        // A network file system that hangs holds up this caller here, not all callers while it has the mutex.
        if kind != .manual { _ = FileSignature(path: subscription.key.path) }
        return state.withLock { state in
            state.emptySince = nil
            if kind != .manual { state.startThread(of: self) }
            if kind == .inotifyTools, state.thread != BackgroundThread.current {
                return state.post(subscription)
            }
            openIfNeeded(&state)
            state.core.add(subscription, now: .now)
            state.wakeIfLate()
            return nil
        }
    }
}
