/// A coding made of two closures, which keys with `encode:` and `decode:` use.
@_documentation(visibility: internal)
public struct ClosurePrefsCoding<Value: Sendable, StorageValue: PrefsStorageValue>: PrefsCodable {
    private let encodeValue: @Sendable (Value) -> StorageValue?
    private let decodeValue: @Sendable (StorageValue) -> Value?

    /// Creates a coding from two closures.
    ///
    /// - Parameters:
    ///   - encode: Returns the stored form of a value, or `nil` if the value cannot be stored.
    ///   - decode: Returns the value of a stored form, or `nil` if the stored form is not valid.
    public init(
        encode: @escaping @Sendable (Value) -> StorageValue?,
        decode: @escaping @Sendable (StorageValue) -> Value?
    ) {
        encodeValue = encode
        decodeValue = decode
    }

    public func encode(prefsValue: Value) -> StorageValue? { encodeValue(prefsValue) }

    public func decode(prefsValue: StorageValue) -> Value? { decodeValue(prefsValue) }
}
