/// Observers of how long something takes. Without any, nothing is measured.
final class DurationObservers: Sendable {
    private let callbacks = CallbackList<Duration>()

    /// Calls `body` with every duration, on the thread that measured it, until the observation is cancelled or
    /// released.
    func observe(_ body: @escaping @Sendable (Duration) -> Void) -> PrefsObservation { callbacks.add(body) }

    /// Begins to measure; `nil` if there is no observer.
    func begin() -> Measurement? { callbacks.isEmpty ? nil : Measurement(callbacks) }

    /// A measurement, which ends when it is released.
    final class Measurement: Sendable {
        private let callbacks: CallbackList<Duration>
        private let start = ContinuousClock.now

        fileprivate init(_ callbacks: CallbackList<Duration>) { self.callbacks = callbacks }

        deinit { callbacks.call(with: start.duration(to: .now)) }
    }
}
