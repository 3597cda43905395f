import PrefsSystem

// Only the thread that leads the loop calls libinotifytools: it has one instance for the whole process, and two
// threads that used it at the same time would corrupt it.
extension WatchHub {
    private enum Answer: Sendable {
        case added
        /// No thread leads. The caller does not wait for one, because the threads that there are may be waiting for
        /// the caller: the subscription is added later.
        case deferred
        case rejected(EngineRejection)
    }

    /// Has the leading thread add a subscription, and waits for it. That thread never waits for a callback, so the
    /// caller may be in one.
    func addOnLeadingThread(_ subscription: Subscription) throws(EngineRejection) {
        let answer = BlockingPromise<Answer>()
        loop.callOnLeadingThread {
            answer.open(self.addNow(subscription))
        } otherwise: {
            answer.open(self.addLater(subscription))
        }
        if case .rejected(let rejection) = answer.wait() { throw rejection }
    }

    private func addNow(_ subscription: Subscription) -> Answer {
        state.withLock { state in
            openIfNeeded(&state)
            if let rejection = state.rejection, state.core.isEmpty { return .rejected(rejection) }
            state.core.add(subscription, now: now)
            arm(&state)
            return .added
        }
    }

    private func addLater(_ subscription: Subscription) -> Answer {
        state.withLock { state in
            state.deferred.append(subscription)
            arm(&state)
            return .deferred
        }
    }

    /// Adds the subscriptions for which no thread led.
    func addDeferred(_ state: inout State) {
        if state.deferred.isEmpty { return }
        openIfNeeded(&state)
        for subscription in state.deferred { state.core.addDeferred(subscription, now: now) }
        state.deferred = []
    }
}
