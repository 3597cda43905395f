extension PrefsStorage {
    /// Returns a sequence of a key's current value and its value after every change.
    public func values<Key: PersistentKeyProtocol>(
        for key: Key,
        emitsInitialValue: Bool = true,
        bufferingPolicy: PersistentKeyValues<Key>.BufferingPolicy = .bufferingNewest(1)
    ) -> PersistentKeyValues<Key> {
        PersistentKeyValues(
            key, store: self, emitsInitialValue: emitsInitialValue, bufferingPolicy: bufferingPolicy)
    }

    /// Returns a sequence of a key's value after every change.
    public func changes<Key: PersistentKeyProtocol>(
        for key: Key,
        bufferingPolicy: PersistentKeyValues<Key>.BufferingPolicy = .bufferingNewest(1)
    ) -> PersistentKeyValues<Key> {
        values(for: key, emitsInitialValue: false, bufferingPolicy: bufferingPolicy)
    }
}
