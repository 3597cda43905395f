import PrefsSystem

/// Observers of how long something takes. Without any, nothing is measured.
final class DurationObservers: Sendable {
    private struct State {
        var bodies: [UInt64: @Sendable (Duration) -> Void] = [:]
        var nextID: UInt64 = 0
    }

    private let state = Lock(State())

    /// Calls `body` with every duration, on the thread that measured it, until the observation is cancelled or
    /// released.
    func observe(_ body: @escaping @Sendable (Duration) -> Void) -> PrefsObservation {
        let id = state.withLock { state in
            state.nextID += 1
            state.bodies[state.nextID] = body
            return state.nextID
        }
        return PrefsObservation { [weak self] in
            self?.state.withLockReleasing { $0.bodies.removeValue(forKey: id) }
        }
    }

    /// Begins to measure; `nil` if there is no observer.
    func begin() -> Measurement? {
        state.withLock { $0.bodies.isEmpty } ? nil : Measurement(self, .now)
    }

    /// A measurement, which ends when it is released.
    final class Measurement: Sendable {
        private let observers: DurationObservers
        private let start: ContinuousClock.Instant

        fileprivate init(_ observers: DurationObservers, _ start: ContinuousClock.Instant) {
            (self.observers, self.start) = (observers, start)
        }

        deinit {
            let duration = start.duration(to: .now)
            for body in observers.state.withLock({ Array($0.bodies.values) }) { body(duration) }
        }
    }
}
