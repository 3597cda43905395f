import PrefsSystem

/// How long a thread sleeps, and what wakes it earlier.
struct Sleep: Sendable {
    /// Readable when somebody calls the thread.
    var wakeup: Int32?
    /// Readable when there are notices.
    var source: Int32?
    /// nil: for ever.
    var until: ContinuousClock.Instant?

    /// Sleeps; true if somebody called.
    func callAsFunction() -> Bool {
        // A negative descriptor is none to poll.
        let called = pollfd(fd: wakeup ?? -1, events: Int16(POLLIN), revents: 0)
        let noticed = pollfd(fd: source ?? -1, events: Int16(POLLIN), revents: 0)
        var entries: InlineArray<2, pollfd> = [called, noticed]
        var span = entries.mutableSpan
        let count = unsafe span.withUnsafeMutableBufferPointer { entries in
            unsafe poll(entries.baseAddress, nfds_t(entries.count), milliseconds)
        }
        return count > 0 && entries[0].revents != 0
    }

    /// Rounded up: a thread that gets up too early has nothing to do.
    private var milliseconds: Int32 {
        guard let until else { return -1 }
        let rest = max(.zero, until - .now)
        let (seconds, attoseconds) = rest.components
        let total = seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int32(clamping: total)
    }
}
