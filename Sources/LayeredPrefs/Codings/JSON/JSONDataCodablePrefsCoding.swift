public import FoundationEssentials
public import PrefsDocuments

/// A coding that stores a `Codable` value as the bytes of its JSON.
@_documentation(visibility: internal)
public struct JSONDataCodablePrefsCoding<Value: Codable & Sendable>: PrefsCodable {
    /// Creates the coding.
    public init() {}

    public func encode(prefsValue: Value) -> Data? { try? JSONCoders.encoder.encode(prefsValue) }

    public func decode(prefsValue: Data) -> Value? {
        try? JSONCoders.decoder.decode(Value.self, from: prefsValue)
    }

    /// Returns the stored form of a value.
    ///
    /// - Throws: ``PrefsError`` that quotes the encoder's error.
    public func encode(_ value: Value) throws -> PrefsValue? { .data(try JSONCoders.data(of: value)) }

    /// Parses the JSON itself, or its base64 encoding.
    public func storedForm(ofText text: String) -> PrefsValue? {
        let json = Data(text.utf8)
        return decode(prefsValue: json) == nil ? Data.storedForm(ofText: text) : .data(json)
    }

    public var expectation: String { "\(Data.prefsExpectation) that encodes a \(Value.self)" }
}

extension PrefsCoding {
    /// Returns a coding that stores a `Codable` value as the bytes of its JSON.
    ///
    /// - Parameter type: The type of the value, where it cannot be inferred, as in `@Pref(coding:)`.
    public static func jsonData<Stored>(_ type: Stored.Type = Stored.self) -> Self
    where Self == JSONDataCodablePrefsCoding<Stored> { Self() }
}
