public import PrefsDocuments

/// A coding that stores a `RawRepresentable` value, such as a case of an enum, as its raw value.
///
/// Keys of such types use this coding automatically.
@_documentation(visibility: internal)
public struct RawRepresentablePrefsCoding<Value: RawRepresentable & Sendable>: PrefsCodable
where Value.RawValue: PrefsStorageValue {
    public typealias StorageValue = Value.RawValue

    /// Creates the coding.
    @inlinable public init() {}

    public func encode(prefsValue: Value) -> StorageValue? { prefsValue.rawValue }

    @inlinable public func decode(prefsValue: StorageValue) -> Value? { Value(rawValue: prefsValue) }

    /// A phrase that describes the acceptable stored forms.
    ///
    /// If the type is `CaseIterable`, it lists the raw values: `one of "debug", "info"`.
    public var expectation: String {
        guard let forms = allStoredForms, !forms.isEmpty else {
            return "\(StorageValue.prefsExpectation) that is a \(Value.self)"
        }
        return forms.oneOf
    }

    /// Returns the reason why a stored form is rejected, and suggests the raw value that is most similar to
    /// it.
    public func mismatch(of stored: PrefsValue) -> PrefsMismatch {
        PrefsMismatch(expected: expectation, suggestion: allStoredForms?.nearest(to: stored))
    }
}
