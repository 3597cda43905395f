/// A coding that stores a value as its raw value.
public protocol RawRepresentablePrefsCodable<Value>: PrefsCodable
where Value: RawRepresentable, StorageValue == Value.RawValue {}

extension RawRepresentablePrefsCodable {
    public func encode(prefsValue: Value) -> StorageValue? { prefsValue.rawValue }

    public func decode(prefsValue: StorageValue) -> Value? { Value(rawValue: prefsValue) }
}

/// Stores a `RawRepresentable` value, such as a case of an enum, as its raw value.
public struct RawRepresentablePrefsCoding<Value: RawRepresentable>: RawRepresentablePrefsCodable
where Value.RawValue: PrefsStorageValue {
    public typealias StorageValue = Value.RawValue

    /// Creates the coding.
    public init() {}

    public var expectation: String { "\(StorageValue.prefsExpectation) that is a \(Value.self)" }
}

extension RawRepresentable where RawValue: PrefsStorageValue {
    /// Stores this type as its raw value.
    public static var rawRepresentablePrefsCoding: RawRepresentablePrefsCoding<Self> { .init() }
}

extension PrefsCodable where StorageValue: RawRepresentable, StorageValue.RawValue: PrefsStorageValue {
    /// Stores the raw value of this coding's result.
    public var rawRepresentablePrefsCoding: PrefsCodingTuple<Self, RawRepresentablePrefsCoding<StorageValue>>
    {
        chained(with: RawRepresentablePrefsCoding())
    }
}
