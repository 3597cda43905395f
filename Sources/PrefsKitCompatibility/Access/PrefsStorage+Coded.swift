public import LayeredPrefs
import PrefsDocuments

extension PrefsStorage {
    /// Returns the effective value for a key, decoded with a coding.
    public func value<Coding: PrefsCodable>(forKey key: String, using coding: Coding) -> Coding.Value? {
        get(PersistentKey(key, coding: coding))
    }

    /// Returns the stored value for a key without decoding it: the topmost value of the coding's stored type.
    public func storageValue<Coding: PrefsCodable>(
        forKey key: String, using coding: Coding
    ) -> Coding.StorageValue? {
        typedValue(forKey: key)
    }

    /// Stores a value encoded with a coding, or removes it if it is `nil`. A failure is reported as a diagnostic.
    public func setValue<Coding: PrefsCodable>(
        forKey key: String, to value: Coding.Value?, using coding: Coding
    ) {
        reporting(key: key) { try set(PersistentKey(key, coding: coding), to: value) }
    }

    /// Returns the effective value for a typed key.
    public func value<Value>(forKey key: PersistentKey<Value>) -> Value { get(key) }

    /// Stores the value of a typed key. A failure is reported as a diagnostic.
    public func setValue<Value>(forKey key: PersistentKey<Value>, to value: Value) {
        reporting(key: key.id) { try set(key, to: value) }
    }
}
