import PrefsSystem
extension WatchHub {
    /// A subscription to be added by the hub's own thread.
    struct Posted: Sendable {
        enum Answer: Sendable {
            case armed
            /// The thread is in a callback, which may be waiting for the caller: the subscription is added
            /// afterwards.
            case later
            case rejected(EngineRejection)
        }

        var subscription: Subscription
        var gate: BlockingPromise<Answer>
        var isLate = false
    }
}

extension WatchHub.Kind {
    var sense: WatchCore.Sense {
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
        hasThread = BackgroundThread.start(named: "file-watching") { hub.run() }
    }

    /// Posts a subscription; returns the gate to wait on, or nil if the caller must not wait.
    mutating func post(_ subscription: Subscription) -> BlockingPromise<WatchHub.Posted.Answer>? {
        var posted = WatchHub.Posted(subscription: subscription, gate: BlockingPromise())
        // A thread in a callback may be waiting for the caller; without a thread there would be no answer.
        posted.isLate = isDelivering || !hasThread
        inbox.append(posted)
        wake()
        return posted.isLate ? nil : posted.gate
    }

    /// Releases all callers that wait for the thread, before it runs callbacks.
    mutating func beginDelivering() {
        isDelivering = true
        for index in inbox.indices where !inbox[index].isLate {
            inbox[index].isLate = true
            inbox[index].gate.open(.later)
        }
    }

    func wake() {
        if sleep != nil { wakeup?.ring() }
    }

    /// Wakes the thread if it would otherwise sleep too long.
    func wakeIfLate() {
        guard let sleep else { return }
        let wanted = core.isUrgent ? ContinuousClock.now : core.due
        let isLate = wanted.map { wanted in sleep.until.map { wanted < $0 } ?? true } ?? false
        if isLate || core.source?.descriptor != sleep.source { wake() }
    }
}
