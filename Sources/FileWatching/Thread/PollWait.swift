import PrefsSystem

/// A wait of the hub's thread: its end and the descriptors that end it earlier.
struct PollWait: Sendable {
    /// The events that ended a wait.
    struct Outcome: Sendable {
        /// Another thread, through `wakeup`.
        var isWoken = false
        /// A change of the mount table.
        var isMountChange = false
    }

    /// A descriptor that is readable when another thread wakes this one.
    var wakeup: Int32?
    /// A descriptor that is readable when there are events.
    var events: Int32?
    /// A descriptor that has a priority event when the mount table has changed.
    var mounts: Int32?
    /// The end of the wait; nil for no end.
    var until: ContinuousClock.Instant?

    /// Waits.
    func wait() -> Outcome {
        // poll(2) ignores negative descriptors.
        let woken = pollfd(fd: wakeup ?? -1, events: Int16(POLLIN), revents: 0)
        let changed = pollfd(fd: events ?? -1, events: Int16(POLLIN), revents: 0)
        let mounted = pollfd(fd: mounts ?? -1, events: Int16(POLLPRI), revents: 0)
        var entries: InlineArray<3, pollfd> = [woken, changed, mounted]
        var span = entries.mutableSpan
        let count = unsafe span.withUnsafeMutableBufferPointer { entries in
            unsafe poll(entries.baseAddress, nfds_t(entries.count), milliseconds)
        }
        guard count > 0 else { return Outcome() }
        return Outcome(isWoken: entries[0].revents != 0, isMountChange: entries[2].revents != 0)
    }

    /// Rounded up: a thread that wakes too early has nothing to do.
    private var milliseconds: Int32 {
        guard let until else { return -1 }
        return Int32(clamping: max(.zero, ContinuousClock.now.duration(to: until)).milliseconds)
    }
}
