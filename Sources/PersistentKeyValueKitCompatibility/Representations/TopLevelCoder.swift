public import Foundation

/// An encoder that encodes an `Encodable` value into one output, such as `JSONEncoder` or `PropertyListEncoder`.
public protocol TopLevelEncoder<Output> {
    /// The result of encoding.
    associatedtype Output

    /// Encodes a value.
    func encode<Value: Encodable>(_ value: Value) throws -> Output
}

/// A decoder that reads the output of a ``TopLevelEncoder``.
public protocol TopLevelDecoder<Input> {
    /// The input of decoding.
    associatedtype Input

    /// Decodes a value of the given type.
    func decode<Value: Decodable>(_ type: Value.Type, from input: Input) throws -> Value
}

extension JSONEncoder: TopLevelEncoder {}
extension JSONDecoder: TopLevelDecoder {}
extension PropertyListEncoder: TopLevelEncoder {}
extension PropertyListDecoder: TopLevelDecoder {}
