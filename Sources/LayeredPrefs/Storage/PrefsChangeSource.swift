import PrefsSystem
public import Synchronization

/// How a storage says that its contents changed.
///
/// A storage owns one, publishes new contents, then calls ``advance()``. ``generation`` grows with every
/// advance and is unique in the process, so that a reader that kept a value together with the generation
/// it was read at knows from one atomic load whether the value still holds.
public final class PrefsChangeSource: Sendable {
    private struct State {
        /// In the order of registration, which is that of the numbers.
        var observers: [(id: UInt64, body: @Sendable () -> Void)] = []
        var nextID: UInt64 = 0
        /// How many scopes read differently from the rest of the program.
        var scopes = 0
        /// The generation in force, also while it is not shown.
        var generation: UInt64 = 0
    }

    @usableFromInline let current = Atomic<UInt64>(PrefsChangeSource.nextGeneration())
    private let state = Lock(State())

    /// Whether whoever owns this advances it whenever its contents differ, and can be relied on to.
    let isExact: Bool

    public init() { isExact = false }

    init(isExact: Bool) { self.isExact = isExact }

    /// The number of the contents in force; `UInt64.max` while nothing may be kept, since a scope of
    /// ``LayeredPrefsStorage/withOverrides(_:_:)`` reads differently.
    @inlinable public var generation: UInt64 { current.load(ordering: .acquiring) }

    /// Says that contents were published: moves ``generation`` on, then calls the observers on this thread.
    ///
    /// Call it after the new contents can be read, holding no lock that an observer could want.
    public func advance() {
        advance(to: Self.nextGeneration())
        notify()
    }

    /// Calls `body` after every advance, on the thread that advanced, until the observation is cancelled or
    /// released.
    public func observe(_ body: @escaping @Sendable () -> Void) -> PrefsObservation {
        let id = state.withLock { state in
            state.nextID += 1
            state.observers.append((state.nextID, body))
            return state.nextID
        }
        return PrefsObservation { [weak self] in self?.remove(id) }
    }

    /// Moves the generation without telling anybody yet; never back, should two threads advance at once.
    func advance(to generation: UInt64) {
        state.withLock { state in
            let known = state.scopes == 0 ? current.load(ordering: .relaxed) : state.generation
            let next = max(generation, known)
            state.generation = next
            if state.scopes == 0 { current.store(next, ordering: .releasing) }
        }
    }

    /// Advances whenever another source does, and passes on what it tells without advancing: equal contents
    /// from other lines.
    func relay(_ other: PrefsChangeSource) -> PrefsObservation {
        let last = Lock(other.generation)
        return other.observe { [weak self, weak other] in
            guard let self, let other else { return }
            let now = other.generation
            let isNews = last.withLock { last in
                defer { last = now }
                return last != now
            }
            if isNews { advance() } else { notify() }
        }
    }

    /// Has nothing read kept from now on: what one task reads is not what the others do.
    func beginScope() {
        state.withLock { state in
            if state.scopes == 0 {
                state.generation = current.exchange(.max, ordering: .acquiringAndReleasing)
            }
            state.scopes += 1
        }
    }

    /// Ends what ``beginScope()`` began.
    func endScope() {
        state.withLock { state in
            state.scopes -= 1
            if state.scopes == 0 { current.store(state.generation, ordering: .releasing) }
        }
    }

    /// Calls the observers in the order in which they registered.
    func notify() {
        let observers = state.withLock { $0.observers }
        for observer in observers { observer.body() }
    }

    private func remove(_ id: UInt64) {
        // The closure is released outside the lock: its captures may deregister others.
        let removed = state.withLock { state in
            state.observers.firstIndex { $0.id == id }.map { state.observers.remove(at: $0) }
        }
        _ = removed
    }

    private static let lastGeneration = Atomic<UInt64>(0)

    /// A number larger than any given before in this process.
    static func nextGeneration() -> UInt64 {
        lastGeneration.add(1, ordering: .relaxed).newValue
    }
}

/// A registration that ends when it is cancelled or released.
public final class PrefsObservation: Sendable {
    private let onCancel: Lock<(@Sendable () -> Void)?>

    /// - Parameter onCancel: Called once, at cancellation or release.
    public init(_ onCancel: @escaping @Sendable () -> Void) {
        self.onCancel = Lock(onCancel)
    }

    deinit { cancel() }

    /// Ends the registration; calling it again does nothing.
    public func cancel() {
        let action = onCancel.withLock { action in
            defer { action = nil }
            return action
        }
        action?()
    }
}
