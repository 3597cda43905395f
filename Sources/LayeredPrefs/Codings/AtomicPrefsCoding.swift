public import PrefsDocuments
/// A coding that stores a value as itself.
public protocol AtomicPrefsCodable<Value>: PrefsCodable where Value == StorageValue {}

extension AtomicPrefsCodable {
    @inlinable public func encode(prefsValue: Value) -> StorageValue? { prefsValue }

    @inlinable public func decode(prefsValue: StorageValue) -> Value? { prefsValue }
}

/// The coding of types that have a stored form of their own.
public struct AtomicPrefsCoding<Value: PrefsStorageValue>: AtomicPrefsCodable {
    public typealias StorageValue = Value

    /// Creates the coding.
    @inlinable public init() {}

    // Repeats the protocol's default implementation, but with concrete types, which is fast where the
    // compiler does not specialize it: every read of a typed key calls this.
    @inlinable public func decode(_ stored: PrefsValue) -> Value? { Value(prefsValue: stored) }
}
