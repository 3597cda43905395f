public import LayeredPrefs

extension PersistentValue {
    /// Creates a property that is stored in the given store.
    @_disfavoredOverload
    public init(_ key: Key, store: some PersistentKeyValueStore) {
        func property(in storage: some PrefsStorage) -> Self { Self(key, store: storage) }
        self = property(in: store.prefsStorage)
    }
}
