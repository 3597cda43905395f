import PrefsSystem

extension WatchHub {
    /// The reason why the loop calls a hub.
    enum Cause {
        case events, mountChange, timer
    }

    /// Decides which paths have changed. Returns the delivery of the due events, or the polls, as work. The
    /// leading thread of the loop calls it.
    func serve(_ cause: Cause) -> EventLoop.Work? {
        state.withLock { state -> EventLoop.Work? in
            let now = self.now
            switch cause {
            case .events: break
            case .mountChange: state.core.invalidateAll(.mounted, source: .mount)
            case .timer:
                // If this timer went off just after it was replaced, keep the new one, which may have to be
                // cancelled.
                if state.timer.map({ $0.due <= now }) ?? false { state.timer = nil }
            }
            if isIdleTimeoutOver(state, at: now) {
                stop(&state)
                return nil
            }
            let deliveries = state.core.processEvents(now: now, isDelivering: state.isDelivering)
            if !deliveries.isEmpty { state.isDelivering = true }
            let polling = poll(&state, at: now)
            reopenIfNeeded(&state)
            openIfNeeded(&state)
            if !state.isDelivering { state.core.removeIdleWatches() }
            arm(&state)
            if deliveries.isEmpty { return polling }
            if let polling { loop.post(.own, polling) }
            return { [self] in deliver(deliveries) }
        }
    }

    /// Calls the handlers, and then ends the round.
    private func deliver(_ deliveries: [WatchCore.Delivery]) {
        for delivery in deliveries { delivery.subscription.deliver(delivery.event) }
        for delivery in deliveries { delivery.subscription.endRound() }
        state.withLock { state in
            state.isDelivering = false
            state.core.removeIdleWatches()
            arm(&state)
        }
    }

    /// Returns the polling of the paths that are due, as work of its own. A network file system may hold it up,
    /// so events of other paths do not wait for it. While it is held up, no path is polled.
    private func poll(_ state: inout State, at now: Instant) -> EventLoop.Work? {
        guard state.core.isPollDue(now: now) else { return nil }
        if state.isPolling {
            state.core.skipDuePolls(now: now)
            return nil
        }
        let polls = state.core.takeDuePolls(now: now)
        if polls.isEmpty { return nil }
        state.isPolling = true
        return { [self] in finish(polls) }
    }

    private func finish(_ polls: [WatchCore.Poll]) {
        let polled = polls.map { poll in
            var poll = poll
            poll.signature = FileSignature(path: poll.path)
            return poll
        }
        state.withLock { state in
            state.isPolling = false
            state.core.compare(polled, now: now)
            arm(&state)
        }
    }

    /// Makes the loop call this hub for the events of its descriptors, and when something is due.
    func arm(_ state: inout State) {
        if !state.isIdle {
            state.emptySince = nil
        } else if state.emptySince == nil {
            state.emptySince = now
        }
        let descriptor = state.core.backend?.descriptor
        if descriptor != state.events?.descriptor {
            if let events = state.events { loop.deregister(events.registration) }
            state.events = descriptor.map { descriptor in
                (descriptor, loop.register(descriptor, for: Int16(POLLIN)) { [self] in serve(.events) })
            }
        }
        if state.mountChanges == nil, let mounts = state.mounts {
            state.mountChanges = loop.register(mounts.descriptor, for: Int16(POLLPRI)) { [self] in
                serve(.mountChange)
            }
        }
        setTimer(&state)
    }

    private func setTimer(_ state: inout State) {
        let due = dueTime(state)
        if due == state.timer?.due { return }
        if let old = state.timer { loop.cancel(old.timer) }
        state.timer = due.map { due in
            (due, loop.setTimer(at: start.duration(to: due)) { [self] in serve(.timer) })
        }
    }

    private func dueTime(_ state: State) -> Instant? {
        let isUrgent =
            state.core.isUrgent(isDelivering: state.isDelivering)
            || !state.isPolling && !state.core.unreached.isEmpty
        if isUrgent { return start }
        return earliest(state.core.due(isDelivering: state.isDelivering), closingTime(state))
    }

    /// The time when an engine without watches is closed.
    private func closingTime(_ state: State) -> Instant? {
        state.core.mode == .inotify && state.isIdle ? state.emptySince.map { $0 + idleTimeout } : nil
    }

    private func isIdleTimeoutOver(_ state: State, at now: Instant) -> Bool {
        closingTime(state).map { $0 <= now } ?? false
    }

    /// Closes the engine. This takes some milliseconds. The mutex stays held, because no second instance may be
    /// opened meanwhile.
    private func stop(_ state: inout State) {
        if let events = state.events { loop.deregister(events.registration) }
        if let mountChanges = state.mountChanges { loop.deregister(mountChanges) }
        if let timer = state.timer { loop.cancel(timer.timer) }
        state.core.close()
        state.mounts?.close()
        state = State(core: WatchCore(state.core.mode), rejection: state.rejection)
    }
}

extension WatchHub.State {
    /// True if there is nothing to watch and nothing under way.
    fileprivate var isIdle: Bool { core.isEmpty && !isDelivering && !isPolling }
}
