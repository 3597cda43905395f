/// A result that one thread waits for and another provides.
// Sendable: `answer` is only touched with the mutex held; the two pointers never change.
@safe package final class BlockingPromise<Answer: Sendable>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var answer: Answer?

    package init() {
        unsafe pthread_mutex_init(mutex, nil)
        // The wall clock may jump.
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    package func open(_ answer: Answer) {
        unsafe pthread_mutex_lock(mutex)
        self.answer = answer
        unsafe pthread_cond_broadcast(condition)
        unsafe pthread_mutex_unlock(mutex)
    }

    package func wait() -> Answer {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let answer { return answer }
            unsafe pthread_cond_wait(condition, mutex)
        }
    }

    /// Waits until a deadline at most. Returns `nil` if there is no answer by then.
    package func wait(until deadline: ContinuousClock.Instant) -> Answer? {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while answer == nil {
            let left = ContinuousClock.now.duration(to: deadline)
            if left <= .zero { return nil }
            var end = Self.time(after: left)
            _ = unsafe pthread_cond_timedwait(condition, mutex, &end)
        }
        return answer
    }

    /// The time of the condition's clock after a duration.
    private static func time(after duration: Duration) -> timespec {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        let nanoseconds = Int64(time.tv_nsec) + duration.clamped.nanoseconds
        time.tv_sec += Int(nanoseconds / 1_000_000_000)
        time.tv_nsec = Int(nanoseconds % 1_000_000_000)
        return time
    }
}
