/// The place where the parked thread of a loop waits until it is woken, or for some time.
struct Standby: Sendable {
    /// Counts the threads to wake. Each read takes one.
    private let wanted: Int32
    private let timer: Int32

    /// Returns `nil` if no descriptors can be opened.
    init?() {
        wanted = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE))
        guard wanted >= 0 else { return nil }
        timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
        guard timer >= 0 else {
            closeDescriptor(wanted)
            return nil
        }
    }

    /// Wakes one waiting thread, or the next thread that would wait.
    func wake() {
        var one: UInt64 = 1
        _ = unsafe write(wanted, &one, MemoryLayout<UInt64>.size)
    }

    /// Ends the wait of a thread after a delay; `nil` cancels the timer.
    func setTimer(after delay: Duration?) {
        var time = itimerspec()
        if let delay {
            // Zero would cancel the timer.
            let (seconds, rest) = max(delay.nanoseconds, 1).quotientAndRemainder(dividingBy: 1_000_000_000)
            time.it_value = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
        }
        unsafe timerfd_settime(timer, 0, &time, nil)
    }

    /// Waits. Returns true if the thread has been woken, and false if the time has come or the wait ended early.
    func wait() -> Bool {
        let events = Int16(POLLIN)
        var entries: InlineArray = [
            pollfd(fd: wanted, events: events, revents: 0), pollfd(fd: timer, events: events, revents: 0),
        ]
        var span = entries.mutableSpan
        unsafe span.withUnsafeMutableBufferPointer { _ = unsafe poll($0.baseAddress, 2, -1) }
        if take(wanted) { return true }
        _ = take(timer)
        return false
    }

    /// Takes one wake-up from `wanted`, or resets `timer` after it has gone off. Returns true if there was
    /// anything to read.
    private func take(_ descriptor: Int32) -> Bool {
        var count: UInt64 = 0
        return unsafe read(descriptor, &count, MemoryLayout<UInt64>.size) > 0
    }

    func close() {
        closeDescriptor(wanted)
        closeDescriptor(timer)
    }
}
