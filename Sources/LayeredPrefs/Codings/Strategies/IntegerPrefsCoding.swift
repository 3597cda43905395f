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

extension PrefsValueCoding where Self == IntegerPrefsCoding<UInt> {
    /// Stores a `UInt` as an integer.
    public static var uIntAsInt: Self { Self() }
}

extension PrefsValueCoding where Self == IntegerPrefsCoding<Int8> {
    /// Stores an `Int8` as an integer.
    public static var int8AsInt: Self { Self() }
}

extension PrefsValueCoding where Self == IntegerPrefsCoding<UInt8> {
    /// Stores a `UInt8` as an integer.
    public static var uInt8AsInt: Self { Self() }
}

extension PrefsValueCoding where Self == IntegerPrefsCoding<Int16> {
    /// Stores an `Int16` as an integer.
    public static var int16AsInt: Self { Self() }
}

extension PrefsValueCoding where Self == IntegerPrefsCoding<UInt16> {
    /// Stores a `UInt16` as an integer.
    public static var uInt16AsInt: Self { Self() }
}

extension PrefsValueCoding where Self == IntegerPrefsCoding<Int32> {
    /// Stores an `Int32` as an integer.
    public static var int32AsInt: Self { Self() }
}

extension PrefsValueCoding where Self == IntegerPrefsCoding<UInt32> {
    /// Stores a `UInt32` as an integer.
    public static var uInt32AsInt: Self { Self() }
}

extension PrefsValueCoding where Self == IntegerPrefsCoding<Int64> {
    /// Stores an `Int64` as an integer.
    public static var int64AsInt: Self { Self() }
}

extension PrefsValueCoding where Self == IntegerPrefsCoding<UInt64> {
    /// Stores a `UInt64` as an integer.
    public static var uInt64AsInt: Self { Self() }
}

// These types are stored as integers without being asked.

extension Int8: PrefsPersistable {
    /// The coding that stores an integer, and rejects one that the type cannot hold.
    public static var defaultPrefsCoding: IntegerPrefsCoding<Self> { IntegerPrefsCoding() }
}

extension Int16: PrefsPersistable {
    /// The coding that stores an integer, and rejects one that the type cannot hold.
    public static var defaultPrefsCoding: IntegerPrefsCoding<Self> { IntegerPrefsCoding() }
}

extension Int32: PrefsPersistable {
    /// The coding that stores an integer, and rejects one that the type cannot hold.
    public static var defaultPrefsCoding: IntegerPrefsCoding<Self> { IntegerPrefsCoding() }
}

extension Int64: PrefsPersistable {
    /// The coding that stores an integer, and rejects one that the type cannot hold.
    public static var defaultPrefsCoding: IntegerPrefsCoding<Self> { IntegerPrefsCoding() }
}

extension UInt: PrefsPersistable {
    /// The coding that stores an integer, and rejects one that the type cannot hold.
    public static var defaultPrefsCoding: IntegerPrefsCoding<Self> { IntegerPrefsCoding() }
}

extension UInt8: PrefsPersistable {
    /// The coding that stores an integer, and rejects one that the type cannot hold.
    public static var defaultPrefsCoding: IntegerPrefsCoding<Self> { IntegerPrefsCoding() }
}

extension UInt16: PrefsPersistable {
    /// The coding that stores an integer, and rejects one that the type cannot hold.
    public static var defaultPrefsCoding: IntegerPrefsCoding<Self> { IntegerPrefsCoding() }
}

extension UInt32: PrefsPersistable {
    /// The coding that stores an integer, and rejects one that the type cannot hold.
    public static var defaultPrefsCoding: IntegerPrefsCoding<Self> { IntegerPrefsCoding() }
}

extension UInt64: PrefsPersistable {
    /// The coding that stores an integer, and rejects one that the type cannot hold.
    public static var defaultPrefsCoding: IntegerPrefsCoding<Self> { IntegerPrefsCoding() }
}
