public import PrefsDocuments

/// A coding with a static type on both sides: the value and its stored form.
///
/// If a type needs special treatment, write a coding for it. Give the coding a static member, so that it
/// reads well:
///
/// ```swift
/// struct ColourCoding: PrefsCodable {
///     func encode(prefsValue: Colour) -> String? { prefsValue.hexadecimal }
///     func decode(prefsValue: String) -> Colour? { Colour(hexadecimal: prefsValue) }
/// }
///
/// extension PrefsCoding where Self == ColourCoding {
///     static var colour: ColourCoding { ColourCoding() }
/// }
/// ```
///
/// You can chain codings: `JSONDataCodablePrefsCoding<Device>().base64DataString()`.
///
/// A coding may read other keys. If it reads the key that it decodes, directly or through the coding of
/// another key, the innermost read returns the key's default, and the mistake is reported once.
public protocol PrefsCodable<Value, StorageValue>: PrefsCoding where Value: Sendable {
    // Declared again, because otherwise a conforming type's two functions do not determine it.
    associatedtype Value
    /// The stored type.
    associatedtype StorageValue: PrefsStorageValue

    /// Returns the stored form of a value.
    ///
    /// - Returns: The stored form, or `nil` if the value cannot be stored. The storage is unchanged then.
    func encode(prefsValue: Value) -> StorageValue?

    /// Returns the value of a stored form, or `nil` if the stored form is not valid.
    func decode(prefsValue: StorageValue) -> Value?
}

extension PrefsCodable {
    /// Returns the stored form of a value.
    ///
    /// - Throws: ``PrefsError`` with the code ``PrefsError/Code/notEncodable`` if the coding returns `nil`.
    public func encode(_ value: Value) throws -> PrefsValue? {
        guard let encoded = encode(prefsValue: value) else {
            throw PrefsError(
                .notEncodable, reason: "this \(Value.self) cannot be stored as \(StorageValue.self)")
        }
        return encoded.prefsValue
    }

    @inlinable public func decode(_ stored: PrefsValue) -> Value? {
        StorageValue(prefsValue: stored).flatMap(decode(prefsValue:))
    }

    public func storedForm(ofText text: String) -> PrefsValue? {
        StorageValue.storedForm(ofText: text)
    }

    public var expectation: String { StorageValue.prefsExpectation }

    public var storedType: PrefsStoredType { PrefsStoredType(of: StorageValue.self) }
}
