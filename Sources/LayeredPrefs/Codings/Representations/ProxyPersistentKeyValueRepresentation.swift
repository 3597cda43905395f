public import PrefsDocuments
/// A representation that stores a value as another type would store what it is turned into.
public protocol ProxyPersistentKeyValueRepresentationProtocol<Value, Proxy>: PersistentKeyValueRepresentation
{
    associatedtype Value
    /// The type that stands in.
    associatedtype Proxy: KeyValuePersistible

    /// What stands in for a value; `nil` when nothing can, and the store is then left as it was.
    func to(_ value: Value) -> Proxy?

    /// The value that a stand-in stands for, or `nil` when it is none's.
    func from(_ proxy: Proxy) -> Value?
}

extension ProxyPersistentKeyValueRepresentationProtocol {
    public func encode(_ value: Value) throws -> PrefsValue? {
        guard let proxy = to(value) else {
            throw PrefsError(.notEncodable, reason: "this \(Value.self) cannot be stored as \(Proxy.self)")
        }
        return try Proxy.persistentKeyValueRepresentation.encode(proxy)
    }

    public func decode(_ stored: PrefsValue) -> Value? {
        Proxy.persistentKeyValueRepresentation.decode(stored).flatMap(from)
    }

    public func storedForm(ofText text: String) -> PrefsValue? {
        Proxy.persistentKeyValueRepresentation.storedForm(ofText: text)
    }

    public var expectation: String { Proxy.persistentKeyValueRepresentation.expectation }

    public var storedType: PrefsStoredType { Proxy.persistentKeyValueRepresentation.storedType }
}

/// Stores a value as another type would store what two closures turn it into.
///
/// ```swift
/// extension Angle: KeyValuePersistible {
///     static var persistentKeyValueRepresentation: some PersistentKeyValueRepresentation<Angle> {
///         ProxyPersistentKeyValueRepresentation(to: \.degrees, from: Angle.init(degrees:))
///     }
/// }
/// ```
public struct ProxyPersistentKeyValueRepresentation<Value, Proxy>: PersistentKeyValueRepresentation {
    private let base: any PersistentKeyValueRepresentation<Proxy>
    private let to: @Sendable (Value) -> Proxy?
    private let from: @Sendable (Proxy) -> Value?

    /// - Parameters:
    ///   - other: How the stand-in is stored.
    ///   - to: What stands in for a value; `nil` when nothing can.
    ///   - from: The value that a stand-in stands for; `nil` when it is none's.
    public init(
        other: some PersistentKeyValueRepresentation<Proxy>,
        to: @escaping @Sendable (Value) -> Proxy?,
        from: @escaping @Sendable (Proxy) -> Value?
    ) {
        base = other
        self.to = to
        self.from = from
    }

    public func encode(_ value: Value) throws -> PrefsValue? {
        guard let proxy = to(value) else {
            throw PrefsError(.notEncodable, reason: "this \(Value.self) cannot be stored as \(Proxy.self)")
        }
        return try base.encode(proxy)
    }

    public func decode(_ stored: PrefsValue) -> Value? { base.decode(stored).flatMap(from) }

    public func storedForm(ofText text: String) -> PrefsValue? { base.storedForm(ofText: text) }

    public var expectation: String { base.expectation }

    public var storedType: PrefsStoredType { base.storedType }
}

extension ProxyPersistentKeyValueRepresentation where Proxy: KeyValuePersistible {
    /// Always possible both ways.
    public init(to: @escaping @Sendable (Value) -> Proxy, from: @escaping @Sendable (Proxy) -> Value) {
        self.init(other: Proxy.persistentKeyValueRepresentation, to: { to($0) }, from: { from($0) })
    }

    /// Some stand-ins stand for nothing.
    public init(to: @escaping @Sendable (Value) -> Proxy, from: @escaping @Sendable (Proxy) -> Value?) {
        self.init(other: Proxy.persistentKeyValueRepresentation, to: { to($0) }, from: from)
    }

    /// Some values have no stand-in.
    public init(to: @escaping @Sendable (Value) -> Proxy?, from: @escaping @Sendable (Proxy) -> Value) {
        self.init(other: Proxy.persistentKeyValueRepresentation, to: to, from: { from($0) })
    }

    /// Either direction may fail.
    @_disfavoredOverload
    public init(to: @escaping @Sendable (Value) -> Proxy?, from: @escaping @Sendable (Proxy) -> Value?) {
        self.init(other: Proxy.persistentKeyValueRepresentation, to: to, from: from)
    }
}
