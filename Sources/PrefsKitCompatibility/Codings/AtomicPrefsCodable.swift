public import LayeredPrefs

/// A coding that stores a value as itself.
public protocol AtomicPrefsCodable<Value>: PrefsCodable where Value == StorageValue {}

extension AtomicPrefsCodable {
    /// Returns the value.
    @inlinable public func encode(prefsValue: Value) -> StorageValue? { prefsValue }

    /// Returns the value.
    @inlinable public func decode(prefsValue: StorageValue) -> Value? { prefsValue }
}

extension AtomicPrefsCoding: AtomicPrefsCodable {}
