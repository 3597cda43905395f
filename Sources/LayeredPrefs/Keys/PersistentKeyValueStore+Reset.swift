extension PersistentKeyValueStore {
    /// Removes what is stored for some keys, so that lower layers' values or the defaults show.
    ///
    /// A failure is reported as a diagnostic; the other keys are reset all the same.
    public func reset<each Key: PersistentKeyProtocol>(_ key: repeat each Key) {
        repeat remove(each key)
    }

    /// Removes what is stored for some keys, of any types.
    public func reset(_ keys: [any PersistentKeyProtocol]) {
        for key in keys { remove(key) }
    }

    /// Whether the value in force equals the key's default, wherever it comes from.
    public func isDefaultValue<Key: PersistentKeyProtocol>(_ key: Key) -> Bool where Key.Value: Equatable {
        get(key) == key.defaultValue
    }
}
