public import LayeredPrefs

/// A coding that stores an integer of any width as its decimal digits.
public struct IntegerStringPrefsCoding<Value: FixedWidthInteger & Sendable>: PrefsCodable {
    /// The stored type.
    public typealias StorageValue = String

    /// Creates the coding.
    public init() {}

    /// Returns the stored form of a value, or `nil` if the value cannot be stored.
    public func encode(prefsValue: Value) -> String? { String(prefsValue) }

    /// Returns the value of a stored form, or `nil` if the stored form is not valid.
    public func decode(prefsValue: String) -> Value? { Value(prefsValue) }

    public var expectation: String { "a string of digits that fits in \(Value.self)" }
}

extension LayeredPrefs.PrefsCoding where Self == IntegerStringPrefsCoding<Int> {
    /// A coding that stores an `Int` as its digits.
    public static var intAsString: Self { Self() }
}

extension LayeredPrefs.PrefsCoding where Self == IntegerStringPrefsCoding<UInt> {
    /// A coding that stores a `UInt` as its digits.
    public static var uIntAsString: Self { Self() }
}

extension LayeredPrefs.PrefsCoding where Self == IntegerStringPrefsCoding<Int8> {
    /// A coding that stores an `Int8` as its digits.
    public static var int8AsString: Self { Self() }
}

extension LayeredPrefs.PrefsCoding where Self == IntegerStringPrefsCoding<UInt8> {
    /// A coding that stores a `UInt8` as its digits.
    public static var uInt8AsString: Self { Self() }
}

extension LayeredPrefs.PrefsCoding where Self == IntegerStringPrefsCoding<Int16> {
    /// A coding that stores an `Int16` as its digits.
    public static var int16AsString: Self { Self() }
}

extension LayeredPrefs.PrefsCoding where Self == IntegerStringPrefsCoding<UInt16> {
    /// A coding that stores a `UInt16` as its digits.
    public static var uInt16AsString: Self { Self() }
}

extension LayeredPrefs.PrefsCoding where Self == IntegerStringPrefsCoding<Int32> {
    /// A coding that stores an `Int32` as its digits.
    public static var int32AsString: Self { Self() }
}

extension LayeredPrefs.PrefsCoding where Self == IntegerStringPrefsCoding<UInt32> {
    /// A coding that stores a `UInt32` as its digits.
    public static var uInt32AsString: Self { Self() }
}

extension LayeredPrefs.PrefsCoding where Self == IntegerStringPrefsCoding<Int64> {
    /// A coding that stores an `Int64` as its digits.
    public static var int64AsString: Self { Self() }
}

extension LayeredPrefs.PrefsCoding where Self == IntegerStringPrefsCoding<UInt64> {
    /// A coding that stores a `UInt64` as its digits.
    public static var uInt64AsString: Self { Self() }
}

extension LayeredPrefs.PrefsCoding where Self == IntegerStringPrefsCoding<Int128> {
    /// A coding that stores an `Int128` as its digits.
    public static var int128AsString: Self { Self() }
}

extension LayeredPrefs.PrefsCoding where Self == IntegerStringPrefsCoding<UInt128> {
    /// A coding that stores a `UInt128` as its digits.
    public static var uInt128AsString: Self { Self() }
}

extension PrefsCodable where StorageValue == Int {
    /// A coding that stores this coding's integer as its digits.
    public var intAsString: some PrefsCodable<Value, String> {
        chained(with: IntegerStringPrefsCoding())
    }
}
