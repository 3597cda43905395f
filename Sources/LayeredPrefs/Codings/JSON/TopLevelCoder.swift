public import FoundationEssentials

/// Whatever turns an `Encodable` value into one piece: `JSONEncoder`, `PropertyListEncoder`.
public protocol TopLevelEncoder<Output> {
    /// What encoding gives.
    associatedtype Output

    /// Encodes a value.
    func encode<Value: Encodable>(_ value: Value) throws -> Output
}

/// Whatever reads back what a ``TopLevelEncoder`` wrote.
public protocol TopLevelDecoder<Input> {
    /// What decoding takes.
    associatedtype Input

    /// Decodes a value of a type.
    func decode<Value: Decodable>(_ type: Value.Type, from input: Input) throws -> Value
}

extension JSONEncoder: TopLevelEncoder {}
extension JSONDecoder: TopLevelDecoder {}
extension PropertyListEncoder: TopLevelEncoder {}
extension PropertyListDecoder: TopLevelDecoder {}
