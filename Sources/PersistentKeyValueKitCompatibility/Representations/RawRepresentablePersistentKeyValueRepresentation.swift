/// A representation that stores a `RawRepresentable` value in the representation of its raw value.
public struct RawRepresentablePersistentKeyValueRepresentation<Value: RawRepresentable>:
    ProxyPersistentKeyValueRepresentationProtocol
where Value.RawValue: KeyValuePersistible {
    public typealias Proxy = Value.RawValue

    /// Creates the representation.
    public init() {}

    public func to(_ value: Value) -> Value.RawValue? { value.rawValue }

    public func from(_ proxy: Value.RawValue) -> Value? { Value(rawValue: proxy) }

    public var expectation: String {
        "\(Proxy.persistentKeyValueRepresentation.expectation) that is a \(Value.self)"
    }
}
