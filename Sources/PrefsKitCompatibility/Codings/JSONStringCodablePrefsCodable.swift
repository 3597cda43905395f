import FoundationEssentials
public import LayeredPrefs

/// A coding that stores a `Codable` value as the text of its JSON.
public protocol JSONStringCodablePrefsCodable<Value>: CodablePrefsCodable
where StorageValue == String, Encoder == JSONTextEncoder, Decoder == JSONTextDecoder {}

extension JSONStringCodablePrefsCodable {
    public func prefsEncoder() -> JSONTextEncoder { JSONTextEncoder() }

    public func prefsDecoder() -> JSONTextDecoder { JSONTextDecoder() }
}

/// Encodes to JSON text.
public struct JSONTextEncoder: TopLevelEncoder, Sendable {
    /// Creates the encoder.
    public init() {}

    public func encode<Value: Encodable>(_ value: Value) throws -> String {
        String(decoding: try JSONCoders.encoder.encode(value), as: UTF8.self)
    }
}

/// Decodes from JSON text.
public struct JSONTextDecoder: TopLevelDecoder, Sendable {
    /// Creates the decoder.
    public init() {}

    public func decode<Value: Decodable>(_ type: Value.Type, from input: String) throws -> Value {
        try JSONCoders.decoder.decode(type, from: Data(input.utf8))
    }
}

extension JSONStringCodablePrefsCoding: JSONStringCodablePrefsCodable {}

extension Decodable where Self: Encodable {
    /// Stores this type as the text of its JSON.
    public static var jsonStringPrefsCoding: JSONStringCodablePrefsCoding<Self> { .init() }
}

extension Array where Element: Codable {
    /// Stores an array of the text of each element's JSON.
    public static var jsonStringArrayPrefsCoding: ArrayPrefsCoding<JSONStringCodablePrefsCoding<Element>> {
        ArrayPrefsCoding(element: JSONStringCodablePrefsCoding())
    }
}

extension Dictionary where Key == String, Value: Codable {
    /// Stores a dictionary of the text of each value's JSON.
    public static var jsonStringDictionaryPrefsCoding:
        DictionaryPrefsCoding<JSONStringCodablePrefsCoding<Value>>
    {
        DictionaryPrefsCoding(element: JSONStringCodablePrefsCoding())
    }
}

extension PrefsCodable where StorageValue: Codable {
    /// Stores this coding's result as the text of its JSON.
    public var jsonStringPrefsCoding: PrefsCodingTuple<Self, JSONStringCodablePrefsCoding<StorageValue>> {
        chained(with: JSONStringCodablePrefsCoding())
    }
}
