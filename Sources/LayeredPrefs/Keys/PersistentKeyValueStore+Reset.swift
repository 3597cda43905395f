extension PersistentKeyValueStore {
    /// Removes the values stored for some keys, so that lower layers' values or the defaults become
    /// effective.
    ///
    /// A failure is reported as a diagnostic; the other keys are reset nevertheless.
    public func reset<each Key: PersistentKeyProtocol>(_ key: repeat each Key) {
        repeat remove(each key)
    }

    /// Removes the values stored for some keys, of any types.
    public func reset(_ keys: [any PersistentKeyProtocol]) {
        for key in keys { remove(key) }
    }

    /// Returns true if the effective value equals the key's default, whichever layer it comes from.
    public func isDefaultValue<Key: PersistentKeyProtocol>(_ key: Key) -> Bool where Key.Value: Equatable {
        get(key) == key.defaultValue
    }
}
