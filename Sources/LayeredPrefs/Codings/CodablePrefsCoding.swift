public import PrefsDocuments

/// A coding that stores a `Codable` value natively, and never as encoded text.
///
/// A struct is stored as a dictionary, and a collection as an array or a dictionary. ``PrefsValueEncoder``
/// describes these forms.
///
/// Keys use this coding for types that have no other default coding. So `@Pref var routes: [Route] = []`
/// works for any `struct Route: Codable`. To store JSON instead, use `coding: .jsonString()` or
/// `coding: .jsonData()`.
@_documentation(visibility: internal)
public struct CodablePrefsCoding<Value: Codable & Sendable>: PrefsCodable {
    public typealias StorageValue = PrefsValue

    /// Creates the coding.
    @inlinable public init() {}

    public func encode(prefsValue: Value) -> PrefsValue? { try? encode(prefsValue) }

    /// Returns the stored form of a value.
    ///
    /// - Returns: The stored form, or `nil` for an optional that is `nil`.
    /// - Throws: ``PrefsError`` with the code ``PrefsError/Code/notEncodable``. Its reason quotes the
    ///   encoder's error.
    public func encode(_ value: Value) throws -> PrefsValue? {
        do {
            return try PrefsValueEncoder().encode(value)
        } catch let EncodingError.invalidValue(_, context) {
            let place = "\(Value.self)" + context.codingPath.map { ".\($0.stringValue)" }.joined()
            throw PrefsError(
                .notEncodable, reason: "\(place) has no stored form: \(context.debugDescription)")
        } catch {
            throw PrefsError(.notEncodable, reason: "this \(Value.self) has no stored form: \(error)")
        }
    }

    public func decode(prefsValue: PrefsValue) -> Value? {
        try? PrefsValueDecoder().decode(Value.self, from: prefsValue)
    }

    /// Parses text from an environment variable or a command line into a stored form.
    ///
    /// A JSON object or array is parsed as such. Any other text is a number, the string itself or a Boolean
    /// value, whichever the type accepts.
    public func storedForm(ofText text: String) -> PrefsValue? {
        PrefsText.storedForm(of: text, as: Value.self)
    }

    public var expectation: String {
        allStoredForms.map(\.oneOf) ?? "a stored \(Value.self)"
    }

    /// Returns the part of the stored form that is wrong, such as `[2].timeout`, and the reason.
    public func mismatch(of stored: PrefsValue) -> PrefsMismatch {
        PrefsValueDecoder().mismatch(of: stored, as: Value.self) ?? PrefsMismatch(expected: expectation)
    }

    /// The type of the stored form, down to the fields of structs in arrays and dictionaries.
    ///
    /// The library finds the fields by running the `init(from:)` of these structs on samples.
    public var storedType: PrefsStoredType { PrefsStoredType(ofField: Value.self) }
}

/// A coding of structs whose fields may come from several layers.
protocol FieldwiseCoding<Value>: PrefsCoding {
    func decodeFields(_ stored: PrefsValue) -> DecodedFields<Value>

    /// Returns the fields of the struct, found by decoding a stored form that has them all.
    func fields(in stored: PrefsValue) -> [DecodedField]
}

extension CodablePrefsCoding: FieldwiseCoding {
    func decodeFields(_ stored: PrefsValue) -> DecodedFields<Value> {
        PrefsValueDecoder().fields(of: stored, as: Value.self)
    }

    func fields(in stored: PrefsValue) -> [DecodedField] {
        PrefsValueDecoder().shape(of: Value.self, in: stored)
    }
}

extension OptionalPrefsCoding: FieldwiseCoding where Base: FieldwiseCoding {
    func decodeFields(_ stored: PrefsValue) -> DecodedFields<Base.Value?> {
        let fields = base.decodeFields(stored)
        return DecodedFields(value: fields.value.map(Optional.some), wholes: fields.wholes)
    }

    func fields(in stored: PrefsValue) -> [DecodedField] { base.fields(in: stored) }
}

extension PrefsText {
    /// Parses a text as a type that need not have a coding of its own.
    static func storedForm(of text: String, as type: (any Decodable.Type)?) -> PrefsValue {
        if let known = type as? any PrefsStorageValue.Type, let form = known.storedForm(ofText: text) {
            return form
        }
        let forms = [json(text), .string(text), bool(text).map(PrefsValue.bool)].compactMap(\.self)
        let accepted = type.flatMap { type in
            forms.first { (try? PrefsValueDecoder().decode(type, from: $0)) != nil }
        }
        // If the type accepts none of them, the message is about the JSON, which has parts.
        return accepted ?? forms.first ?? .string(text)
    }
}
