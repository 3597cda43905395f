/// A coding that stores a value as itself.
public protocol AtomicPrefsCodable<Value>: PrefsCodable where Value == StorageValue {}

extension AtomicPrefsCodable {
    public func encode(prefsValue: Value) -> StorageValue? { prefsValue }

    public func decode(prefsValue: StorageValue) -> Value? { prefsValue }
}

/// The coding of the types that need none.
public struct AtomicPrefsCoding<Value: PrefsStorageValue>: AtomicPrefsCodable {
    public typealias StorageValue = Value

    public init() {}
}
