#if Etcd
    import PrefsSystem

    /// Wakes the threads that wait until something has become true.
    final class Announcement: Sendable {
        private let next = Lock(BlockingPromise<Void>())

        /// Makes the waiting threads check their conditions again.
        func post() {
            let new = BlockingPromise<Void>()
            let present = next.withLock { next in
                defer { next = new }
                return next
            }
            present.open(())
        }

        /// Waits until a condition holds, which is checked after every ``post()``; returns false if the deadline
        /// passes first.
        func wait(until deadline: ContinuousClock.Instant, _ condition: () -> Bool) -> Bool {
            while true {
                // Obtained before the check, so that what is posted meanwhile is not missed.
                let post = next.withLock { $0 }
                if condition() { return true }
                guard post.wait(until: deadline) != nil else { return false }
            }
        }
    }
#endif
