public import LayeredPrefs

extension PrefsCodable where Value == StorageValue {
    /// Returns the value unchanged.
    public func encode(prefsValue: Value) -> StorageValue? { prefsValue }

    /// Returns the value unchanged.
    public func decode(prefsValue: StorageValue) -> Value? { prefsValue }
}

extension PrefsCodable where Value: RawRepresentable, StorageValue == Value.RawValue {
    /// Returns the raw value.
    public func encode(prefsValue: Value) -> StorageValue? { prefsValue.rawValue }

    /// Returns the value with a raw value, or `nil` if there is none.
    public func decode(prefsValue: StorageValue) -> Value? { Value(rawValue: prefsValue) }
}
