/// Stores a `RawRepresentable` value, such as a case of an enum, as its raw value.
public struct RawRepresentablePrefsCoding<Value: RawRepresentable>: PrefsCodable
where Value.RawValue: PrefsStorageValue {
    public typealias StorageValue = Value.RawValue

    /// Creates the coding.
    public init() {}

    public func encode(prefsValue: Value) -> StorageValue? { prefsValue.rawValue }

    public func decode(prefsValue: StorageValue) -> Value? { Value(rawValue: prefsValue) }

    public var expectation: String { "\(StorageValue.prefsExpectation) that is a \(Value.self)" }
}
