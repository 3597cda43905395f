extension PersistentKeyProtocol {
    /// The value in force in a store.
    public func get(from store: some PersistentKeyValueStore) -> Value { store.get(self) }

    /// Stores a value; see ``PersistentKeyValueStore/set(_:to:)``.
    public func set(to value: Value, in store: some PersistentKeyValueStore) { store.set(self, to: value) }

    /// Removes what a store holds for this key.
    public func remove(from store: some PersistentKeyValueStore) { store.remove(self) }

    /// The value now and after every change, as a sequence.
    public func values(
        in store: any PersistentKeyValueStore,
        emitsInitialValue: Bool = true,
        bufferingPolicy: PersistentKeyValues<Self>.BufferingPolicy = .bufferingNewest(1)
    ) -> PersistentKeyValues<Self> {
        PersistentKeyValues(
            self, store: store, emitsInitialValue: emitsInitialValue, bufferingPolicy: bufferingPolicy)
    }

    /// The value after every change, as a sequence.
    public func changes(
        in store: any PersistentKeyValueStore,
        bufferingPolicy: PersistentKeyValues<Self>.BufferingPolicy = .bufferingNewest(1)
    ) -> PersistentKeyValues<Self> {
        values(in: store, emitsInitialValue: false, bufferingPolicy: bufferingPolicy)
    }
}
