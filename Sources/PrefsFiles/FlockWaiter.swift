import PrefsSystem

#if os(Linux)
    /// Waits for a contended `flock`, with a time limit.
    ///
    /// The kernel queues the threads that block in `flock` and serves them in order, but without a time
    /// limit; polling has a limit but loses to a writer that locks in a tight loop. So a helper thread
    /// blocks, and the waiting thread may give up; the helper then releases the lock once it acquires it.
    final class FlockWaiter: Sendable {
        private enum State {
            case waiting
            case ended(Result<CInt, Errno>)
            case abandoned
        }

        private let file: Descriptor
        private let ended = Semaphore()
        private let state = Lock(State.waiting)

        private init(_ file: consuming Descriptor) {
            self.file = file
        }

        /// Locks the file; returns false if the deadline passes first.
        ///
        /// The lock belongs to the open file description, so it outlives the helper's own descriptor.
        static func wait(
            for file: borrowing Descriptor, until deadline: ContinuousClock.Instant
        ) throws(Errno) -> Bool {
            let queue = FlockWaiter(try duplicate(file.number))
            try queue.start()
            queue.ended.wait(until: deadline)
            return try queue.takeOver()
        }

        private static func duplicate(_ number: CInt) throws(Errno) -> Descriptor {
            Descriptor(try retryingInterrupts { fcntl(number, F_DUPFD_CLOEXEC, 3) }.get())
        }

        private func takeOver() throws(Errno) -> Bool {
            let result: Result<CInt, Errno>? = state.withLock { state in
                if case .ended(let result) = state { return result }
                state = .abandoned
                return nil
            }
            guard let result else { return false }
            _ = try result.get()
            return true
        }

        private func start() throws(Errno) {
            guard BackgroundThread.start(named: "prefs-lock", { self.run() }) else {
                throw Errno(EAGAIN)
            }
        }

        private func run() {
            let number = file.number
            let result = retryingInterrupts { flock(number, LOCK_EX) }
            let isWanted = state.withLock { state in
                if case .abandoned = state { return false }
                state = .ended(result)
                return true
            }
            if !isWanted { flock(number, LOCK_UN) }
            ended.signal()
        }
    }

    /// A POSIX semaphore. Sendable: it is initialized for use by several threads, and its address never
    /// changes.
    @safe
    private final class Semaphore: @unchecked Sendable {
        private let semaphore: UnsafeMutablePointer<sem_t>

        init() {
            unsafe semaphore = .allocate(capacity: 1)
            unsafe sem_init(semaphore, 0, 0)
        }

        deinit {
            unsafe sem_destroy(semaphore)
            unsafe semaphore.deallocate()
        }

        func signal() {
            unsafe sem_post(semaphore)
        }

        func wait(until deadline: ContinuousClock.Instant) {
            while ContinuousClock.now < deadline {
                var time = Self.wallTime(after: ContinuousClock.now.duration(to: deadline))
                if unsafe sem_timedwait(semaphore, &time) == 0 { return }
            }
        }

        /// The wall clock may jump, so each wait lasts at most one second before the monotonic clock is
        /// checked.
        private static func wallTime(after duration: Duration) -> timespec {
            var time = timespec()
            unsafe clock_gettime(CLOCK_REALTIME, &time)
            let (seconds, attoseconds) = min(duration, .seconds(1)).components
            let nanoseconds = time.tv_nsec + Int(attoseconds / 1_000_000_000)
            time.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
            time.tv_nsec = nanoseconds % 1_000_000_000
            return time
        }
    }
#else
    /// Waits for a contended `flock` with a time limit by polling, on systems whose semaphores have no timed
    /// wait.
    enum FlockWaiter {
        static func wait(
            for file: borrowing Descriptor, until deadline: ContinuousClock.Instant
        ) throws(Errno) -> Bool {
            let number = file.number
            while ContinuousClock.now < deadline {
                if flock(number, LOCK_EX | LOCK_NB) == 0 { return true }
                let error = Errno.last
                guard error.code == EWOULDBLOCK || error.code == EINTR else { throw error }
                usleep(1000)
            }
            return false
        }
    }
#endif
