import PrefsSystem
extension WatchHub {
    /// Runs the thread's loop until there is nothing left to watch.
    func run() {
        var wasCalled = false
        while let sleep = prepare(wasCalled: wasCalled) {
            wasCalled = sleep()
            let turn = turn()
            for delivery in turn.deliveries {
                delivery.subscription.deliver(delivery.event)
            }
            for delivery in turn.deliveries { delivery.subscription.endRound() }
            if turn.wantsLook { look() }
        }
    }

    /// Removes idle watches, adds the posted subscriptions, and returns the next wait; nil when there is
    /// nothing left to watch.
    private func prepare(wasCalled: Bool) -> Sleep? {
        state.withLock { state in
            state.isDelivering = false
            state.thread = BackgroundThread.current
            state.wakeup = state.wakeup ?? Wakeup()
            if wasCalled { state.wakeup?.quiet() }
            renewIfWornOut(&state)
            openIfWanted(&state)
            receive(&state)
            state.core.tidy()
            if state.core.isEmpty, hasLingered(&state) {
                stop(&state)
                return nil
            }
            let sleep = Sleep(
                wakeup: state.wakeup?.reader, source: state.core.source?.descriptor,
                until: state.wakeTime(linger: linger))
            state.sleep = sleep
            return sleep
        }
    }

    private func turn() -> (deliveries: [WatchCore.Delivery], wantsLook: Bool) {
        state.withLock { state in
            state.sleep = nil
            let now = ContinuousClock.now
            let deliveries = state.core.turn(now: now)
            if !deliveries.isEmpty { state.beginDelivering() }
            return (deliveries, state.core.schedule.due.map { $0 <= now } ?? false)
        }
    }

    /// Polls the paths that are due, without holding the mutex, because it may take long.
    private func look() {
        var looks = state.withLock { $0.core.looks(now: .now) }
        guard !looks.isEmpty else { return }
        for index in looks.indices {
            looks[index].signature = FileSignature(path: looks[index].path)
        }
        let seen = looks
        state.withLock { $0.core.compare(seen, now: .now) }
    }

    /// Adds the posted subscriptions.
    private func receive(_ state: inout State) {
        for posted in state.inbox {
            if let rejection = state.rejection, state.core.isEmpty, !posted.isLate {
                posted.gate.open(.rejected(rejection))
                continue
            }
            if posted.isLate {
                state.core.addLate(posted.subscription, now: .now)
            } else {
                state.core.add(posted.subscription, now: .now)
            }
            posted.gate.open(.armed)
        }
        state.inbox = []
    }

    private func hasLingered(_ state: inout State) -> Bool {
        let since = state.emptySince ?? .now
        state.emptySince = since
        return since.duration(to: .now) >= linger
    }

    /// Closes the engine at the end of the thread. Closing takes some milliseconds, and happens with the
    /// mutex held because no second instance may be opened meanwhile.
    private func stop(_ state: inout State) {
        state.core.close()
        state.wakeup?.close()
        state = State(core: WatchCore(kind.sense), rejection: state.rejection)
    }
}

extension WatchHub.State {
    fileprivate func wakeTime(linger: Duration) -> ContinuousClock.Instant? {
        if core.isUrgent { return .now }
        // Without a descriptor no other thread can wake this one, so it wakes periodically.
        let restless = wakeup == nil ? ContinuousClock.now + .milliseconds(100) : nil
        return earliest(earliest(core.due, emptySince.map { $0 + linger }), restless)
    }
}
