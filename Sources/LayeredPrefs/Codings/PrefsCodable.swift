public import PrefsDocuments
/// A coding with both ends typed: a value, and what of it is stored.
///
/// Conform a type of your own where a value needs special treatment, and give it a static constructor so
/// that it reads well:
///
/// ```swift
/// struct ColourCoding: PrefsCodable {
///     func encode(prefsValue: Colour) -> String? { prefsValue.hexadecimal }
///     func decode(prefsValue: String) -> Colour? { Colour(hexadecimal: prefsValue) }
/// }
///
/// extension PrefsCodable where Self == ColourCoding {
///     static var colour: ColourCoding { ColourCoding() }
/// }
/// ```
///
/// Codings chain: `Device.jsonDataPrefsCoding.compressedData(algorithm: .zlib).base64DataString()`.
public protocol PrefsCodable<Value, StorageValue>: PersistentKeyValueRepresentation {
    // Declared again, or a conforming type's two functions do not determine it.
    associatedtype Value
    /// The type that is stored.
    associatedtype StorageValue: PrefsStorageValue

    /// What is stored of a value; `nil` when it cannot be stored, and the store is then left as it was.
    func encode(prefsValue: Value) -> StorageValue?

    /// The value of what is stored, or `nil` when it is not the form of any.
    func decode(prefsValue: StorageValue) -> Value?
}

extension PrefsCodable {
    /// - Throws: ``PrefsError`` with ``PrefsError/Code/notEncodable`` where the coding gives `nil`.
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
