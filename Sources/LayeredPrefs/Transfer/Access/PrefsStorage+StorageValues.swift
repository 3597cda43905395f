public import PrefsDocuments
/// Access to keys that are known only at run time, without declaring a typed key.
extension PrefsStorage {
    /// The value in force for a key: the first stored one that is of the type asked for.
    public func storageValue<Value: PrefsStorageValue>(forKey key: String) -> Value? {
        get(PersistentKey<Value?>(key))
    }

    /// Stores a value, or with `nil` removes it; a failure is reported as a diagnostic.
    public func setStorageValue<Value: PrefsStorageValue>(forKey key: String, to value: Value?) {
        set(PersistentKey<Value?>(key), to: value)
    }

    /// Stores an array of mixed types; a failure is reported as a diagnostic.
    public func setStorageValue(forKey key: String, to value: [any PrefsStorageValue]?) {
        setStorageValue(forKey: key, to: value.map { PrefsValue.array($0.map(\.prefsValue)) })
    }

    /// Stores a dictionary of mixed types; a failure is reported as a diagnostic.
    public func setStorageValue(forKey key: String, to value: [String: any PrefsStorageValue]?) {
        setStorageValue(forKey: key, to: value.map { PrefsValue.dictionary($0.mapValues(\.prefsValue)) })
    }

    /// The value in force for a key, of whatever type.
    public func prefsValue(forKey key: String) -> PrefsValue? {
        let usable = candidates(forKey: key).filter { $0.rejection == nil }
        guard let top = usable.first?.value else { return nil }
        // Only dictionaries of several layers merge; asking for the whole snapshot is dear for some storages.
        return top.kind == .dictionary && usable.count > 1 ? snapshot[key] : top
    }
}

extension PrefsStorage {
    /// The value in force for a key as the Swift type nearest to it; see ``PrefsValue/bridged``.
    public func unsafeStorageValue(forKey key: String) -> Any? {
        prefsValue(forKey: key)?.bridged
    }

    /// Stores a value whose type is known only at run time, or with `nil` removes it.
    ///
    /// A value of a type that has no stored form is reported as a diagnostic, and what was stored stays.
    public func setUnsafeStorageValue(forKey key: String, to value: Any?) {
        guard let value else { return setStorageValue(forKey: key, to: nil as PrefsValue?) }
        guard let stored = PrefsValue(bridging: value) else {
            let reason = "values of type \(type(of: value)) have no stored form"
            return report(PrefsError(.notEncodable, key: key, reason: reason))
        }
        setStorageValue(forKey: key, to: stored)
    }

    /// The array in force for a key, of whatever types.
    @_disfavoredOverload
    public func storageValue(forKey key: String) -> [Any]? {
        unsafeStorageValue(forKey: key) as? [Any]
    }

    /// The dictionary in force for a key, of whatever types.
    @_disfavoredOverload
    public func storageValue(forKey key: String) -> [String: Any]? {
        unsafeStorageValue(forKey: key) as? [String: Any]
    }
}
