public import PrefsDocuments

/// The coding of types that have a stored form of their own.
@_documentation(visibility: internal)
public struct AtomicPrefsCoding<Value: PrefsStorageValue>: PrefsCodable {
    public typealias StorageValue = Value

    /// Creates the coding.
    @inlinable public init() {}

    @inlinable public func encode(prefsValue: Value) -> Value? { prefsValue }

    @inlinable public func decode(prefsValue: Value) -> Value? { prefsValue }

    // Repeats the protocol's default implementation, but with concrete types, which is fast where the
    // compiler does not specialize it: every read of a typed key calls this.
    @inlinable public func decode(_ stored: PrefsValue) -> Value? { Value(prefsValue: stored) }
}
