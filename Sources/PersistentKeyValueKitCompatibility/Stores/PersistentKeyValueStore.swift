public import Foundation

/// A store that typed keys can be read from and written to. It may be used from any thread.
///
/// `UserDefaults`, ``InMemoryPersistentKeyValueStore`` and the storages of LayeredPrefs conform.
public protocol PersistentKeyValueStore {
    /// Returns the value for a key, or its default if nothing valid is stored.
    func get<Key: PersistentKeyProtocol>(_ key: Key) -> Key.Value

    /// Removes the value stored for a key. A failure is reported as a diagnostic.
    func remove<Key: PersistentKeyProtocol>(_ key: Key)

    /// Stores a value; `nil`, for an optional key, removes it. A failure is reported as a diagnostic.
    func set<Key: PersistentKeyProtocol>(_ key: Key, to value: Key.Value)

    /// Ends the registrations of an observer for a key with a context.
    func deregister<Key: PersistentKeyProtocol>(
        _ observer: NSObject, for key: Key, context: UnsafeMutableRawPointer?)

    /// Calls `valueWillChange` whenever a key's value changes, after it can be read, on the thread that
    /// changes it.
    ///
    /// - Parameters:
    ///   - observer: The object on whose behalf the registration exists. It is not retained; the registration
    ///     ends when it is released.
    ///   - key: The key to observe.
    ///   - context: Distinguishes the registrations of one observer.
    ///   - valueWillChange: The function to call; Objective-C's selectors do not exist on Linux.
    func register<Key: PersistentKeyProtocol>(
        observer: NSObject, for key: Key, with context: UnsafeMutableRawPointer?,
        and valueWillChange: Selector)
}

extension PersistentKeyValueStore {
    /// The value for a key; assigning stores a value as ``set(_:to:)`` does.
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
    /// Returns the value in a store.
    public func get(from store: any PersistentKeyValueStore) -> Value { store.get(self) }

    /// Stores a value; see ``PersistentKeyValueStore/set(_:to:)``.
    public func set(to newValue: Value, in store: any PersistentKeyValueStore) {
        store.set(self, to: newValue)
    }

    /// Removes the value that a store holds for this key.
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
