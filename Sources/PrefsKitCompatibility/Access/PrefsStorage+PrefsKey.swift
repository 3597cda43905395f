public import Foundation
public import LayeredPrefs
import PrefsDocuments

extension PrefsStorage {
    /// Stores the value of a key, or removes it if it is `nil`.
    ///
    /// A value that cannot be encoded is reported as a diagnostic and changes nothing.
    public func setValue<Key: PrefsKey>(forKey key: Key, to value: Key.Value?) {
        guard let value else { return setUnsafeStorageValue(forKey: key.key, to: nil) }
        reporting(key: key.key) {
            guard let stored = key.encode(value) else {
                throw PrefsError(
                    .notEncodable, key: key.key,
                    reason: "this \(Key.Value.self) cannot be stored as \(Key.StorageValue.self)")
            }
            store(stored, forKey: key.key)
        }
    }

    /// Stores a value that a coding or a key has encoded, or removes it if it is `nil`.
    ///
    /// Use it in generic code: the stored type of a coding is one of LayeredPrefs' types.
    @_disfavoredOverload
    public func setStorageValue<Value: LayeredPrefs.PrefsStorageValue>(forKey key: String, to value: Value?) {
        guard let value else { return setUnsafeStorageValue(forKey: key, to: nil) }
        store(value, forKey: key)
    }

    // The reads are inlined into the program. A generic function of another module is not specialized, and finding
    // out the type took most of a read.

    /// Returns the stored value for a key without decoding it.
    @inlinable public func storageValue<Key: PrefsKey>(forKey key: Key) -> Key.StorageValue? {
        typedValue(forKey: key.key)
    }

    /// Returns the value for a key, or `nil` if no valid value is stored.
    @inlinable public func value<Key: PrefsKey>(forKey key: Key) -> Key.Value? {
        storageValue(forKey: key).flatMap { key.decode($0) }
    }

    /// Returns the value for a key, or its default if no valid value is stored.
    @inlinable public func value<Key: DefaultedPrefsKey>(forKey key: Key) -> Key.Value {
        key.decodeDefaulted(storageValue(forKey: key))
    }

    /// Returns the stored value of a type, with the function for that type.
    @inlinable
    func typedValue<Value: LayeredPrefs.PrefsStorageValue>(forKey key: String) -> Value? {
        switch Value.self {
        case is Int.Type: (storageValue(forKey: key) as Int?) as? Value
        case is String.Type: (storageValue(forKey: key) as String?) as? Value
        case is Bool.Type: (storageValue(forKey: key) as Bool?) as? Value
        case is Double.Type: (storageValue(forKey: key) as Double?) as? Value
        case is Float.Type: (storageValue(forKey: key) as Float?) as? Value
        case is Data.Type: (storageValue(forKey: key) as Data?) as? Value
        case is Date.Type: (storageValue(forKey: key) as Date?) as? Value
        default: untypedValue(forKey: key)
        }
    }

    /// Returns the stored value of a type that has no function of its own.
    @usableFromInline
    func untypedValue<Value: LayeredPrefs.PrefsStorageValue>(forKey key: String) -> Value? {
        unsafeStorageValue(forKey: key) as? Value
            ?? _candidates(forKey: key).lazy.compactMap { Value(prefsValue: $0.value) }.first
    }

    /// Stores a value with the function for its type.
    func store(_ value: Any, forKey key: String) {
        guard let value = value as? any PrefsStorageValue else {
            return setUnsafeStorageValue(forKey: key, to: value)
        }
        func open<Value: PrefsStorageValue>(_ value: Value) { setStorageValue(forKey: key, to: value) }
        open(value)
    }
}
