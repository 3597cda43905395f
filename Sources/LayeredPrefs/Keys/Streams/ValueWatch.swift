import PrefsDocuments
import PrefsSystem

/// Turns what a store announces into old and new values, one delivery at a time.
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

    private enum Event {
        /// The value became this, perhaps by a write that the receiver asked not to be told of.
        case became(Reading, isEcho: Bool)
        /// The value may have changed: it is to be read when its turn comes.
        case mayHaveChanged
    }

    private struct State {
        // Until the first reading is there, events wait for it as they wait for a delivery.
        var isDelivering = true
        var waiting: [Event] = []
        var last: Reading?
    }

    private let id = ObserverID()
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

    /// Registers with a store; the events wait for ``start(from:_:)``.
    ///
    /// A store that hands out its transitions is followed step by step. Any other is read again whenever it
    /// says that it changed, so that values which follow one another faster than they are delivered are one
    /// step.
    ///
    /// - Parameter reading: The value at a step.
    /// - Returns: The value that changes are counted from, where the store tells it, and what keeps the
    ///   registration.
    func follow(
        _ keys: [any PersistentKeyProtocol],
        of store: any PersistentKeyValueStore,
        reading: @escaping @Sendable (PrefsSnapshot) -> Reading
    ) -> (start: Reading?, registrations: [PrefsObservation]) {
        let source = store as? any TransitionSource
        let paths = keys.flatMap(\.name.paths)
        let steps = source?.observeTransitions(of: keys) { step in
            self.event(.became(reading(step.new), isEcho: step.isEcho(for: self.id, at: paths)))
        }
        if let steps { return (reading(steps.start), [steps.registration]) }
        return (nil, paths.compactMap { store.observe(key: $0.name) { self.event(.mayHaveChanged) } })
    }

    /// Hands on the value that changes are counted from, before any change.
    ///
    /// To be called once, after registering: what changes in between is then in this value, and what changes
    /// later is told.
    ///
    /// - Parameter start: That value; read now where it is not known.
    func start(from start: Reading?, _ body: (Value) -> Void) {
        let first = start ?? read()
        state.withLock { $0.last = first }
        if let first { body(first.value) }
        run()
    }

    private func event(_ event: Event) {
        let isFree = state.withLock { state in
            // One reading answers every request for one that precedes it.
            if case .mayHaveChanged = event, case .mayHaveChanged? = state.waiting.last { return false }
            state.waiting.append(event)
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        if isFree { run() }
    }

    /// Delivers until no event is left; called only by whoever began the delivery.
    private func run() {
        while let event = next() {
            guard let (now, isEcho) = reading(at: event) else { return }
            let old = state.withLock { state in
                defer { state.last = now }
                return state.last
            }
            guard let old, !isEcho, now.differs(from: old) else { continue }
            ObserverScope.call(id) { deliver(old.value, now.value) }
        }
    }

    private func reading(at event: Event) -> (Reading, isEcho: Bool)? {
        switch event {
        case .became(let reading, let isEcho): (reading, isEcho)
        case .mayHaveChanged: read().map { ($0, false) }
        }
    }

    private func next() -> Event? {
        state.withLock { state in
            state.isDelivering = !state.waiting.isEmpty
            return state.isDelivering ? state.waiting.removeFirst() : nil
        }
    }
}
