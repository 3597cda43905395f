import PrefsSystem

/// A list of closures. Every event calls them in the order of their addition, each closure until its
/// observation ends.
package final class CallbackList<Event>: Sendable {
    package typealias Callback = @Sendable (Event) -> Void

    private let callbacks = Lock(OrderedObservers<Event>())

    /// Creates a list. If `callback` is not `nil`, it is called for as long as the list exists.
    package init(_ callback: Callback? = nil) {
        if let callback { callbacks.withLock { _ = $0.add(callback) } }
    }

    var isEmpty: Bool { callbacks.withLock { $0.isEmpty } }

    /// Adds a closure, which is called until the observation is cancelled or released.
    package func add(_ callback: @escaping Callback) -> PrefsObservation {
        let number = callbacks.withLock { $0.add(callback) }
        return PrefsObservation { [weak self] in
            // The closure's captures may deregister other observers.
            self?.callbacks.withLockReleasing { $0.remove(number) }
        }
    }

    /// Calls all closures, with no mutex held. Returns false if there are none.
    @discardableResult
    package func call(with event: Event) -> Bool {
        let callbacks = callbacks.withLock { $0 }
        callbacks.call(with: event)
        return !callbacks.isEmpty
    }
}

extension CallbackList<Duration> {
    /// Begins to measure how long something takes; returns `nil` if there are no closures.
    func begin() -> ContinuousClock.Instant? { isEmpty ? nil : .now }

    /// Calls all closures with the time since the measurement began.
    func end(_ start: ContinuousClock.Instant?) {
        if let start { call(with: start.duration(to: .now)) }
    }
}
