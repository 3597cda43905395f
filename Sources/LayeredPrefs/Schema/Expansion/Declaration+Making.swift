extension PrefsExpansion {
    /// Declares a preference of a type with a default coding.
    public static func declare<Value: PrefsPersistable & Sendable>(
        _ name: String, _: Value.Type = Value.self, default value: Value
    ) -> Declaration<Value> {
        Declaration(name, value, Value.defaultPrefsCoding)
    }

    /// Declares an optional preference of a type with a default coding.
    public static func declare<Value: PrefsPersistable & Sendable>(
        _ name: String, optional: Value.Type
    ) -> Declaration<Value?> {
        Declaration(name, nil, Value.defaultPrefsCoding.optionalPrefsCoding)
    }

    /// Declares a preference with a coding.
    public static func declare<Value: Sendable, Coding: PrefsCodable>(
        _ name: String, _: Value.Type = Value.self, default value: Value, coding: Coding
    ) -> Declaration<Value> where Coding.Value == Value {
        Declaration(name, value, coding)
    }

    /// Declares an optional preference with a coding.
    public static func declare<Value: Sendable, Coding: PrefsCodable>(
        _ name: String, optional: Value.Type, coding: Coding
    ) -> Declaration<Value?> where Coding.Value == Value {
        Declaration(name, nil, coding.optionalPrefsCoding)
    }

    /// Declares a preference with a coding that consists of two closures.
    public static func declare<Value: Sendable, StorageValue: PrefsStorageValue>(
        _ name: String,
        _: Value.Type = Value.self,
        default value: Value,
        encode: @escaping @Sendable (Value) -> StorageValue?,
        decode: @escaping @Sendable (StorageValue) -> Value?
    ) -> Declaration<Value> {
        declare(name, Value.self, default: value, coding: PrefsCoding(encode: encode, decode: decode))
    }

    /// Declares an optional preference with a coding that consists of two closures.
    public static func declare<Value: Sendable, StorageValue: PrefsStorageValue>(
        _ name: String,
        optional: Value.Type,
        encode: @escaping @Sendable (Value) -> StorageValue?,
        decode: @escaping @Sendable (StorageValue) -> Value?
    ) -> Declaration<Value?> {
        declare(name, optional: optional, coding: PrefsCoding(encode: encode, decode: decode))
    }
}

extension PrefsExpansion {
    /// Unavailable: chosen if no other overload matches, so that the error message names the fix.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message: """
            this type has no native stored form: use '@Pref(coding:)', '@RawRepresentablePref', \
            '@JSONDataCodablePref' or '@JSONStringCodablePref', or conform it to 'PrefsPersistable'
            """
    )
    public static func declare<Value: Sendable>(
        _ name: String, _: Value.Type = Value.self, default value: Value, _: Void = ()
    ) -> Declaration<Value> {
        // Never called: code that selects this overload does not compile.
        preconditionFailure("unavailable")
    }

    /// Unavailable: chosen if no other overload matches, so that the error message names the fix.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message: """
            this type has no native stored form: use '@Pref(coding:)', '@RawRepresentablePref', \
            '@JSONDataCodablePref' or '@JSONStringCodablePref', or conform it to 'PrefsPersistable'
            """
    )
    public static func declare<Value: Sendable>(
        _ name: String, optional: Value.Type, _: Void = ()
    ) -> Declaration<Value?> {
        // Never called: code that selects this overload does not compile.
        preconditionFailure("unavailable")
    }
}
