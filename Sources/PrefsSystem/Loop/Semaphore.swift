/// A counting semaphore.
// Sendable: the pointer never changes, and the functions of `sem_overview(7)` may be called by several threads at once.
@safe package final class Semaphore: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    package init() { unsafe sem_init(semaphore, 0, 0) }

    deinit {
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    /// Lets one waiting thread, or the next that would wait, go on.
    package func signal() { unsafe sem_post(semaphore) }

    package func wait() {
        // A signal handler ends the call early.
        while unsafe sem_wait(semaphore) != 0 {}
    }
}
