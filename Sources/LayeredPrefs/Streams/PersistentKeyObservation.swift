import PrefsSystem

/// A registered observer of a key. It ends when it is cancelled, when it is released, or with an object to
/// which it is tied.
public final class PersistentKeyObservation: Sendable {
    private struct State {
        var isCancelled = false
        var registrations: [PrefsObservation] = []
        var owner: WeakObject?
    }

    private let state = Lock(State())

    init() {}

    /// Ends the observation; further calls do nothing.
    public func cancel() {
        let registrations = state.withLock { state in
            state.isCancelled = true
            defer { state.registrations = [] }
            return state.registrations
        }
        for registration in registrations { registration.cancel() }
        TiedObservations.release(self)
    }

    /// Keeps the observation alive as long as an object lives, and ends it with that object.
    ///
    /// The observer is never called once the object is gone. The registration itself is removed at the next
    /// event, or when another observation is tied.
    @discardableResult
    public func tieToLifetime(of object: AnyObject) -> Self {
        state.withLock { $0.owner = WeakObject(object) }
        TiedObservations.retain(self)
        return self
    }

    /// True if the observer is still to be called; removes the registration if the owner is gone.
    var isWanted: Bool {
        let (isCancelled, isOrphan) = state.withLock { ($0.isCancelled, $0.owner?.isGone ?? false) }
        if isOrphan && !isCancelled { cancel() }
        return !isCancelled && !isOrphan
    }

    func hold(_ registrations: [PrefsObservation]) {
        let isLate = state.withLock { state in
            if !state.isCancelled { state.registrations = registrations }
            return state.isCancelled
        }
        if isLate { for registration in registrations { registration.cancel() } }
    }
}

extension PersistentKeyObservation: Hashable {
    /// An observation equals only itself.
    public static func == (lhs: PersistentKeyObservation, rhs: PersistentKeyObservation) -> Bool {
        lhs === rhs
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Keeps the observation alive in a set.
    public func store(in observations: inout Set<PersistentKeyObservation>) { observations.insert(self) }
}

/// The observations that are tied to the lifetime of another object.
private enum TiedObservations {
    private static let observations = Lock<[ObjectIdentifier: PersistentKeyObservation]>([:])

    static func retain(_ observation: PersistentKeyObservation) {
        let others = observations.withLock { observations in
            defer { observations[ObjectIdentifier(observation)] = observation }
            return Array(observations.values)
        }
        // Reading the property ends observations whose owners are gone.
        for other in others { _ = other.isWanted }
    }

    static func release(_ observation: PersistentKeyObservation) {
        let released = observations.withLock { $0.removeValue(forKey: ObjectIdentifier(observation)) }
        _ = released
    }
}

/// A weak reference that knows whether its object still lives.
// Sendable: the object is never used, only compared with nil, and weak references are read atomically.
private final class WeakObject: @unchecked Sendable {
    private weak let object: AnyObject?

    var isGone: Bool { object == nil }

    init(_ object: AnyObject) {
        self.object = object
    }
}
