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
