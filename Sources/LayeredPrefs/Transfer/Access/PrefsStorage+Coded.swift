extension PrefsStorage {
    /// The value in force for a key that a coding decodes.
    public func value<Coding: PrefsCodable>(forKey key: String, using coding: Coding) -> Coding.Value?
    where Coding.Value: Sendable {
        get(PersistentKey(key, coding: coding))
    }

    /// What is stored for a key, before decoding, where it has the coding's stored type.
    public func storageValue<Coding: PrefsCodable>(
        forKey key: String, using coding: Coding
    ) -> Coding.StorageValue? {
        storageValue(forKey: key)
    }

    /// Stores a value as a coding encodes it, or with `nil` removes it; a failure is reported as a
    /// diagnostic.
    public func setValue<Coding: PrefsCodable>(
        forKey key: String, to value: Coding.Value?, using coding: Coding
    ) where Coding.Value: Sendable {
        set(PersistentKey(key, coding: coding), to: value)
    }

    /// The value in force for a typed key.
    public func value<Key: PersistentKeyProtocol>(forKey key: Key) -> Key.Value { get(key) }

    /// Stores a typed key's value; a failure is reported as a diagnostic.
    public func setValue<Key: PersistentKeyProtocol>(forKey key: Key, to value: Key.Value) {
        set(key, to: value)
    }
}
