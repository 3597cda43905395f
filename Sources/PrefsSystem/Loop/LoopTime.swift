/// The time by which an event loop's timers go. Tests pass one that they advance themselves, and then wake the loop.
package protocol LoopTime: Sendable {
    /// The time since a fixed moment.
    var now: Duration { get }

    /// Returns how long a thread has to wait for a moment; `nil` if it waits until the loop is woken.
    func delay(until moment: Duration) -> Duration?
}

/// The system's time, which goes on while the system sleeps.
struct SystemTime: LoopTime {
    private let start = ContinuousClock.now

    var now: Duration { start.duration(to: .now) }

    func delay(until moment: Duration) -> Duration? { max(.zero, moment - now) }
}
