public import PrefsDocuments

/// A coding with a static type on both sides: the value and its stored form.
///
/// Conform a type of your own for a value that needs special treatment, and give it a static member so that
/// it reads well:
///
/// ```swift
/// struct ColourCoding: PrefsCodable {
///     func encode(prefsValue: Colour) -> String? { prefsValue.hexadecimal }
///     func decode(prefsValue: String) -> Colour? { Colour(hexadecimal: prefsValue) }
/// }
///
/// extension PrefsValueCoding where Self == ColourCoding {
///     static var colour: ColourCoding { ColourCoding() }
/// }
/// ```
///
/// Codings chain: `JSONDataCodablePrefsCoding<Device>().base64DataString()`.
///
/// A coding may read other keys. If it reads the key that it decodes, directly or through the coding of another
/// key, the innermost read finds the key's default, and the mistake is reported once.
public protocol PrefsCodable<Value, StorageValue>: PrefsValueCoding where Value: Sendable {
    // Declared again, because otherwise a conforming type's two functions do not determine it.
    associatedtype Value
    /// The stored type.
    associatedtype StorageValue: PrefsStorageValue

    /// Returns the stored form of a value; `nil` if it cannot be stored, in which case the store is
    /// unchanged.
    func encode(prefsValue: Value) -> StorageValue?

    /// Returns the value of a stored form, or `nil` if it is not valid.
    func decode(prefsValue: StorageValue) -> Value?
}

extension PrefsCodable {
    /// - Throws: ``PrefsError`` with ``PrefsError/Code/notEncodable`` if the coding returns `nil`.
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
