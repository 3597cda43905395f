/// The clock of an event loop's timers. Tests pass a clock that they advance themselves, and then wake the loop.
package protocol LoopTime: Sendable {
    /// The time since a fixed moment.
    var now: Duration { get }

    /// Returns how long a thread has to wait for a moment; `nil` to wait until the loop is woken.
    func delay(until moment: Duration) -> Duration?
}

/// The system's time, which goes on while the system sleeps.
struct SystemTime: LoopTime {
    private let start = ContinuousClock.now

    var now: Duration { start.duration(to: .now) }

    func delay(until moment: Duration) -> Duration? { max(.zero, moment - now) }
}
