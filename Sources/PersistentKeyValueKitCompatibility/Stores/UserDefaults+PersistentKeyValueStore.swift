public import Foundation
public import LayeredPrefs
import LayeredPrefsUserDefaults

/// `UserDefaults` reads and writes typed keys itself, through the representation of each key.
///
/// The class `UserDefaultsPrefsStorage` describes the behaviour of Foundation on Linux.
extension UserDefaults: PersistentKeyValueStore {
    /// These defaults as a storage of LayeredPrefs.
    public var prefsStorage: any PrefsStorage { UserDefaultsPrefsStorage(suite: self) }

    public func get<Key: PersistentKeyProtocol>(_ key: Key) -> Key.Value {
        guard let representation = key.ownRepresentation else {
            return prefsStorage.get(key.persistentKey)
        }
        return representation.get(key.id, from: self) ?? key.defaultValue
    }

    public func set<Key: PersistentKeyProtocol>(_ key: Key, to value: Key.Value) {
        if let representation = key.ownRepresentation {
            return representation.set(key.id, to: value, in: self)
        }
        let storage = prefsStorage
        storage.reporting(key: key.id) { try storage.set(key.persistentKey, to: value) }
    }

    public func remove<Key: PersistentKeyProtocol>(_ key: Key) {
        let storage = prefsStorage
        storage.reporting(key: key.id) { try storage.remove(key.persistentKey) }
    }

    public func deregister<Key: PersistentKeyProtocol>(
        _ observer: NSObject, for key: Key, context: UnsafeMutableRawPointer?
    ) {
        unsafe Registrations.shared.remove(observer, of: self, for: key.id, context: context)
    }

    /// Registers an observer for the writes of a key through this library.
    ///
    /// The observer is called for every write to this object, even with an equal value. It is also called if
    /// another object changes the value in the same defaults.
    public func register<Key: PersistentKeyProtocol>(
        observer: NSObject, for key: Key, with context: UnsafeMutableRawPointer?,
        and valueWillChange: Selector
    ) {
        unsafe Registrations.shared.add(
            observer, of: self, for: key.id, context: context, calling: valueWillChange
        ) { changed in UserDefaultsPrefsStorage(suite: self).observeWrites(forKey: key.id, changed) }
    }

    /// Adds the defaults of keys to the registration domain.
    ///
    /// Other code that reads these `UserDefaults` directly then finds them. A stored value takes precedence. An
    /// absent default registers nothing.
    public func register(_ keys: any PersistentKeyProtocol...) { register(keys) }

    /// Adds the defaults of keys to the registration domain.
    public func register(_ keys: [any PersistentKeyProtocol]) {
        let storage = UserDefaultsPrefsStorage(suite: self)
        for key in keys { storage.registerDefault(of: key) }
    }
}

extension PersistentKeyValueStore where Self == UserDefaults {
    /// The process's standard defaults.
    public static var local: UserDefaults { .standard }
}

extension UserDefaultsPrefsStorage {
    fileprivate func registerDefault(of key: some PersistentKeyProtocol) { register(key.persistentKey) }
}

extension PersistentKeyProtocol {
    /// The representation that accesses defaults. It is `nil` for a key with features of LayeredPrefs, which its
    /// storage applies, and for a debug key in a release build.
    fileprivate var ownRepresentation: (any PersistentKeyValueRepresentation<Value>)? {
        let key = persistentKey
        return key.isPlain ? key.coding as? any PersistentKeyValueRepresentation<Value> : nil
    }
}
