/// A descriptor that an event loop waits for.
struct LoopSource: Sendable {
    let number: UInt64
    let descriptor: Int32
    /// The events of `poll(2)`.
    let events: Int16
    let handler: EventLoop.Handler
}

/// One wait of the leading thread of a loop.
struct LoopWait: Sendable {
    /// A descriptor that is readable when another thread wakes this one.
    var wakeup: Wakeup?
    var sources: [LoopSource]
    /// The longest time to wait; `nil` if there is no limit.
    var delay: Duration?

    /// Waits, and returns the numbers of the sources that have events.
    func wait() -> [UInt64] {
        unsafe withUnsafeTemporaryAllocation(of: pollfd.self, capacity: sources.count + 1) { entries in
            // poll(2) ignores negative descriptors.
            unsafe entries[0] = pollfd(fd: wakeup?.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
            for (index, source) in sources.enumerated() {
                unsafe entries[index + 1] = pollfd(fd: source.descriptor, events: source.events, revents: 0)
            }
            guard unsafe poll(entries.baseAddress, nfds_t(entries.count), milliseconds) > 0 else { return [] }
            if unsafe entries[0].revents != 0 { wakeup?.reset() }
            return sources.indices.compactMap { index in
                unsafe entries[index + 1].revents == 0 ? nil : sources[index].number
            }
        }
    }

    /// Rounded up: a thread that wakes too early has nothing to do.
    private var milliseconds: Int32 { delay.map { Int32(clamping: $0.milliseconds) } ?? -1 }
}
