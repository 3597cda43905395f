extension PersistentKeyProtocol {
    /// Returns the effective value in a store.
    public func get(from store: some PersistentKeyValueStore) -> Value { store.get(self) }

    /// Stores a value; see ``PersistentKeyValueStore/set(_:to:)``.
    public func set(to value: Value, in store: some PersistentKeyValueStore) { store.set(self, to: value) }

    /// Removes the value that a store holds for this key.
    public func remove(from store: some PersistentKeyValueStore) { store.remove(self) }

    /// Returns a sequence of the current value and the value after every change.
    public func values(
        in store: any PersistentKeyValueStore,
        emitsInitialValue: Bool = true,
        bufferingPolicy: PersistentKeyValues<Value>.BufferingPolicy = .bufferingNewest(1)
    ) -> PersistentKeyValues<Value> {
        PersistentKeyValues(
            self, store: store, emitsInitialValue: emitsInitialValue, bufferingPolicy: bufferingPolicy)
    }

    /// Returns a sequence of the value after every change.
    public func changes(
        in store: any PersistentKeyValueStore,
        bufferingPolicy: PersistentKeyValues<Value>.BufferingPolicy = .bufferingNewest(1)
    ) -> PersistentKeyValues<Value> {
        values(in: store, emitsInitialValue: false, bufferingPolicy: bufferingPolicy)
    }
}
