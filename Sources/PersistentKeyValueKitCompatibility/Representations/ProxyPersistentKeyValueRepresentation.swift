/// Converts a value to another type with two closures and stores it in that type's representation.
///
/// ```swift
/// extension Angle: KeyValuePersistible {
///     static var persistentKeyValueRepresentation: some PersistentKeyValueRepresentation<Angle> {
///         ProxyPersistentKeyValueRepresentation(to: \.degrees, from: Angle.init(degrees:))
///     }
/// }
/// ```
public struct ProxyPersistentKeyValueRepresentation<Value, Proxy: KeyValuePersistible>:
    ProxyPersistentKeyValueRepresentationProtocol
{
    /// Returns the value for a proxy; `nil` if there is none.
    public let from: @Sendable (Proxy) -> Value?
    /// Returns the proxy for a value; `nil` if there is none.
    public let to: @Sendable (Value) -> Proxy?

    /// Creates a representation that converts to the value of another representation, which converts it to
    /// the proxy.
    ///
    /// - Parameters:
    ///   - other: The representation whose proxy is stored.
    ///   - to: Returns the other representation's value; `nil` if there is none.
    ///   - from: Returns the value for one of the other representation; `nil` if there is none.
    public init<Other: ProxyPersistentKeyValueRepresentationProtocol>(
        other: Other,
        to: @escaping @Sendable (Value) -> Other.Value?,
        from: @escaping @Sendable (Other.Value) -> Value?
    ) where Other.Proxy == Proxy {
        self.to = { to($0).flatMap { other.to($0) } }
        self.from = { other.from($0).flatMap { from($0) } }
    }

    /// Creates a representation whose conversions always succeed.
    public init(to: @escaping @Sendable (Value) -> Proxy, from: @escaping @Sendable (Proxy) -> Value) {
        self.to = { to($0) }
        self.from = { from($0) }
    }

    /// Creates a representation in which a proxy may have no value.
    public init(to: @escaping @Sendable (Value) -> Proxy, from: @escaping @Sendable (Proxy) -> Value?) {
        self.to = { to($0) }
        self.from = from
    }

    /// Creates a representation in which a value may have no proxy.
    public init(to: @escaping @Sendable (Value) -> Proxy?, from: @escaping @Sendable (Proxy) -> Value) {
        self.to = to
        self.from = { from($0) }
    }

    /// Creates a representation whose conversions may fail in either direction.
    @_disfavoredOverload
    public init(to: @escaping @Sendable (Value) -> Proxy?, from: @escaping @Sendable (Proxy) -> Value?) {
        self.to = to
        self.from = from
    }

    public func from(_ proxy: Proxy) -> Value? {
        let convert = self[keyPath: \.from]
        return convert(proxy)
    }

    public func to(_ value: Value) -> Proxy? {
        let convert = self[keyPath: \.to]
        return convert(value)
    }
}
