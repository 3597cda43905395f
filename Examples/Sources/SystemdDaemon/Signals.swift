import Glibc

/// A sequence of signals. They are blocked in every thread, and the iterating thread waits for them.
///
/// Create it before any thread is started, because threads inherit the signal mask.
struct Signals: Sequence, IteratorProtocol {
    private var set = sigset_t()

    init(_ signals: CInt...) {
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    mutating func next() -> CInt? {
        var signal: CInt = 0
        return sigwait(&set, &signal) == 0 ? signal : nil
    }
}
