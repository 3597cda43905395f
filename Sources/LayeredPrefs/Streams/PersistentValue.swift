/// A property that reads and writes a typed key in a store.
///
/// ```swift
/// struct Server {
///     @PersistentValue(.port, store: storage) var port
/// }
/// ```
///
/// The projected value, `$port`, is the asynchronous sequence of values: the current one, then each change.
@propertyWrapper
public struct PersistentValue<Value: Sendable>: Sendable {
    /// The typed key.
    public let key: PersistentKey<Value>
    /// The store that holds the value.
    public let store: any PrefsStorage

    /// Creates a property that is stored in the given store.
    public init(_ key: PersistentKey<Value>, store: some PrefsStorage) {
        self.key = key
        self.store = store
    }

    /// Creates a property that is stored in a storage of which no type is statically known.
    @_disfavoredOverload
    public init(_ key: PersistentKey<Value>, store: any PrefsStorage) {
        self.key = key
        self.store = store
    }

    /// The effective value. Assigning stores a value; a failure is reported as a diagnostic.
    public var wrappedValue: Value {
        get { store.get(key) }
        nonmutating set { store.reporting(key: key.id) { try store.set(key, to: newValue) } }
    }

    /// The current value, then each change.
    public var projectedValue: PersistentKeyValues<Value> { store.values(for: key) }
}
