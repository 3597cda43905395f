public import PrefsDocuments

/// A coding with a static type on both sides: the value and its stored form.
///
/// It is PrefsKit's protocol, and most codings of this library conform to it. You can chain such codings:
/// `JSONDataCodablePrefsCoding<Device>().base64DataString()`. The reference shows only ``PrefsCoding``, the
/// protocol for a program's own codings.
///
/// A coding may read other keys. If it reads the key that it decodes, directly or through the coding of another
/// key, it calls itself without end.
@_documentation(visibility: internal)
public protocol PrefsCodable<Value, StorageValue>: PrefsCoding where Value: Sendable {
    // Declared again. Otherwise, the two functions of a conforming type do not determine it.
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
