import PrefsSystem

extension WatchHub {
    /// A subscription to be added by the hub's own thread.
    struct PendingSubscription: Sendable {
        enum Answer: Sendable {
            case added
            /// The thread is in a callback, which may be waiting for the caller: the subscription is added
            /// afterwards.
            case deferred
            case rejected(EngineRejection)
        }

        var subscription: Subscription
        var promise: BlockingPromise<Answer>
        var isDeferred = false
    }
}

extension WatchHub.Kind {
    var mode: WatchCore.EventMode {
        switch self {
        #if os(Linux)
            case .kernel, .inotifyTools: .inotify
        #else
            case .kernel, .inotifyTools: .polling
        #endif
        case .polling: .polling
        case .manual: .manual
        }
    }
}

extension WatchHub.State {
    /// Starts the thread if there is none. If that fails, no change is noticed until a later call succeeds.
    mutating func startThread(of hub: WatchHub) {
        guard !hasThread else { return }
        wakeup = wakeup ?? Wakeup()
        hasThread = startNextThread(of: hub)
    }

    /// Starts a thread that replaces the present one; returns false if none can be created.
    mutating func startNextThread(of hub: WatchHub) -> Bool {
        let next = number + 1
        guard BackgroundThread.start(named: "file-watching", { hub.run(as: next) }) else { return false }
        number = next
        return true
    }

    /// Posts a subscription; returns the promise to wait for, or nil if the caller must not wait.
    mutating func post(_ subscription: Subscription) -> BlockingPromise<WatchHub.PendingSubscription.Answer>?
    {
        var posted = WatchHub.PendingSubscription(subscription: subscription, promise: BlockingPromise())
        // A thread in a callback may be waiting for the caller; without a thread there would be no answer.
        posted.isDeferred = isDelivering || !hasThread
        inbox.append(posted)
        wake()
        return posted.isDeferred ? nil : posted.promise
    }

    /// Releases all callers that wait for the thread, before it runs callbacks.
    mutating func beginDelivering() {
        isDelivering = true
        for index in inbox.indices where !inbox[index].isDeferred {
            inbox[index].isDeferred = true
            inbox[index].promise.open(.deferred)
        }
    }

    func wake() {
        if wait != nil { wakeup?.signal() }
    }

    /// Wakes the thread if it would otherwise wait too long.
    func wakeIfLate() {
        guard let wait else { return }
        let due = core.isUrgent ? ContinuousClock.now : core.due
        let isLate = due.map { due in wait.until.map { due < $0 } ?? true } ?? false
        if isLate || core.backend?.descriptor != wait.events || mounts?.descriptor != wait.mounts { wake() }
    }
}
