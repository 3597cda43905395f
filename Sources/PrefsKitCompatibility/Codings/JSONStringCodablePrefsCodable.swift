public import Foundation
public import LayeredPrefs
public import PrefsDocuments

/// A coding that stores a `Codable` value as the text of its JSON.
public protocol JSONStringCodablePrefsCodable<Value>: CodablePrefsCodable
where StorageValue == String, Encoder == JSONEncoder, Decoder == JSONDecoder {}

extension JSONStringCodablePrefsCodable {
    public func prefsEncoder() -> JSONEncoder { JSONCoders.encoder }

    public func prefsDecoder() -> JSONDecoder { JSONCoders.decoder }

    /// Returns the stored form of a value, or `nil` if the value cannot be stored.
    public func encode(prefsValue: Value) -> String? {
        (try? prefsEncoder().encode(prefsValue)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the value of a stored form, or `nil` if the stored form is not valid.
    public func decode(prefsValue: String) -> Value? {
        try? prefsDecoder().decode(Value.self, from: Data(prefsValue.utf8))
    }

    /// Encodes a value as the text of its JSON.
    ///
    /// - Throws: ``PrefsError`` that quotes the encoder's error.
    public func encode(_ value: Value) throws -> PrefsValue? {
        do {
            return .string(String(decoding: try prefsEncoder().encode(value), as: UTF8.self))
        } catch {
            throw PrefsError(.notEncodable, reason: "this \(Value.self) cannot be encoded: \(error)")
        }
    }
}

extension JSONStringCodablePrefsCoding: JSONStringCodablePrefsCodable {}

extension Decodable where Self: Encodable & Sendable {
    /// A coding that stores this type as the text of its JSON.
    public static var jsonStringPrefsCoding: JSONStringCodablePrefsCoding<Self> { .init() }
}

extension Array where Element: Codable & Sendable {
    /// A coding that stores an array of the text of each element's JSON.
    public static var jsonStringArrayPrefsCoding:
        CodableArrayPrefsCoding<JSONStringCodablePrefsCoding<Element>>
    {
        CodableArrayPrefsCoding(element: JSONStringCodablePrefsCoding())
    }
}

extension Dictionary where Key == String, Value: Codable & Sendable {
    /// A coding that stores a dictionary of the text of each value's JSON.
    public static var jsonStringDictionaryPrefsCoding:
        CodableDictionaryPrefsCoding<JSONStringCodablePrefsCoding<Value>>
    {
        CodableDictionaryPrefsCoding(element: JSONStringCodablePrefsCoding())
    }
}

extension PrefsCodable where StorageValue: Codable {
    /// A coding that stores this coding's result as the text of its JSON.
    public var jsonStringPrefsCoding: some PrefsCodable<Value, String> {
        chained(with: JSONStringCodablePrefsCoding())
    }
}
