public import LayeredPrefs

/// A representation that converts a value to another type and stores it in that type's representation.
public protocol ProxyPersistentKeyValueRepresentationProtocol<Value, Proxy>: PrefsValueCoding {
    associatedtype Value
    /// The type that is stored instead.
    associatedtype Proxy: KeyValuePersistible

    /// Returns the proxy for a value; `nil` if there is none, in which case the store is unchanged.
    func to(_ value: Value) -> Proxy?

    /// Returns the value for a proxy, or `nil` if there is none.
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

/// Converts a value to another type with two closures and stores it in that type's representation.
///
/// ```swift
/// extension Angle: KeyValuePersistible {
///     static var persistentKeyValueRepresentation: some PrefsValueCoding<Angle> {
///         ProxyPersistentKeyValueRepresentation(to: \.degrees, from: Angle.init(degrees:))
///     }
/// }
/// ```
public struct ProxyPersistentKeyValueRepresentation<Value, Proxy>: PrefsValueCoding {
    private let base: any PrefsValueCoding<Proxy>
    private let to: @Sendable (Value) -> Proxy?
    private let from: @Sendable (Proxy) -> Value?

    /// Creates a representation from that of the proxy.
    ///
    /// - Parameters:
    ///   - other: The representation of the proxy.
    ///   - to: Returns the proxy for a value; `nil` if there is none.
    ///   - from: Returns the value for a proxy; `nil` if there is none.
    public init(
        other: some PrefsValueCoding<Proxy>,
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
    /// Creates a representation whose conversions always succeed.
    public init(to: @escaping @Sendable (Value) -> Proxy, from: @escaping @Sendable (Proxy) -> Value) {
        self.init(other: Proxy.persistentKeyValueRepresentation, to: { to($0) }, from: { from($0) })
    }

    /// Creates a representation in which a proxy may have no value.
    public init(to: @escaping @Sendable (Value) -> Proxy, from: @escaping @Sendable (Proxy) -> Value?) {
        self.init(other: Proxy.persistentKeyValueRepresentation, to: { to($0) }, from: from)
    }

    /// Creates a representation in which a value may have no proxy.
    public init(to: @escaping @Sendable (Value) -> Proxy?, from: @escaping @Sendable (Proxy) -> Value) {
        self.init(other: Proxy.persistentKeyValueRepresentation, to: to, from: { from($0) })
    }

    /// Creates a representation whose conversions may fail in either direction.
    @_disfavoredOverload
    public init(to: @escaping @Sendable (Value) -> Proxy?, from: @escaping @Sendable (Proxy) -> Value?) {
        self.init(other: Proxy.persistentKeyValueRepresentation, to: to, from: from)
    }
}
