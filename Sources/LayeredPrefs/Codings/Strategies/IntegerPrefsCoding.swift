/// Stores an integer of any width as an `Int`; a value that does not fit in an `Int` is rejected.
public struct IntegerPrefsCoding<Value: BinaryInteger & Sendable>: PrefsCodable {
    public typealias StorageValue = Int

    /// Creates the coding.
    public init() {}

    public func encode(prefsValue: Value) -> Int? { Int(exactly: prefsValue) }

    public func decode(prefsValue: Int) -> Value? { Value(exactly: prefsValue) }

    public func _decode(_ stored: PrefsValue, for key: String) -> Value? { decode(stored) }

    public var expectation: String { "an integer that fits in \(Value.self)" }
}

extension PrefsPersistable where DefaultCoding == IntegerPrefsCoding<Self> {
    /// The coding that stores an integer, and rejects one that the type cannot hold.
    public static var defaultPrefsCoding: DefaultCoding { IntegerPrefsCoding() }
}

// These types are stored as integers without being asked.

extension Int8: PrefsPersistable { public typealias DefaultCoding = IntegerPrefsCoding<Int8> }
extension Int16: PrefsPersistable { public typealias DefaultCoding = IntegerPrefsCoding<Int16> }
extension Int32: PrefsPersistable { public typealias DefaultCoding = IntegerPrefsCoding<Int32> }
extension Int64: PrefsPersistable { public typealias DefaultCoding = IntegerPrefsCoding<Int64> }
extension UInt: PrefsPersistable { public typealias DefaultCoding = IntegerPrefsCoding<UInt> }
extension UInt8: PrefsPersistable { public typealias DefaultCoding = IntegerPrefsCoding<UInt8> }
extension UInt16: PrefsPersistable { public typealias DefaultCoding = IntegerPrefsCoding<UInt16> }
extension UInt32: PrefsPersistable { public typealias DefaultCoding = IntegerPrefsCoding<UInt32> }
extension UInt64: PrefsPersistable { public typealias DefaultCoding = IntegerPrefsCoding<UInt64> }
