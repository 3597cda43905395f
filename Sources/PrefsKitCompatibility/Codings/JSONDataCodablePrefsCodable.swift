public import Foundation
public import LayeredPrefs
public import PrefsDocuments

/// A coding that stores a `Codable` value as the bytes of its JSON.
public protocol JSONDataCodablePrefsCodable<Value>: CodablePrefsCodable
where StorageValue == Data, Encoder == JSONEncoder, Decoder == JSONDecoder {}

extension JSONDataCodablePrefsCodable {
    public func prefsEncoder() -> JSONEncoder { JSONCoders.encoder }

    public func prefsDecoder() -> JSONDecoder { JSONCoders.decoder }

    /// Accepts the JSON itself, or its base64 encoding.
    public func storedForm(ofText text: String) -> PrefsValue? {
        let json = Data(text.utf8)
        return decode(prefsValue: json) == nil ? Data.storedForm(ofText: text) : .data(json)
    }
}

extension JSONDataCodablePrefsCoding: JSONDataCodablePrefsCodable {}

extension Decodable where Self: Encodable & Sendable {
    /// A coding that stores this type as the bytes of its JSON.
    public static var jsonDataPrefsCoding: JSONDataCodablePrefsCoding<Self> { .init() }
}

extension Array where Element: Codable & Sendable {
    /// A coding that stores an array of the bytes of each element's JSON.
    public static var jsonDataArrayPrefsCoding: CodableArrayPrefsCoding<JSONDataCodablePrefsCoding<Element>> {
        CodableArrayPrefsCoding(element: JSONDataCodablePrefsCoding())
    }
}

extension Dictionary where Key == String, Value: Codable & Sendable {
    /// A coding that stores a dictionary of the bytes of each value's JSON.
    public static var jsonDataDictionaryPrefsCoding:
        CodableDictionaryPrefsCoding<JSONDataCodablePrefsCoding<Value>>
    {
        CodableDictionaryPrefsCoding(element: JSONDataCodablePrefsCoding())
    }
}

extension PrefsCodable where StorageValue: Codable {
    /// A coding that stores this coding's result as the bytes of its JSON.
    public var jsonDataPrefsCoding: some PrefsCodable<Value, Data> {
        chained(with: JSONDataCodablePrefsCoding())
    }
}
