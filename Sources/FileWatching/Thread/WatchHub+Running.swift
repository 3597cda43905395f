import PrefsSystem

extension WatchHub {
    /// Runs the loop of the thread with a number until there is nothing left to watch, or until another
    /// thread has replaced it.
    func run(as number: UInt64) {
        var outcome = PollWait.Outcome()
        while let wait = prepareWait(wasWoken: outcome.isWoken) {
            outcome = wait.wait()
            let round = processEvents(isMountChange: outcome.isMountChange)
            for delivery in round.deliveries {
                delivery.subscription.deliver(delivery.event)
            }
            let work = round.deliveries.compactMap { $0.subscription.endRound() }
            if !work.isEmpty, !perform(work, as: number) { return }
            if round.isPollDue { poll() }
        }
    }

    /// Removes idle watches, adds the posted subscriptions, and returns the next wait; nil when there is
    /// nothing left to watch.
    private func prepareWait(wasWoken: Bool) -> PollWait? {
        state.withLock { state in
            state.isDelivering = false
            state.thread = BackgroundThread.current
            state.wakeup = state.wakeup ?? Wakeup()
            if wasWoken { state.wakeup?.reset() }
            reopenIfNeeded(&state)
            openIfNeeded(&state)
            addPosted(&state)
            state.core.removeIdleWatches()
            if state.core.isEmpty, isIdleTimeoutOver(&state) {
                stop(&state)
                return nil
            }
            let wait = PollWait(
                wakeup: state.wakeup?.reader, events: state.core.backend?.descriptor,
                mounts: state.mounts?.descriptor, until: state.wakeTime(idleTimeout: idleTimeout))
            state.wait = wait
            return wait
        }
    }

    private func processEvents(isMountChange: Bool) -> (deliveries: [WatchCore.Delivery], isPollDue: Bool) {
        state.withLock { state in
            state.wait = nil
            let now = ContinuousClock.now
            if isMountChange { state.core.invalidateAll(.mounted, source: .mount) }
            let deliveries = state.core.processEvents(now: now)
            if !deliveries.isEmpty { state.beginDelivering() }
            return (deliveries, state.core.isPollDue(now: now))
        }
    }

    /// Polls the paths that are due on a thread of its own, which a network file system may hold up: events of
    /// other paths do not wait for it. While it is held up, no path is polled.
    private func poll() {
        let polls = state.withLock { state in
            if state.isPolling {
                state.core.skipDuePolls(now: .now)
                return [] as [WatchCore.Poll]
            }
            let due = state.core.takeDuePolls(now: .now)
            state.isPolling = !due.isEmpty
            return due
        }
        guard !polls.isEmpty else { return }
        let isStarted = BackgroundThread.start(named: "file-polling") { self.finish(polls) }
        if !isStarted { finish(polls) }
    }

    private func finish(_ polls: [WatchCore.Poll]) {
        let polled = polls.map { poll in
            var poll = poll
            poll.signature = FileSignature(path: poll.path)
            return poll
        }
        state.withLock { state in
            state.isPolling = false
            state.core.compare(polled, now: .now)
            // What became due meanwhile has to be polled, too.
            if state.core.unreached.isEmpty { state.wakeIfLate() } else { state.wake() }
        }
    }

    /// Adds the posted subscriptions.
    private func addPosted(_ state: inout State) {
        for posted in state.inbox {
            if let rejection = state.rejection, state.core.isEmpty, !posted.isDeferred {
                posted.promise.open(.rejected(rejection))
                continue
            }
            if posted.isDeferred {
                state.core.addDeferred(posted.subscription, now: .now)
            } else {
                state.core.add(posted.subscription, now: .now)
            }
            posted.promise.open(.added)
        }
        state.inbox = []
    }

    private func isIdleTimeoutOver(_ state: inout State) -> Bool {
        let since = state.emptySince ?? .now
        state.emptySince = since
        return since.duration(to: .now) >= idleTimeout
    }

    /// Closes the engine at the end of the thread. Closing takes some milliseconds, and happens with the
    /// mutex held because no second instance may be opened meanwhile.
    private func stop(_ state: inout State) {
        state.core.close()
        state.wakeup?.close()
        state.mounts?.close()
        state.standby?.end()
        state = State(core: WatchCore(kind.mode), number: state.number, rejection: state.rejection)
    }
}

extension WatchHub.State {
    fileprivate func wakeTime(idleTimeout: Duration) -> ContinuousClock.Instant? {
        if core.isUrgent || !isPolling && !core.unreached.isEmpty { return .now }
        // Without a descriptor no other thread can wake this one, so it wakes periodically.
        let fallbackWake = wakeup == nil ? ContinuousClock.now + .milliseconds(100) : nil
        return earliest(earliest(core.due, emptySince.map { $0 + idleTimeout }), fallbackWake)
    }
}
