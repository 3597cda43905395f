/// Observers of how long something takes, each called on the thread that measured it. Without any, nothing is measured.
typealias DurationObservers = CallbackList<Duration>

extension DurationObservers {
    /// Begins to measure; `nil` if there is no observer.
    func begin() -> DurationMeasurement? { isEmpty ? nil : DurationMeasurement(self) }
}

/// A measurement of a duration, which ends when it is released.
final class DurationMeasurement: Sendable {
    private let observers: DurationObservers
    private let start = ContinuousClock.now

    fileprivate init(_ observers: DurationObservers) { self.observers = observers }

    deinit { observers.call(with: start.duration(to: .now)) }
}
