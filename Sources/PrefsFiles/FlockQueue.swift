import PrefsSystem

/// An open lock file.
final class LockFile: Sendable {
    let descriptor: Descriptor

    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    /// Unlocks explicitly instead of relying on `close`: a child process may hold the same open file
    /// description a little longer.
    deinit { flock(descriptor.number, LOCK_UN) }
}

/// The threads of this process that wait for a contended `flock`, each with a time limit.
///
/// The kernel queues the threads that block in `flock` and serves them in order, but without a time limit.
/// Polling has a limit, but loses to a writer that locks in a tight loop. So one helper thread per lock file
/// blocks on behalf of all waiting threads, and hands the locked file to the first of them. If all of them give
/// up, the helper still waits, for threads that come later, and ends once it gets the lock. However many writers
/// give up, there is one thread and one open file for each lock file that another process holds.
enum FlockQueue {
    private struct Identity: Hashable {
        let device: dev_t
        let inode: ino_t
    }

    private final class Waiter: Sendable {
        let file: LockFile
        let answer = BlockingPromise<Result<LockFile, Errno>>()

        init(_ file: LockFile) { self.file = file }
    }

    /// The waiting threads by lock file, in order. An entry exists while there is a helper thread.
    ///
    /// Global, because file locks exclude processes: all writers of a process wait in the same queues.
    private static let queues = Lock<[Identity: [Waiter]]>([:])

    /// Waits for the lock on a file. Returns the locked file, or `nil` if the deadline passes first. The locked
    /// file may be another open file of the same lock file.
    static func lock(
        _ file: LockFile, until deadline: ContinuousClock.Instant
    ) throws(Errno) -> LockFile? {
        let status = try file.descriptor.status()
        let identity = Identity(device: status.st_dev, inode: status.st_ino)
        let waiter = Waiter(file)
        if join(waiter, identity) { startHelper(for: identity) }
        if let answer = waiter.answer.wait(until: deadline) { return try answer.get() }
        if leave(waiter, identity) { return nil }
        // The helper thread has taken the waiter from the queue, and will answer it.
        return try waiter.answer.wait().get()
    }

    /// Adds a thread to a queue. Returns true if the queue is new and needs a helper thread.
    private static func join(_ waiter: Waiter, _ identity: Identity) -> Bool {
        queues.withLock { queues in
            defer { queues[identity, default: []].append(waiter) }
            return queues[identity] == nil
        }
    }

    /// Removes a thread from a queue. Returns false if the thread is not in the queue any more.
    private static func leave(_ waiter: Waiter, _ identity: Identity) -> Bool {
        queues.withLock { queues in
            guard let index = queues[identity]?.firstIndex(where: { $0 === waiter }) else { return false }
            queues[identity]?.remove(at: index)
            return true
        }
    }

    private static func startHelper(for identity: Identity) {
        let isStarted = BackgroundThread.start(named: "prefs-lock") { serve(identity) }
        if !isStarted { end(identity, Errno(EAGAIN)) }
    }

    /// Locks the file for one waiting thread after the other, until no thread waits.
    private static func serve(_ identity: Identity) {
        while let file = firstFile(identity) {
            let number = file.descriptor.number
            switch retryingInterrupts({ flock(number, LOCK_EX) }) {
            // If no thread waits any more, releasing the file unlocks it.
            case .success: takeFirst(identity)?.answer.open(.success(file))
            case .failure(let error): return end(identity, error)
            }
        }
    }

    /// Returns the file of the first waiting thread. Ends the queue if no thread waits.
    private static func firstFile(_ identity: Identity) -> LockFile? {
        queues.withLock { queues in
            let first = queues[identity]?.first
            if first == nil { queues[identity] = nil }
            return first?.file
        }
    }

    private static func takeFirst(_ identity: Identity) -> Waiter? {
        queues.withLock { queues in
            queues[identity]?.isEmpty == false ? queues[identity]?.removeFirst() : nil
        }
    }

    private static func end(_ identity: Identity, _ error: Errno) {
        let waiters = queues.withLock { $0.removeValue(forKey: identity) } ?? []
        for waiter in waiters { waiter.answer.open(.failure(error)) }
    }
}
