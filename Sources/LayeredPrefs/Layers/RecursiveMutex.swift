import PrefsSystem
import Synchronization

/// A reentrant lock that admits one writing thread at a time.
///
/// It must be reentrant because a layer notifies its observers of a write on the writer's thread: an observer
/// that writes to the stack must not wait for its own thread.
final class RecursiveMutex: Sendable {
    private let lock = Lock(())
    /// The thread that holds the lock, or 0. Relaxed ordering is enough: only the holder can read its own
    /// number here.
    private let inside = Atomic<UInt>(0)

    func pass<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
        let thread = BackgroundThread.current
        if inside.load(ordering: .relaxed) == thread { return try body() }
        try lock.withLock { _ throws(Failure) in
            inside.store(thread, ordering: .relaxed)
            defer { inside.store(0, ordering: .relaxed) }
            try body()
        }
    }
}
