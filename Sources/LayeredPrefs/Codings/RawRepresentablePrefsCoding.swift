public import PrefsDocuments

/// Stores a `RawRepresentable` value, such as a case of an enum, as its raw value.
///
/// Keys use it for such types without being asked.
public struct RawRepresentablePrefsCoding<Value: RawRepresentable & Sendable>: PrefsCodable
where Value.RawValue: PrefsStorageValue {
    public typealias StorageValue = Value.RawValue

    /// Creates the coding.
    @inlinable public init() {}

    public func encode(prefsValue: Value) -> StorageValue? { prefsValue.rawValue }

    @inlinable public func decode(prefsValue: StorageValue) -> Value? { Value(rawValue: prefsValue) }

    /// The list of the raw values if the type is `CaseIterable`: `one of "debug", "info"`.
    public var expectation: String {
        guard let forms = allStoredForms, !forms.isEmpty else {
            return "\(StorageValue.prefsExpectation) that is a \(Value.self)"
        }
        return forms.oneOf
    }

    /// Suggests the raw value that is most similar to the stored text.
    public func mismatch(of stored: PrefsValue) -> PrefsMismatch {
        PrefsMismatch(expected: expectation, suggestion: allStoredForms?.nearest(to: stored))
    }
}
