/// A counting semaphore.
// Sendable: `count` is only touched with the mutex held; the two pointers never change.
@safe package final class Semaphore: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var count = 0

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

    /// Lets one waiting thread, or the next that would wait, go on.
    package func signal() {
        unsafe pthread_mutex_lock(mutex)
        count += 1
        unsafe pthread_mutex_unlock(mutex)
        unsafe pthread_cond_signal(condition)
    }

    package func wait() {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while count == 0 { unsafe pthread_cond_wait(condition, mutex) }
        count -= 1
    }
}
