#if os(Linux)
    import CPrefsSystem
#endif
import PrefsSystem

/// A timer that one thread waits for and another sets, with one system call each and without waking another thread.
///
/// The thread that waits closes it.
struct StandbyTimer: Sendable, Hashable {
    private let descriptor: Int32

    #if os(Linux)
        /// Returns nil if no descriptor can be opened.
        init?() {
            descriptor = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC))
            if descriptor < 0 { return nil }
        }

        private func set(_ delay: timespec) {
            var time = itimerspec(it_interval: timespec(), it_value: delay)
            _ = unsafe timerfd_settime(descriptor, 0, &time, nil)
        }
    #else
        // Without a timer, another thread goes on watching at once.
        init?() { nil }

        private func set(_ delay: timespec) {}
    #endif

    /// Wakes the waiting thread after a delay of less than one second.
    func arm(after delay: Duration) {
        set(timespec(tv_sec: 0, tv_nsec: Int(delay.components.attoseconds / 1_000_000_000)))
    }

    /// Does not wake the waiting thread.
    func disarm() { set(timespec()) }

    /// Wakes the waiting thread at once.
    func end() { set(timespec(tv_sec: 0, tv_nsec: 1)) }

    /// Waits until the timer has expired.
    func wait() {
        var expirations: UInt64 = 0
        _ = retryingInterrupts { unsafe read(descriptor, &expirations, MemoryLayout<UInt64>.size) }
    }

    func close() { closeDescriptor(descriptor) }
}
