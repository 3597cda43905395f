#if Etcd
    import PrefsSystem

    /// Wakes threads that wait for a condition to become true.
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

        /// Waits until a condition is true. It is checked after every ``post()``. Returns false if the deadline
        /// passes first.
        func wait(until deadline: ContinuousClock.Instant, _ condition: () -> Bool) -> Bool {
            while true {
                // Get the promise before the check, so that a post during the check is not missed.
                let post = next.withLock { $0 }
                if condition() { return true }
                guard post.wait(until: deadline) != nil else { return false }
            }
        }
    }
#endif
