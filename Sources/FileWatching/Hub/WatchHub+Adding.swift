import PrefsSystem

// Only the thread that leads the loop calls libinotifytools: it has one instance for the whole process, and two
// threads that used it at the same time would corrupt it.
extension WatchHub {
    /// Has the leading thread add a subscription, and waits for it. That thread never waits for a callback, so the
    /// caller may be in one.
    ///
    /// If no thread leads, the caller does not wait for one, because the threads that there are may be waiting for
    /// the caller: the subscription is added later.
    func addOnLeadingThread(_ subscription: Subscription) -> Problem? {
        let rejection = BlockingPromise<Problem?>()
        loop.callOnLeadingThread {
            rejection.open(self.addNow(subscription))
        } otherwise: {
            self.addLater(subscription)
            rejection.open(nil)
        }
        return rejection.wait()
    }

    private func addLater(_ subscription: Subscription) {
        state.withLock { state in
            state.deferred.append(subscription)
            arm(&state)
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
