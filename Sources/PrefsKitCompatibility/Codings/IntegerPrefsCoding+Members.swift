public import LayeredPrefs

// The default codings of these types, by the names that PrefsKit gives them.

extension LayeredPrefs.PrefsCoding where Self == IntegerPrefsCoding<UInt> {
    /// A coding that stores a `UInt` as an integer.
    public static var uIntAsInt: Self { Self() }
}

extension LayeredPrefs.PrefsCoding where Self == IntegerPrefsCoding<Int8> {
    /// A coding that stores an `Int8` as an integer.
    public static var int8AsInt: Self { Self() }
}

extension LayeredPrefs.PrefsCoding where Self == IntegerPrefsCoding<UInt8> {
    /// A coding that stores a `UInt8` as an integer.
    public static var uInt8AsInt: Self { Self() }
}

extension LayeredPrefs.PrefsCoding where Self == IntegerPrefsCoding<Int16> {
    /// A coding that stores an `Int16` as an integer.
    public static var int16AsInt: Self { Self() }
}

extension LayeredPrefs.PrefsCoding where Self == IntegerPrefsCoding<UInt16> {
    /// A coding that stores a `UInt16` as an integer.
    public static var uInt16AsInt: Self { Self() }
}

extension LayeredPrefs.PrefsCoding where Self == IntegerPrefsCoding<Int32> {
    /// A coding that stores an `Int32` as an integer.
    public static var int32AsInt: Self { Self() }
}

extension LayeredPrefs.PrefsCoding where Self == IntegerPrefsCoding<UInt32> {
    /// A coding that stores a `UInt32` as an integer.
    public static var uInt32AsInt: Self { Self() }
}

extension LayeredPrefs.PrefsCoding where Self == IntegerPrefsCoding<Int64> {
    /// A coding that stores an `Int64` as an integer.
    public static var int64AsInt: Self { Self() }
}

extension LayeredPrefs.PrefsCoding where Self == IntegerPrefsCoding<UInt64> {
    /// A coding that stores a `UInt64` as an integer.
    public static var uInt64AsInt: Self { Self() }
}
