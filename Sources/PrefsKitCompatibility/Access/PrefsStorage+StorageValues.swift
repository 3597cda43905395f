public import LayeredPrefs
import PrefsDocuments

/// Access to keys that are known only at run time, without a typed key.
extension PrefsStorage {
    /// Returns the effective value for a key: the topmost stored value of the requested type.
    public func storageValue<Value: PrefsStorageValue>(forKey key: String) -> Value? {
        get(PersistentKey<Value?>(key))
    }

    /// Stores a value, or removes it if it is `nil`. A failure is reported as a diagnostic.
    public func setStorageValue<Value: PrefsStorageValue>(forKey key: String, to value: Value?) {
        reporting(key: key) { try set(PersistentKey<Value?>(key), to: value) }
    }

    /// Stores an array of mixed types, or removes it if it is `nil`. A failure is reported as a diagnostic.
    public func setStorageValue(forKey key: String, to value: [any PrefsStorageValue]?) {
        setStorageValue(forKey: key, to: value.map { PrefsValue.array($0.map(\.prefsValue)) })
    }

    /// Stores a dictionary of mixed types, or removes it if it is `nil`. A failure is reported as a
    /// diagnostic.
    public func setStorageValue(forKey key: String, to value: [String: any PrefsStorageValue]?) {
        setStorageValue(forKey: key, to: value.map { PrefsValue.dictionary($0.mapValues(\.prefsValue)) })
    }
}

extension PrefsStorage {
    /// Returns the effective value for a key as the closest Swift type; see ``PrefsValue/bridged``.
    public func unsafeStorageValue(forKey key: String) -> Any? {
        value(forKey: key)?.bridged
    }

    /// Stores a value whose type is known only at run time, or removes it if it is `nil`.
    ///
    /// A value of a type without a stored form is reported as a diagnostic and changes nothing.
    public func setUnsafeStorageValue(forKey key: String, to value: Any?) {
        guard let value else { return setStorageValue(forKey: key, to: nil as PrefsValue?) }
        guard let stored = PrefsValue(bridging: value) else {
            let reason = "values of type \(type(of: value)) have no stored form"
            return diagnostics.report(.error, PrefsError(.notEncodable, key: key, reason: reason))
        }
        setStorageValue(forKey: key, to: stored)
    }

    /// Returns the effective array for a key, with elements of any type.
    @_disfavoredOverload
    public func storageValue(forKey key: String) -> [Any]? {
        unsafeStorageValue(forKey: key) as? [Any]
    }

    /// Returns the effective dictionary for a key, with values of any type.
    @_disfavoredOverload
    public func storageValue(forKey key: String) -> [String: Any]? {
        unsafeStorageValue(forKey: key) as? [String: Any]
    }
}
