public import LayeredPrefs

extension PersistentValue {
    /// Creates a property that is stored in ``DefaultPrefsStore/current``.
    public init(_ key: Key) {
        self.init(key, store: DefaultPrefsStore.current)
    }

    /// Creates a property that is stored in the given store.
    @_disfavoredOverload
    public init(_ key: Key, store: some PersistentKeyValueStore) {
        self.init(key, store: store.prefsStorage)
    }
}
