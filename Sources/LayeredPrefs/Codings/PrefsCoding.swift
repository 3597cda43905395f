/// A coding made of two closures, for conversions that are written once.
///
/// ```swift
/// let coding = PrefsCoding<Colour, String>(encode: { $0.hexadecimal }, decode: { Colour(hexadecimal: $0) })
/// ```
public struct PrefsCoding<Value, StorageValue: PrefsStorageValue>: PrefsCodable {
    private let encodeValue: @Sendable (Value) -> StorageValue?
    private let decodeValue: @Sendable (StorageValue) -> Value?

    /// - Parameters:
    ///   - encode: What is stored of a value; `nil` when it cannot be.
    ///   - decode: The value of what is stored; `nil` when it is the form of none.
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
