/// A representation that converts a value to another type with two closures and stores it in that type's
/// representation.
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
    /// Returns the value for a proxy, or `nil` if there is no value.
    public let from: @Sendable (Proxy) -> Value?
    /// Returns the proxy for a value, or `nil` if there is no proxy.
    public let to: @Sendable (Value) -> Proxy?

    /// Creates a representation that converts values in two steps: to the value of another representation, and from
    /// there to the proxy.
    ///
    /// - Parameters:
    ///   - other: The representation whose proxy is stored.
    ///   - to: Returns the value of the other representation, or `nil` if there is none.
    ///   - from: Returns the value for a value of the other representation, or `nil` if there is none.
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

    /// Creates a representation whose proxies may have no value.
    public init(to: @escaping @Sendable (Value) -> Proxy, from: @escaping @Sendable (Proxy) -> Value?) {
        self.to = { to($0) }
        self.from = from
    }

    /// Creates a representation whose values may have no proxy.
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
