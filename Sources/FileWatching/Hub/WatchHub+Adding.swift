import PrefsSystem

// Only the thread that leads the loop calls libinotifytools: it has one instance for the whole process, and two
// threads that used it at the same time would corrupt it.
extension WatchHub {
    /// Has the leading thread add a subscription, and waits for it. That thread never waits for a callback, so the
    /// caller may be in one.
    ///
    /// If no thread leads, the caller does not wait for one, because the threads that there are may be waiting for
    /// the caller: the subscription is not added, and goes to the next engine.
    func addOnLeadingThread(_ subscription: Subscription) -> Problem? {
        let rejection = BlockingPromise<Problem?>()
        loop.callOnLeadingThread {
            rejection.open(self.addNow(subscription))
        } otherwise: {
            rejection.open(Problem(reason: "no thread can be created that calls libinotifytools"))
        }
        return rejection.wait()
    }
}
