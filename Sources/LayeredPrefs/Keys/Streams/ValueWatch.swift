import PrefsDocuments
import PrefsSystem

/// Turns a store's notifications into old and new values, delivered one at a time.
///
/// An event that arrives during a delivery, from another thread or from inside the receiver, is processed by
/// that delivery when it has finished: values arrive in order, and a receiver that writes does not recurse.
final class ValueWatch<Value: Sendable>: Sendable {
    /// A value and the stored forms that distinguish it from others.
    struct Reading: Sendable {
        var value: Value
        /// The stored forms of the values read; `nil` never equals another reading.
        var identity: [PrefsValue?]?

        func differs(from other: Reading) -> Bool {
            guard let identity, let otherIdentity = other.identity else { return true }
            return identity != otherIdentity
        }
    }

    private enum Event {
        /// The value became this, possibly by a write of the receiver that asked not to be notified of it.
        case became(Reading, isEcho: Bool)
        /// The value may have changed; it is read when the event is processed.
        case mayHaveChanged
    }

    private struct State {
        // Until the first reading is available, events wait for it as they wait for a delivery.
        var isDelivering = true
        var waiting: [Event] = []
        var last: Reading?
    }

    private let id = ObserverID()
    private let state = Lock(State())
    private let read: @Sendable () -> Reading?
    private let deliver: @Sendable (_ old: Value, _ new: Value) -> Void

    /// - Parameters:
    ///   - read: Returns the current value; `nil` if there is no observer left to notify.
    ///   - deliver: Called with each change, with no mutex held.
    init(
        read: @escaping @Sendable () -> Reading?,
        deliver: @escaping @Sendable (_ old: Value, _ new: Value) -> Void
    ) {
        self.read = read
        self.deliver = deliver
    }

    /// Registers with a store; events wait for ``start(from:_:)``.
    ///
    /// A store that delivers its transitions is followed step by step. Any other store is read again whenever
    /// it reports a change, so changes that follow each other faster than they are delivered are one step.
    ///
    /// - Parameter reading: Returns the value at a step.
    /// - Returns: The value from which changes start, if the store provides it, and the objects that keep the
    ///   registration alive.
    func follow(
        _ keys: [any PersistentKeyProtocol],
        of store: any PrefsStorage,
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

    /// Passes on the value from which changes start, before any change.
    ///
    /// Call this once, after registering: a change made in between is then part of this value, and a later
    /// one is delivered.
    ///
    /// - Parameter start: That value; read now if it is not known.
    func start(from start: Reading?, _ body: (Value) -> Void) {
        let first = start ?? read()
        state.withLock { $0.last = first }
        if let first { body(first.value) }
        run()
    }

    private func event(_ event: Event) {
        let isFree = state.withLock { state in
            // One reading satisfies all consecutive requests for one.
            if case .mayHaveChanged = event, case .mayHaveChanged? = state.waiting.last { return false }
            state.waiting.append(event)
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        if isFree { run() }
    }

    /// Delivers until no event is left; called only by the thread that began the delivery.
    ///
    /// An echo is not delivered, but the next change starts from it. For a receiver that writes 10 without
    /// echo whenever a value exceeds 10:
    ///
    ///     0 → 50    delivered; the receiver writes 10
    ///     50 → 10   echo, not delivered
    ///     10 → 7    delivered, with the old value 10
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
