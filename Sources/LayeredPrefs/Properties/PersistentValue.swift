/// A property whose value is a typed key's in a store.
///
/// ```swift
/// struct Server {
///     @PersistentValue(.port) var port
/// }
/// ```
///
/// The projected value, `$port`, is the sequence of values: the current one, then each change.
@propertyWrapper
public struct PersistentValue<Key: PersistentKeyProtocol> {
    /// The key.
    public let key: Key
    /// The store.
    public let store: any PersistentKeyValueStore

    /// A property kept in ``DefaultPrefsStore/current``.
    public init(_ key: Key) {
        self.key = key
        store = DefaultPrefsStore.current
    }

    /// A property kept in a store of your choice.
    public init(_ key: Key, store: some PersistentKeyValueStore) {
        self.key = key
        self.store = store
    }

    /// The value in force; assigning stores it, and reports a failure as a diagnostic.
    public var wrappedValue: Key.Value {
        get { store.get(key) }
        nonmutating set { store.set(key, to: newValue) }
    }

    /// The current value, then each change.
    public var projectedValue: PersistentKeyValues<Key> { key.values(in: store) }
}

// Sendable: the store is the one member that might not be, and stores are used from any thread by contract.
extension PersistentValue: @unchecked Sendable where Key: Sendable {}
