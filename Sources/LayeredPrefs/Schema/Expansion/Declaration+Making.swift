extension PrefsExpansion {
    /// A preference of a type that has a stored form of its own.
    public static func declare<Value: PrefsStorageValue>(
        _ name: String, _: Value.Type = Value.self, default value: Value
    ) -> Declaration<Value> {
        declare(name, Value.self, default: value, coding: AtomicPrefsCoding())
    }

    /// An optional preference of a type that has a stored form of its own.
    public static func declare<Value: PrefsStorageValue>(
        _ name: String, optional: Value.Type
    ) -> Declaration<Value?> {
        declare(name, optional: optional, coding: AtomicPrefsCoding())
    }

    /// A preference with a coding.
    public static func declare<Value: Sendable, Coding: PrefsCodable>(
        _ name: String, _: Value.Type = Value.self, default value: Value, coding: Coding
    ) -> Declaration<Value> where Coding.Value == Value {
        Declaration(name, value, coding)
    }

    /// An optional preference with a coding.
    public static func declare<Value: Sendable, Coding: PrefsCodable>(
        _ name: String, optional: Value.Type, coding: Coding
    ) -> Declaration<Value?> where Coding.Value == Value {
        Declaration(name, nil, coding.optionalRepresentation)
    }

    /// A preference with a coding made of two closures.
    public static func declare<Value: Sendable, StorageValue: PrefsStorageValue>(
        _ name: String,
        _: Value.Type = Value.self,
        default value: Value,
        encode: @escaping @Sendable (Value) -> StorageValue?,
        decode: @escaping @Sendable (StorageValue) -> Value?
    ) -> Declaration<Value> {
        declare(name, Value.self, default: value, coding: PrefsCoding(encode: encode, decode: decode))
    }

    /// An optional preference with a coding made of two closures.
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
    /// A preference of a type that says itself how it is stored.
    @_disfavoredOverload
    public static func declare<Value: KeyValuePersistible & Sendable>(
        _ name: String, _: Value.Type = Value.self, default value: Value
    ) -> Declaration<Value> {
        Declaration(name, value, Value.persistentKeyValueRepresentation)
    }

    /// An optional preference of a type that says itself how it is stored.
    @_disfavoredOverload
    public static func declare<Value: KeyValuePersistible & Sendable>(
        _ name: String, optional: Value.Type
    ) -> Declaration<Value?> {
        Declaration(name, nil, Value.persistentKeyValueRepresentation.optionalRepresentation)
    }

    /// Chosen when nothing else fits, to say what to do.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message: """
            this type has no stored form of its own: use '@Pref(coding:)', '@RawRepresentablePref', \
            '@JSONDataCodablePref' or '@JSONStringCodablePref', or conform it to 'KeyValuePersistible'
            """
    )
    public static func declare<Value: Sendable>(
        _ name: String, _: Value.Type = Value.self, default value: Value, _: Void = ()
    ) -> Declaration<Value> {
        // Never called: what chooses this overload does not compile.
        preconditionFailure("unavailable")
    }

    /// Chosen when nothing else fits, to say what to do.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message: """
            this type has no stored form of its own: use '@Pref(coding:)', '@RawRepresentablePref', \
            '@JSONDataCodablePref' or '@JSONStringCodablePref', or conform it to 'KeyValuePersistible'
            """
    )
    public static func declare<Value: Sendable>(
        _ name: String, optional: Value.Type, _: Void = ()
    ) -> Declaration<Value?> {
        // Never called: what chooses this overload does not compile.
        preconditionFailure("unavailable")
    }
}
