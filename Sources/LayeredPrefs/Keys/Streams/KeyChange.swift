/// A change of a key's value.
public struct KeyChange<Value: Sendable>: Sendable {
    /// The value before the change.
    public var old: Value
    /// The value after the change.
    public var new: Value

    /// Creates a change.
    public init(old: Value, new: Value) {
        self.old = old
        self.new = new
    }
}

extension KeyChange: Equatable where Value: Equatable {}

extension PrefsStorage {
    /// Calls `body` with every change of a key's value, until the observation is cancelled or released.
    ///
    /// Calls are made one at a time, in order, with no mutex held. `body` may read, write (this key, too; a
    /// change of its value is delivered in a later call) and cancel. Each call's old value is the previous
    /// call's new value, or the value that `body` has written since in ``PrefsObservation/withoutEcho(_:)``.
    ///
    /// A ``LayeredPrefsStorage`` delivers every step, on the delivery thread. It also has its own observer
    /// function, which reports where values come from and why they changed; to choose this one there, write
    /// the closure's type. A storage of this library that holds one file or dictionary delivers every step,
    /// on the thread that makes it or on one that is still delivering an earlier step. Any other store is
    /// read again when it reports a change, so changes that follow each other faster than `body` returns are
    /// one step.
    ///
    /// - Returns: The observation, which keeps the registration alive. For a store that cannot report changes
    ///   it holds no registration, and `body` is never called.
    @_disfavoredOverload
    public func observe<Key: PersistentKeyProtocol>(
        _ key: Key, _ body: @escaping @Sendable (KeyChange<Key.Value>) -> Void
    ) -> PersistentKeyObservation {
        observe(key, first: { _ in }, body)
    }

    /// Observes a key like ``observe(_:_:)``, and first calls `first` with the value from which changes
    /// start.
    func observe<Key: PersistentKeyProtocol>(
        _ key: Key,
        first: (Key.Value) -> Void,
        _ body: @escaping @Sendable (KeyChange<Key.Value>) -> Void
    ) -> PersistentKeyObservation {
        let observation = PersistentKeyObservation()
        let watch = ValueWatch<Key.Value> { [weak self, weak observation] in
            guard let store = self, observation?.isWanted == true else { return nil }
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
