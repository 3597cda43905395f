import FileWatching

/// Turns "something may have changed" into old and new values, one delivery at a time.
///
/// An event that arrives while a delivery runs, from another thread or from inside the receiver, is taken up
/// by the running one when it has finished: values arrive in order, and a receiver that writes does not
/// recurse.
final class ValueWatch<Value: Sendable>: Sendable {
    /// A value together with what tells whether another one differs.
    struct Reading: Sendable {
        var value: Value
        /// The stored forms of what was read; `nil` never equals another reading.
        var identity: [PrefsValue?]?

        func differs(from other: Reading) -> Bool {
            guard let identity, let otherIdentity = other.identity else { return true }
            return identity != otherIdentity
        }
    }

    private enum Phase {
        case idle
        case delivering
        case deliveringWithMore
    }

    private struct State {
        // Until the first reading is there, events wait for it as they wait for a delivery.
        var phase = Phase.delivering
        var last: Reading?
    }

    private let state = Lock(State())
    private let read: @Sendable () -> Reading?
    private let deliver: @Sendable (_ old: Value, _ new: Value) -> Void

    /// - Parameters:
    ///   - read: The value now; `nil` when there is nobody left to tell.
    ///   - deliver: Called with each change, under no lock.
    init(
        read: @escaping @Sendable () -> Reading?,
        deliver: @escaping @Sendable (_ old: Value, _ new: Value) -> Void
    ) {
        self.read = read
        self.deliver = deliver
    }

    /// Reads the value that changes are counted from and hands it on, before any change.
    ///
    /// To be called once, after registering: what changes in between is then in this value, and what changes
    /// later is told.
    func start(_ body: (Value) -> Void) {
        let first = read()
        state.withLock { $0.last = first }
        if let first { body(first.value) }
        if hasMore() { run() }
    }

    /// Says that the value may have changed.
    func event() {
        let isFree = state.withLock { state in
            switch state.phase {
            case .idle:
                state.phase = .delivering
                return true
            case .delivering: state.phase = .deliveringWithMore
            case .deliveringWithMore: break
            }
            return false
        }
        if isFree { run() }
    }

    /// Delivers until no event is left; called only by whoever left the idle phase.
    private func run() {
        repeat {
            guard let now = read() else { return }
            let old = state.withLock { state in
                defer { state.last = now }
                return state.last
            }
            if let old, now.differs(from: old) { deliver(old.value, now.value) }
        } while hasMore()
    }

    private func hasMore() -> Bool {
        state.withLock { state in
            defer { state.phase = state.phase == .deliveringWithMore ? .delivering : .idle }
            return state.phase == .deliveringWithMore
        }
    }
}
