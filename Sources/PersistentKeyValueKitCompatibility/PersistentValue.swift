/// A property that reads and writes a typed key in a store.
///
/// ```swift
/// struct Server {
///     @PersistentValue(.port, store: .local) var port
/// }
/// ```
///
/// The projected value, `$port`, is the asynchronous sequence of values: the current one, then each change.
/// Where PersistentKeyValueKit projects a `Binding`, SwiftUI is required, which Linux does not have.
@propertyWrapper
public struct PersistentValue<Key: PersistentKeyProtocol> {
    /// The typed key.
    public let key: Key
    /// The store that holds the value.
    public let store: any PersistentKeyValueStore

    /// Creates a property that is stored in the given store, or in ``DefaultPrefsStore/current``.
    public init(_ key: Key, store: (any PersistentKeyValueStore)? = nil) {
        self.key = key
        self.store = store ?? DefaultPrefsStore.current
    }

    /// The value. Assigning stores a value; a failure is reported as a diagnostic.
    public var wrappedValue: Key.Value {
        get { store.get(key) }
        nonmutating set { store.set(key, to: newValue) }
    }

    /// The current value, then each change.
    public var projectedValue: PersistentKeyValues<Key> { PersistentKeyValues(key, store: store) }
}

// Sendable: the key is, and the protocol requires that a store may be used from any thread.
extension PersistentValue: @unchecked Sendable {}
