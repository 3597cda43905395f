/// A property that reads and writes a typed key in a store.
///
/// ```swift
/// struct Server {
///     @PersistentValue(.port, store: .local) var port
/// }
/// ```
///
/// The projected value, `$port`, is an asynchronous sequence of the current value and the value after each change. In
/// PersistentKeyValueKit it is a `Binding`, but that requires SwiftUI, which Linux does not have.
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

    /// The value. If you assign one, it is stored; a failure is reported as a diagnostic.
    public var wrappedValue: Key.Value {
        get { store.get(key) }
        nonmutating set { store.set(key, to: newValue) }
    }

    /// A sequence of the current value and the value after each change.
    public var projectedValue: PersistentKeyValues<Key> { PersistentKeyValues(key, store: store) }
}

// Sendable: the key is, and the protocol requires that a store may be used from any thread.
extension PersistentValue: @unchecked Sendable {}
