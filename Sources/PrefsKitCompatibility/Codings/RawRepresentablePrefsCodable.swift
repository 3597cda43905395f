public import LayeredPrefs

/// A coding that stores a value as its raw value.
public protocol RawRepresentablePrefsCodable<Value>: PrefsCodable
where Value: RawRepresentable, StorageValue == Value.RawValue {}

extension RawRepresentablePrefsCoding: RawRepresentablePrefsCodable {}

extension RawRepresentable where Self: Sendable, RawValue: LayeredPrefs.PrefsStorageValue {
    /// A coding that stores this type as its raw value.
    public static var rawRepresentablePrefsCoding: RawRepresentablePrefsCoding<Self> { .init() }
}

extension PrefsCodable
where StorageValue: RawRepresentable, StorageValue.RawValue: LayeredPrefs.PrefsStorageValue {
    /// A coding that stores the raw value of this coding's result.
    public var rawRepresentablePrefsCoding: some PrefsCodable<Value, StorageValue.RawValue> {
        chained(with: RawRepresentablePrefsCoding())
    }
}
