import PrefsSystem

// Only the leading thread of the loop calls libinotifytools: it has one instance for the whole process, and two
// threads that used it at the same time would corrupt it.
extension WatchHub {
    /// Lets the leading thread add a subscription, and waits for that. The leading thread never waits for a
    /// callback, so the caller may be in one.
    ///
    /// If no thread leads, the caller does not wait for one, because all existing threads may be waiting for the
    /// caller. The subscription is not added, and goes to the next engine.
    func addOnLeadingThread(_ subscription: Subscription) -> Problem? {
        callOnLeadingThread { $0.addNow(subscription) }
            ?? Problem(reason: "no thread can be created that calls libinotifytools")
    }

    /// Reads the events that the kernel has queued until now.
    ///
    /// Call it without holding a mutex: it may wait for the leading thread of the loop.
    func synchronize() {
        if engine == .inotifyTools {
            _ = callOnLeadingThread { $0.synchronizeNow() }
        } else {
            synchronizeNow()
        }
    }

    private func synchronizeNow() {
        state.withLock { state in
            state.core.synchronize(now: now)
            arm(&state)
        }
    }

    /// Returns the answer of the leading thread; `nil` if no thread leads.
    private func callOnLeadingThread<Answer: Sendable>(
        _ body: @escaping @Sendable (WatchHub) -> Answer
    ) -> Answer? {
        let answer = BlockingPromise<Answer?>()
        loop.callOnLeadingThread {
            answer.open(body(self))
        } otherwise: {
            answer.open(nil)
        }
        return answer.wait()
    }
}
