public import Foundation

/// A store that you can read typed keys from and write them to. You may use it from any thread.
///
/// `UserDefaults`, ``InMemoryPersistentKeyValueStore`` and the storages of LayeredPrefs conform.
public protocol PersistentKeyValueStore {
    /// Returns the value for a key, or its default if no valid value is stored.
    func get<Key: PersistentKeyProtocol>(_ key: Key) -> Key.Value

    /// Removes the value stored for a key. A failure is reported as a diagnostic.
    func remove<Key: PersistentKeyProtocol>(_ key: Key)

    /// Stores a value. For an optional key, `nil` removes it. A failure is reported as a diagnostic.
    func set<Key: PersistentKeyProtocol>(_ key: Key, to value: Key.Value)

    /// Ends the registrations of an observer for a key with a context.
    func deregister<Key: PersistentKeyProtocol>(
        _ observer: NSObject, for key: Key, context: UnsafeMutableRawPointer?)

    /// Registers an observer that is called whenever a key's value changes.
    ///
    /// `valueWillChange` is called after the new value can be read, on the thread that changes it.
    ///
    /// - Parameters:
    ///   - observer: The object that owns the registration. It is not retained. The registration ends when it is
    ///     released.
    ///   - key: The key to observe.
    ///   - context: A pointer that distinguishes the registrations of one observer.
    ///   - valueWillChange: The function to call. It replaces an Objective-C selector, which Linux does not have.
    func register<Key: PersistentKeyProtocol>(
        observer: NSObject, for key: Key, with context: UnsafeMutableRawPointer?,
        and valueWillChange: Selector)
}

extension PersistentKeyValueStore {
    /// The value for a key. If you assign one, it is stored as by ``set(_:to:)``.
    public subscript<Key: PersistentKeyProtocol>(_ key: Key) -> Key.Value {
        get { get(key) }
        nonmutating set { set(key, to: newValue) }
    }

    /// Returns a sequence of a key's current value and its value after every change.
    @_disfavoredOverload
    public func values<Key: PersistentKeyProtocol>(
        for key: Key,
        emitsInitialValue: Bool = true,
        bufferingPolicy: PersistentKeyValues<Key>.BufferingPolicy = .bufferingNewest(1)
    ) -> PersistentKeyValues<Key> {
        PersistentKeyValues(
            key, store: self, emitsInitialValue: emitsInitialValue, bufferingPolicy: bufferingPolicy)
    }

    /// Returns a sequence of a key's value after every change.
    @_disfavoredOverload
    public func changes<Key: PersistentKeyProtocol>(
        for key: Key,
        bufferingPolicy: PersistentKeyValues<Key>.BufferingPolicy = .bufferingNewest(1)
    ) -> PersistentKeyValues<Key> {
        PersistentKeyValues(key, store: self, emitsInitialValue: false, bufferingPolicy: bufferingPolicy)
    }
}

extension PersistentKeyProtocol {
    /// Returns the value for this key in a store, or the default if no valid value is stored.
    public func get(from store: any PersistentKeyValueStore) -> Value { store.get(self) }

    /// Stores a value for this key; see ``PersistentKeyValueStore/set(_:to:)``.
    public func set(to newValue: Value, in store: any PersistentKeyValueStore) {
        store.set(self, to: newValue)
    }

    /// Removes the value for this key from a store.
    public func remove(from store: any PersistentKeyValueStore) { store.remove(self) }

    /// Returns a sequence of the current value and the value after every change.
    public func values(
        in store: any PersistentKeyValueStore,
        emitsInitialValue: Bool = true,
        bufferingPolicy: PersistentKeyValues<Self>.BufferingPolicy = .bufferingNewest(1)
    ) -> PersistentKeyValues<Self> {
        PersistentKeyValues(
            self, store: store, emitsInitialValue: emitsInitialValue, bufferingPolicy: bufferingPolicy)
    }

    /// Returns a sequence of the value after every change.
    public func changes(
        in store: any PersistentKeyValueStore,
        bufferingPolicy: PersistentKeyValues<Self>.BufferingPolicy = .bufferingNewest(1)
    ) -> PersistentKeyValues<Self> {
        values(in: store, emitsInitialValue: false, bufferingPolicy: bufferingPolicy)
    }
}
