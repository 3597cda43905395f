/// A property wrapper that reads and writes a typed key in a storage.
///
/// ```swift
/// struct Server {
///     @PersistentValue(.port, store: storage) var port
/// }
/// ```
///
/// The projected value, `$port`, is an asynchronous sequence of the current value and of each change.
@propertyWrapper
public struct PersistentValue<Value: Sendable>: Sendable {
    /// The typed key.
    public let key: PersistentKey<Value>
    /// The storage that holds the value.
    public let store: any PrefsStorage

    /// Creates a property that is stored in the given storage.
    public init(_ key: PersistentKey<Value>, store: some PrefsStorage) {
        self.key = key
        self.store = store
    }

    /// Creates a property that is stored in a storage whose type is known only at run time.
    @_disfavoredOverload
    public init(_ key: PersistentKey<Value>, store: any PrefsStorage) {
        self.key = key
        self.store = store
    }

    /// The effective value.
    ///
    /// Assigning stores a value. If that fails, the error is reported as a diagnostic.
    public var wrappedValue: Value {
        get { store.get(key) }
        nonmutating set { store.reporting(key: key.id) { try store.set(key, to: newValue) } }
    }

    /// An asynchronous sequence of the current value and of each change.
    public var projectedValue: PersistentKeyValues<Value> { store.values(for: key) }
}
