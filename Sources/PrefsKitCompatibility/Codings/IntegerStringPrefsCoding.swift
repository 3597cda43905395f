public import LayeredPrefs

/// Stores an integer of any width as its decimal digits.
public struct IntegerStringPrefsCoding<Value: FixedWidthInteger & Sendable>: PrefsCodable {
    public typealias StorageValue = String

    /// Creates the coding.
    public init() {}

    public func encode(prefsValue: Value) -> String? { String(prefsValue) }

    public func decode(prefsValue: String) -> Value? { Value(prefsValue) }

    public var expectation: String { "a string of digits that fits in \(Value.self)" }
}

extension PrefsValueCoding where Self == IntegerStringPrefsCoding<Int> {
    /// Stores an `Int` as its digits.
    public static var intAsString: Self { Self() }
}

extension PrefsValueCoding where Self == IntegerStringPrefsCoding<UInt> {
    /// Stores a `UInt` as its digits.
    public static var uIntAsString: Self { Self() }
}

extension PrefsValueCoding where Self == IntegerStringPrefsCoding<Int8> {
    /// Stores an `Int8` as its digits.
    public static var int8AsString: Self { Self() }
}

extension PrefsValueCoding where Self == IntegerStringPrefsCoding<UInt8> {
    /// Stores a `UInt8` as its digits.
    public static var uInt8AsString: Self { Self() }
}

extension PrefsValueCoding where Self == IntegerStringPrefsCoding<Int16> {
    /// Stores an `Int16` as its digits.
    public static var int16AsString: Self { Self() }
}

extension PrefsValueCoding where Self == IntegerStringPrefsCoding<UInt16> {
    /// Stores a `UInt16` as its digits.
    public static var uInt16AsString: Self { Self() }
}

extension PrefsValueCoding where Self == IntegerStringPrefsCoding<Int32> {
    /// Stores an `Int32` as its digits.
    public static var int32AsString: Self { Self() }
}

extension PrefsValueCoding where Self == IntegerStringPrefsCoding<UInt32> {
    /// Stores a `UInt32` as its digits.
    public static var uInt32AsString: Self { Self() }
}

extension PrefsValueCoding where Self == IntegerStringPrefsCoding<Int64> {
    /// Stores an `Int64` as its digits.
    public static var int64AsString: Self { Self() }
}

extension PrefsValueCoding where Self == IntegerStringPrefsCoding<UInt64> {
    /// Stores a `UInt64` as its digits.
    public static var uInt64AsString: Self { Self() }
}

extension PrefsValueCoding where Self == IntegerStringPrefsCoding<Int128> {
    /// Stores an `Int128` as its digits.
    public static var int128AsString: Self { Self() }
}

extension PrefsValueCoding where Self == IntegerStringPrefsCoding<UInt128> {
    /// Stores a `UInt128` as its digits.
    public static var uInt128AsString: Self { Self() }
}

extension PrefsCodable where StorageValue == Int {
    /// Stores this coding's integer as its digits.
    public var intAsString: some PrefsCodable<Value, String> {
        chained(with: IntegerStringPrefsCoding())
    }
}
