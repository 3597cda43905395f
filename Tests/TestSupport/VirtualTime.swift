package import PrefsSystem

/// The time of an event loop. Only a test advances it.
package final class VirtualTime: LoopTime {
    private let moment = Lock(Duration.zero)

    package init() {}

    package var now: Duration { moment.withLock { $0 } }

    package func delay(until moment: Duration) -> Duration? { moment <= now ? .zero : nil }

    /// Advances the time of a loop.
    package func advance(to moment: Duration, in loop: EventLoop) {
        self.moment.withLock { $0 = moment }
        loop.wake()
    }
}
