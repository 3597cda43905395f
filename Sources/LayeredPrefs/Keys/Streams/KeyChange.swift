/// One step of a key's value.
public struct KeyChange<Value: Sendable>: Sendable {
    /// The value before.
    public var old: Value
    /// The value from now on.
    public var new: Value

    public init(old: Value, new: Value) {
        self.old = old
        self.new = new
    }
}

extension KeyChange: Equatable where Value: Equatable {}

extension PersistentKeyValueStore {
    /// Calls `body` with every change of a key's value, until the observation is cancelled or released.
    ///
    /// Calls come one at a time, in order, under no lock. `body` may read, write — this key too, which is
    /// told in a later call if it changes the value — and cancel. Each call's old value is the new one of the
    /// call before.
    ///
    /// A ``LayeredPrefsStorage`` tells every step, on the delivery thread, and has an observer of its own that
    /// also tells where values come from and why they changed; to choose this one there, say the closure's
    /// type. A storage of this library that holds one file or dictionary tells every step, on the thread that
    /// makes it or on one that is telling an earlier step. Any other store is read again when it says that it changed, so that values which follow one
    /// another faster than `body` returns are one step.
    ///
    /// - Returns: What keeps the registration alive. For a store that cannot say that it changed it keeps
    ///   nothing, and `body` is never called.
    @_disfavoredOverload
    public func observe<Key: PersistentKeyProtocol>(
        _ key: Key, _ body: @escaping @Sendable (KeyChange<Key.Value>) -> Void
    ) -> PersistentKeyObservation {
        observe(key, first: { _ in }, body)
    }

    /// As ``observe(_:_:)``; `first` is called with the value that the changes are counted from.
    func observe<Key: PersistentKeyProtocol>(
        _ key: Key,
        first: (Key.Value) -> Void,
        _ body: @escaping @Sendable (KeyChange<Key.Value>) -> Void
    ) -> PersistentKeyObservation {
        let observation = PersistentKeyObservation()
        let access = WeakStoreAccess(self)
        let watch = ValueWatch<Key.Value> { [weak observation] in
            guard let store = access.store, observation?.isWanted == true else { return nil }
            return key.reading(of: store)
        } deliver: { [weak observation] old, new in
            if observation?.isWanted == true { body(KeyChange(old: old, new: new)) }
        }
        let (start, registrations) = watch.follow([key], of: self) { key.reading(at: $0) }
        observation.hold(registrations)
        watch.start(from: start, first)
        return observation
    }
}

/// Refers to a store from an observer without keeping it alive.
// Sendable: see `StoreAccess`; a weak reference is read and cleared atomically.
private final class WeakStoreAccess: @unchecked Sendable {
    weak let store: (any PersistentKeyValueStore)?

    init(_ store: any PersistentKeyValueStore) {
        self.store = store
    }
}
