public import Foundation
public import LayeredPrefs
public import LayeredPrefsUserDefaults

// iCloud's store does not exist on Linux. A `FilePrefsStorage` in a folder that some program synchronizes
// between machines replaces it: changes from other machines are edits like any other, and are observed.

extension DictionaryPrefsStorage: PersistentKeyValueStore {}
extension FilePrefsStorage: PersistentKeyValueStore {}
extension PrefsStack: PersistentKeyValueStore {}
extension UserDefaultsPrefsStorage: PersistentKeyValueStore {}

// The storages have functions with these names that throw, or that know their caller. Where both are visible, the
// compiler prefers the storages' functions.
extension PersistentKeyValueStore where Self: PrefsStorage {
    /// Returns the value for a key, or its default if no valid value is stored.
    @_disfavoredOverload
    public func get<Key: PersistentKeyProtocol>(_ key: Key) -> Key.Value { _get(key.persistentKey, "", 0) }

    /// Stores a value. For an optional key, `nil` removes it. A failure is reported as a diagnostic.
    @_disfavoredOverload
    public func set<Key: PersistentKeyProtocol>(_ key: Key, to value: Key.Value) {
        let storage: any PrefsStorage = self
        reporting(key: key.id) { try storage.set(key.persistentKey, to: value) }
    }

    /// Removes the value stored for a key. A failure is reported as a diagnostic.
    @_disfavoredOverload
    public func remove<Key: PersistentKeyProtocol>(_ key: Key) {
        let storage: any PrefsStorage = self
        reporting(key: key.id) { try storage.remove(key.persistentKey) }
    }

    public func deregister<Key: PersistentKeyProtocol>(
        _ observer: NSObject, for key: Key, context: UnsafeMutableRawPointer?
    ) {
        unsafe Registrations.shared.remove(observer, of: self, for: key.id, context: context)
    }

    public func register<Key: PersistentKeyProtocol>(
        observer: NSObject, for key: Key, with context: UnsafeMutableRawPointer?,
        and valueWillChange: Selector
    ) {
        unsafe Registrations.shared.add(
            observer, of: self, for: key.id, context: context, calling: valueWillChange
        ) { changed in _registerObserver(under: key.id, changed) }
    }
}
