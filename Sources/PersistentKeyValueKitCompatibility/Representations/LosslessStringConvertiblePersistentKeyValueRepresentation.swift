/// A representation that stores a `LosslessStringConvertible` value as its text.
public struct LosslessStringConvertiblePersistentKeyValueRepresentation<Value: LosslessStringConvertible>:
    ProxyPersistentKeyValueRepresentationProtocol
{
    public typealias Proxy = String

    /// Creates the representation.
    public init() {}

    public func to(_ value: Value) -> String? { value.description }

    public func from(_ proxy: String) -> Value? { Value(proxy) }

    public var expectation: String { "a string that is a \(Value.self)" }
}
