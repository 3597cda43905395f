import PrefsSystem

/// Tasks that wait, in order.
struct Waiters {
    private var waiters: [Waiter] = []

    mutating func add(_ waiter: Waiter) { waiters.append(waiter) }

    /// Removes and returns the first one that still waits.
    mutating func next() -> Waiter? {
        while let first = waiters.first {
            waiters.removeFirst()
            if first.claim() { return first }
        }
        return nil
    }

    mutating func all() -> [Waiter] {
        defer { waiters = [] }
        return waiters
    }
}

/// A task that waits, once.
final class Waiter: Sendable {
    private enum State {
        case new, ended
        case waiting(CheckedContinuation<Void, any Error>)
        /// Chosen to go on, which a cancellation does not change any more.
        case claimed(CheckedContinuation<Void, any Error>)
    }

    private let state = Lock(State.new)

    func begin(_ continuation: CheckedContinuation<Void, any Error>) {
        let isCancelled = state.withLock { state in
            if case .ended = state { return true }
            state = .waiting(continuation)
            return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
    }

    /// Returns true if the task still waits, which it does until it is resumed.
    func claim() -> Bool {
        state.withLock { state in
            guard case .waiting(let continuation) = state else { return false }
            state = .claimed(continuation)
            return true
        }
    }

    func resume() {
        let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            defer { state = .ended }
            switch state {
            case .waiting(let continuation), .claimed(let continuation): return continuation
            case .new, .ended: return nil
            }
        }
        continuation?.resume()
    }

    func cancel() {
        let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            switch state {
            case .waiting(let continuation):
                state = .ended
                return continuation
            case .new:
                state = .ended
                return nil
            case .claimed, .ended: return nil
            }
        }
        continuation?.resume(throwing: CancellationError())
    }
}
