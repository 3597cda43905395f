import PrefsSystem
import Synchronization

/// Lets one thread write at a time; what it calls on its way may write, too.
///
/// A layer tells its observers of a write on the writer's thread. Should one of them write to the stack, it
/// must not wait for itself.
final class WriterGate: Sendable {
    private let lock = Lock(())
    /// The thread inside; 0 is none. Only a thread that is inside finds itself here.
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
