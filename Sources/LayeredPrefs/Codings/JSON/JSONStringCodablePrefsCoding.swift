import FoundationEssentials
public import PrefsDocuments

/// A coding that stores a `Codable` value as the text of its JSON.
@_documentation(visibility: internal)
public struct JSONStringCodablePrefsCoding<Value: Codable & Sendable>: PrefsCodable {
    /// Creates the coding.
    public init() {}

    public func encode(prefsValue: Value) -> String? { try? JSONCoders.text(of: prefsValue) }

    public func decode(prefsValue: String) -> Value? {
        try? JSONCoders.decoder.decode(Value.self, from: Data(prefsValue.utf8))
    }

    /// Returns the stored form of a value.
    ///
    /// - Throws: ``PrefsError`` that quotes the encoder's error.
    public func encode(_ value: Value) throws -> PrefsValue? { .string(try JSONCoders.text(of: value)) }

    public var expectation: String { "\(String.prefsExpectation) that encodes a \(Value.self)" }
}

extension PrefsCoding {
    /// Returns a coding that stores a `Codable` value as the text of its JSON.
    ///
    /// - Parameter type: The type of the value, where it cannot be inferred, as in `@Pref(coding:)`.
    public static func jsonString<Stored>(_ type: Stored.Type = Stored.self) -> Self
    where Self == JSONStringCodablePrefsCoding<Stored> { Self() }
}
