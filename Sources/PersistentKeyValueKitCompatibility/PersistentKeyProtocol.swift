public import LayeredPrefs

/// A typed key: the name under which a value is stored, its type, its default and its representation.
///
/// `PersistentKey` and ``PersistentDebugKey`` conform. Declare them as static members, so that they read as
/// `store.get(.port)`:
///
/// ```swift
/// extension PersistentKeyProtocol where Self == PersistentKey<Int> {
///     static var port: Self { Self("http.port", defaultValue: 8080) }
/// }
/// ```
public protocol PersistentKeyProtocol<Value>: Identifiable, Sendable where ID == String {
    /// The type that the program uses.
    associatedtype Value: Sendable

    /// The name, or dotted path, under which the value is stored.
    var id: String { get }

    /// The value if a store has no valid one.
    var defaultValue: Value { get }

    /// The representation in which the value is stored.
    var representation: any PersistentKeyValueRepresentation<Value> { get }

    /// The key as the storages of LayeredPrefs read and write it, by default made of the name, the default and the
    /// representation.
    var persistentKey: PersistentKey<Value> { get }
}

extension PersistentKeyProtocol {
    public var persistentKey: PersistentKey<Value> {
        PersistentKey(id, defaultValue: defaultValue, representation: representation)
    }

    /// Sets the default in a dictionary that is to be registered; an absent default sets nothing.
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
