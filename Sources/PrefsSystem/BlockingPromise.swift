#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A result that one thread waits for and another provides.
// Sendable: `answer` is only touched with the mutex held; the two pointers never change.
@safe package final class BlockingPromise<Answer: Sendable>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var answer: Answer?

    package init() {
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(condition, nil)
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
}
