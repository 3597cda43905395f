public import PrefsDocuments
/// A coding that stores a value as itself.
public protocol AtomicPrefsCodable<Value>: PrefsCodable where Value == StorageValue {}

extension AtomicPrefsCodable {
    @inlinable public func encode(prefsValue: Value) -> StorageValue? { prefsValue }

    @inlinable public func decode(prefsValue: StorageValue) -> Value? { prefsValue }
}

/// The coding of the types that need none.
public struct AtomicPrefsCoding<Value: PrefsStorageValue>: AtomicPrefsCodable {
    public typealias StorageValue = Value

    @inlinable public init() {}

    // As the protocol's own, but the types are known here, which makes it quick where the compiler does not
    // specialize it: every read of a typed key comes this way.
    @inlinable public func decode(_ stored: PrefsValue) -> Value? { Value(prefsValue: stored) }
}
