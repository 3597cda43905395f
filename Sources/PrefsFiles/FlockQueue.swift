import PrefsSystem

/// An open lock file.
final class LockFile: Sendable {
    let descriptor: Descriptor

    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    /// Unlocks explicitly instead of relying on `close`: a child process may hold the same open file
    /// description a little longer.
    deinit { flock(descriptor.number, LOCK_UN) }
}

#if os(Linux)
    /// The threads of this process that wait for a contended `flock`, each with a time limit.
    ///
    /// The kernel queues the threads that block in `flock` and serves them in order, but without a time limit;
    /// polling has a limit but loses to a writer that locks in a tight loop. So one helper thread per lock file
    /// blocks for all that wait for it and hands the locked file to the first of them. If all give up, it still
    /// waits, for those that come later, and ends once it gets the lock: however many writers give up, there is
    /// one thread and one open file for each lock file that another process holds.
    enum FlockQueue {
        fileprivate struct Identity: Hashable {
            let device: dev_t
            let inode: ino_t
        }

        /// The waiting threads by lock file, in order; an entry exists while there is a helper thread.
        ///
        /// Global, because file locks exclude processes: all writers of a process wait in the same queues.
        private static let queues = Lock<[Identity: [FlockWaiter]]>([:])

        /// Waits for the lock on a file; returns the locked file, which may be another open file of the same
        /// lock file, or `nil` if the deadline passes first.
        static func lock(
            _ file: LockFile, until deadline: ContinuousClock.Instant
        ) throws(Errno) -> LockFile? {
            let status = try file.descriptor.status()
            let identity = Identity(device: status.st_dev, inode: status.st_ino)
            let waiter = FlockWaiter(file)
            if join(waiter, identity) { startHelper(for: identity) }
            waiter.wait(until: deadline)
            queues.withLock { queues in queues[identity]?.removeAll { $0 === waiter } }
            return try waiter.takeAnswer()
        }

        /// Adds a thread to a queue; returns true if the queue is new and needs a helper thread.
        private static func join(_ waiter: FlockWaiter, _ identity: Identity) -> Bool {
            queues.withLock { queues in
                defer { queues[identity, default: []].append(waiter) }
                return queues[identity] == nil
            }
        }

        private static func startHelper(for identity: Identity) {
            let isStarted = BackgroundThread.start(named: "prefs-lock") { serve(identity) }
            if !isStarted { end(identity, Errno(EAGAIN)) }
        }

        /// Locks the file for one waiting thread after the other, until none waits.
        private static func serve(_ identity: Identity) {
            while let file = firstFile(identity) {
                let number = file.descriptor.number
                switch retryingInterrupts({ flock(number, LOCK_EX) }) {
                case .success: handOver(file, identity)
                case .failure(let error): return end(identity, error)
                }
            }
        }

        /// Returns the file of the first waiting thread; ends the queue if none waits.
        private static func firstFile(_ identity: Identity) -> LockFile? {
            queues.withLock { queues in
                let first = queues[identity]?.first
                if first == nil { queues[identity] = nil }
                return first?.file
            }
        }

        /// Gives a locked file to the first thread that still waits. If none does, releasing it unlocks it.
        private static func handOver(_ file: LockFile, _ identity: Identity) {
            while let waiter = takeFirst(identity) {
                if waiter.answer(.success(file)) { return }
            }
        }

        private static func takeFirst(_ identity: Identity) -> FlockWaiter? {
            queues.withLock { queues in
                queues[identity]?.isEmpty == false ? queues[identity]?.removeFirst() : nil
            }
        }

        private static func end(_ identity: Identity, _ error: Errno) {
            let waiters = queues.withLock { $0.removeValue(forKey: identity) } ?? []
            for waiter in waiters { _ = waiter.answer(.failure(error)) }
        }
    }

    /// A thread that waits in a queue, and the lock file that it has opened.
    private final class FlockWaiter: Sendable {
        private enum State {
            case waiting
            case answered(Result<LockFile, Errno>)
            case over
        }

        let file: LockFile
        private let isAnswered = Semaphore()
        private let state = Lock(State.waiting)

        init(_ file: LockFile) { self.file = file }

        func wait(until deadline: ContinuousClock.Instant) { isAnswered.wait(until: deadline) }

        /// Ends the wait; returns false if the thread no longer waits.
        func answer(_ answer: Result<LockFile, Errno>) -> Bool {
            let isWanted = state.withLock { state in
                guard case .waiting = state else { return false }
                state = .answered(answer)
                return true
            }
            if isWanted { isAnswered.signal() }
            return isWanted
        }

        /// Returns the locked file, or `nil` if there has been no answer; from now on, none is accepted.
        func takeAnswer() throws(Errno) -> LockFile? {
            let answer: Result<LockFile, Errno>? = state.withLock { state in
                defer { state = .over }
                if case .answered(let answer) = state { return answer }
                return nil
            }
            return try answer?.get()
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
    enum FlockQueue {
        static func lock(
            _ file: LockFile, until deadline: ContinuousClock.Instant
        ) throws(Errno) -> LockFile? {
            let number = file.descriptor.number
            while ContinuousClock.now < deadline {
                if flock(number, LOCK_EX | LOCK_NB) == 0 { return file }
                let error = Errno.last
                guard error.code == EWOULDBLOCK || error.code == EINTR else { throw error }
                usleep(1000)
            }
            return nil
        }
    }
#endif
