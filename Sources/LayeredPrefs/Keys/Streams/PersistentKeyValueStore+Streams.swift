extension PersistentKeyValueStore {
    /// A key's value now and after every change, as a sequence.
    public func values<Key: PersistentKeyProtocol>(
        for key: Key,
        emitsInitialValue: Bool = true,
        bufferingPolicy: PersistentKeyValues<Key>.BufferingPolicy = .bufferingNewest(1)
    ) -> PersistentKeyValues<Key> {
        PersistentKeyValues(
            key, store: self, emitsInitialValue: emitsInitialValue, bufferingPolicy: bufferingPolicy)
    }

    /// A key's value after every change, as a sequence.
    public func changes<Key: PersistentKeyProtocol>(
        for key: Key,
        bufferingPolicy: PersistentKeyValues<Key>.BufferingPolicy = .bufferingNewest(1)
    ) -> PersistentKeyValues<Key> {
        values(for: key, emitsInitialValue: false, bufferingPolicy: bufferingPolicy)
    }
}
