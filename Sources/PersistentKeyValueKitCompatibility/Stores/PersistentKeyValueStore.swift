public import LayeredPrefs

/// A store that typed keys can be read from and written to: a storage, or Foundation's `UserDefaults`.
public protocol PersistentKeyValueStore: AnyObject {
    /// The storage that holds the values.
    var prefsStorage: any PrefsStorage { get }
}

extension PersistentKeyValueStore where Self: PrefsStorage {
    /// The storage itself.
    public var prefsStorage: any PrefsStorage { self }
}

extension AnyPrefsStorage: PersistentKeyValueStore {}
extension DictionaryPrefsStorage: PersistentKeyValueStore {}
extension FilePrefsStorage: PersistentKeyValueStore {}
extension LayeredPrefsStorage: PersistentKeyValueStore {}

/// A store in memory.
public typealias InMemoryPersistentKeyValueStore = DictionaryPrefsStorage

extension PersistentKeyValueStore where Self == DictionaryPrefsStorage {
    /// A new store in memory, separate from all others.
    public static var ephemeral: DictionaryPrefsStorage { DictionaryPrefsStorage() }
}

// The storage's own functions of these names throw. A member of the class itself is preferred to them.
extension DictionaryPrefsStorage {
    /// Stores a value; `nil`, for an optional key, removes it. A failure is reported as a diagnostic.
    public func set<Key: PersistentKeyProtocol>(_ key: Key, to value: Key.Value) {
        let storage: any PrefsStorage = self
        reporting(key: key.id) { try storage.set(key, to: value) }
    }

    /// Removes the value stored for a key. A failure is reported as a diagnostic.
    public func remove<Key: PersistentKeyProtocol>(_ key: Key) {
        let storage: any PrefsStorage = self
        reporting(key: key.id) { try storage.remove(key) }
    }
}

// iCloud's store does not exist on Linux. A ``FilePrefsStorage`` in a folder that some program synchronises
// between machines replaces it: changes from other machines are edits like any other, and are observed.

extension PersistentKeyValueStore {
    /// Returns the effective value for a key.
    @_disfavoredOverload
    public func get<Key: PersistentKeyProtocol>(_ key: Key) -> Key.Value { prefsStorage.get(key) }

    /// Stores a value; `nil`, for an optional key, removes it. A failure is reported as a diagnostic.
    @_disfavoredOverload
    public func set<Key: PersistentKeyProtocol>(_ key: Key, to value: Key.Value) {
        let storage = prefsStorage
        storage.reporting(key: key.id) { try storage.set(key, to: value) }
    }

    /// Removes the value stored for a key. A failure is reported as a diagnostic.
    @_disfavoredOverload
    public func remove<Key: PersistentKeyProtocol>(_ key: Key) {
        let storage = prefsStorage
        storage.reporting(key: key.id) { try storage.remove(key) }
    }

    /// The effective value for a key; assigning stores a value as ``set(_:to:)`` does.
    public subscript<Key: PersistentKeyProtocol>(_ key: Key) -> Key.Value {
        get { prefsStorage.get(key) }
        set {
            let storage = prefsStorage
            storage.reporting(key: key.id) { try storage.set(key, to: newValue) }
        }
    }

    /// Returns a sequence of a key's current value and its value after every change.
    @_disfavoredOverload
    public func values<Key: PersistentKeyProtocol>(
        for key: Key,
        emitsInitialValue: Bool = true,
        bufferingPolicy: PersistentKeyValues<Key.Value>.BufferingPolicy = .bufferingNewest(1)
    ) -> PersistentKeyValues<Key.Value> {
        prefsStorage.values(
            for: key, emitsInitialValue: emitsInitialValue, bufferingPolicy: bufferingPolicy)
    }

    /// Returns a sequence of a key's value after every change.
    @_disfavoredOverload
    public func changes<Key: PersistentKeyProtocol>(
        for key: Key,
        bufferingPolicy: PersistentKeyValues<Key.Value>.BufferingPolicy = .bufferingNewest(1)
    ) -> PersistentKeyValues<Key.Value> {
        prefsStorage.changes(for: key, bufferingPolicy: bufferingPolicy)
    }
}

extension PersistentKeyProtocol {
    /// Returns the effective value in a store.
    public func get(from store: some PersistentKeyValueStore) -> Value { store.prefsStorage.get(self) }

    /// Stores a value; see ``PersistentKeyValueStore/set(_:to:)``.
    public func set(to value: Value, in store: some PersistentKeyValueStore) { store[self] = value }

    /// Removes the value that a store holds for this key.
    public func remove(from store: some PersistentKeyValueStore) {
        let storage = store.prefsStorage
        storage.reporting(key: id) { try storage.remove(self) }
    }

    /// Returns a sequence of the current value and the value after every change.
    public func values(
        in store: any PersistentKeyValueStore,
        emitsInitialValue: Bool = true,
        bufferingPolicy: PersistentKeyValues<Value>.BufferingPolicy = .bufferingNewest(1)
    ) -> PersistentKeyValues<Value> {
        store.prefsStorage.values(
            for: self, emitsInitialValue: emitsInitialValue, bufferingPolicy: bufferingPolicy)
    }

    /// Returns a sequence of the value after every change.
    public func changes(
        in store: any PersistentKeyValueStore,
        bufferingPolicy: PersistentKeyValues<Value>.BufferingPolicy = .bufferingNewest(1)
    ) -> PersistentKeyValues<Value> {
        store.prefsStorage.changes(for: self, bufferingPolicy: bufferingPolicy)
    }
}
