public import LayeredPrefs

/// A typed key: the name that a value is stored under, the value's type, its default and its representation.
///
/// `PersistentKey` and ``PersistentDebugKey`` conform. Declare keys as static members, so that they read as
/// `store.get(.port)`:
///
/// ```swift
/// extension PersistentKeyProtocol where Self == PersistentKey<Int> {
///     static var port: Self { Self("http.port", defaultValue: 8080) }
/// }
/// ```
public protocol PersistentKeyProtocol<Value>: Identifiable, Sendable where ID == String {
    /// The type of the values in the program.
    associatedtype Value: Sendable

    /// The name, or dotted path, that the value is stored under.
    var id: String { get }

    /// The value that a reader gets if a store has no valid value.
    var defaultValue: Value { get }

    /// The representation of the stored value.
    var representation: any PersistentKeyValueRepresentation<Value> { get }

    /// The key that the storages of LayeredPrefs read and write. By default it is made of the name, the default and the
    /// representation.
    var persistentKey: PersistentKey<Value> { get }
}

extension PersistentKeyProtocol {
    public var persistentKey: PersistentKey<Value> {
        PersistentKey(id, defaultValue: defaultValue, representation: representation)
    }

    /// Adds the default to a dictionary that is to be registered. An absent default adds nothing.
    public func registerDefault(in defaults: inout [String: Any]) {
        representation.set(id, to: defaultValue, in: &defaults)
    }
}

extension PersistentKey: PersistentKeyProtocol {
    public var representation: any PersistentKeyValueRepresentation<Value> {
        coding as? any PersistentKeyValueRepresentation<Value> ?? CodingRepresentation(coding: coding)
    }

    public var persistentKey: PersistentKey<Value> { self }
}
