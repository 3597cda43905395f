import PrefsSystem

/// Closures that are called with every event, in no particular order, each until its observation ends.
final class CallbackList<Event>: Sendable {
    typealias Callback = @Sendable (Event) -> Void

    private struct State {
        var callbacks: [Int: Callback] = [:]
        var lastID = 0
    }

    private let state = Lock(State())

    /// Creates a list, perhaps with a closure that is called for as long as the list exists.
    init(_ callback: Callback? = nil) { state.withLock { $0.callbacks[0] = callback } }

    var isEmpty: Bool { state.withLock { $0.callbacks.isEmpty } }

    /// Adds a closure until the observation is cancelled or released.
    func add(_ callback: @escaping Callback) -> PrefsObservation {
        let id = state.withLock { state in
            state.lastID += 1
            state.callbacks[state.lastID] = callback
            return state.lastID
        }
        return PrefsObservation { [weak self] in
            self?.state.withLockReleasing { $0.callbacks.removeValue(forKey: id) }
        }
    }

    /// Calls all closures, with no mutex held; returns false if there are none.
    @discardableResult
    func call(with event: Event) -> Bool {
        let callbacks = state.withLock { Array($0.callbacks.values) }
        for callback in callbacks { callback(event) }
        return !callbacks.isEmpty
    }
}
