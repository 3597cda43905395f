public import LayeredPrefs

// PrefsKit has twelve structs: six codings, each with and without a default. Here there are two, and ten names for
// them with a certain coding.

/// A key whose value has any coding.
public struct AnyPrefsKey<Coding: PrefsCodable>: PrefsKey {
    public typealias Value = Coding.Value
    public typealias StorageValue = Coding.StorageValue

    public let key: String
    public let coding: Coding

    /// Creates a key with a coding.
    public init(key: String, coding: Coding) {
        self.key = key
        self.coding = coding
    }

    /// Creates a key with a coding made of two closures.
    public init<Value, StorageValue>(
        key: String,
        encode: @escaping @Sendable (Value) -> StorageValue?,
        decode: @escaping @Sendable (StorageValue) -> Value?
    ) where Coding == PrefsCoding<Value, StorageValue> {
        self.init(key: key, coding: PrefsCoding(encode: encode, decode: decode))
    }
}

/// A key with a default, whose value has any coding.
public struct AnyDefaultedPrefsKey<Coding: PrefsCodable>: DefaultedPrefsKey {
    public typealias Value = Coding.Value
    public typealias StorageValue = Coding.StorageValue

    public let key: String
    public let defaultValue: Value
    public let coding: Coding

    /// Creates a key with a coding.
    public init(key: String, defaultValue: Value, coding: Coding) {
        self.key = key
        self.defaultValue = defaultValue
        self.coding = coding
    }

    /// Creates a key with a coding made of two closures.
    public init<Value, StorageValue>(
        key: String, defaultValue: Value,
        encode: @escaping @Sendable (Value) -> StorageValue?,
        decode: @escaping @Sendable (StorageValue) -> Value?
    ) where Coding == PrefsCoding<Value, StorageValue> {
        self.init(key: key, defaultValue: defaultValue, coding: PrefsCoding(encode: encode, decode: decode))
    }
}

/// A key of a type that is stored as itself.
public typealias AnyAtomicPrefsKey<Value: LayeredPrefs.PrefsStorageValue & Sendable> = AnyPrefsKey<
    AtomicPrefsCoding<Value>
>

/// A key, with a default, of a type that is stored as itself.
public typealias AnyDefaultedAtomicPrefsKey<Value: LayeredPrefs.PrefsStorageValue & Sendable> =
    AnyDefaultedPrefsKey<AtomicPrefsCoding<Value>>

/// A key of a type that is stored as its raw value.
public typealias AnyRawRepresentablePrefsKey<Value: RawRepresentable & Sendable> = AnyPrefsKey<
    RawRepresentablePrefsCoding<Value>
>
where Value.RawValue: LayeredPrefs.PrefsStorageValue

/// A key, with a default, of a type that is stored as its raw value.
public typealias AnyDefaultedRawRepresentablePrefsKey<Value: RawRepresentable & Sendable> =
    AnyDefaultedPrefsKey<RawRepresentablePrefsCoding<Value>>
where Value.RawValue: LayeredPrefs.PrefsStorageValue

/// A key of a `Codable` type that is stored as the bytes of its JSON.
public typealias AnyJSONDataCodablePrefsKey<Value: Codable & Sendable> = AnyPrefsKey<
    JSONDataCodablePrefsCoding<Value>
>

/// A key, with a default, of a `Codable` type that is stored as the bytes of its JSON.
public typealias AnyDefaultedJSONDataCodablePrefsKey<Value: Codable & Sendable> = AnyDefaultedPrefsKey<
    JSONDataCodablePrefsCoding<Value>
>

/// A key of a `Codable` type that is stored as the text of its JSON.
public typealias AnyJSONStringCodablePrefsKey<Value: Codable & Sendable> = AnyPrefsKey<
    JSONStringCodablePrefsCoding<Value>
>

/// A key, with a default, of a `Codable` type that is stored as the text of its JSON.
public typealias AnyDefaultedJSONStringCodablePrefsKey<Value: Codable & Sendable> = AnyDefaultedPrefsKey<
    JSONStringCodablePrefsCoding<Value>
>

/// A key of a `Codable` type that is stored as the output of an encoder.
public typealias AnyCodablePrefsKey<
    Value: Codable & Sendable, StorageValue: LayeredPrefs.PrefsStorageValue,
    Encoder: TopLevelEncoder<StorageValue>, Decoder: TopLevelDecoder<StorageValue>
> = AnyPrefsKey<CodablePrefsCoding<Value, StorageValue, Encoder, Decoder>>

/// A key, with a default, of a `Codable` type that is stored as the output of an encoder.
public typealias AnyDefaultedCodablePrefsKey<
    Value: Codable & Sendable, StorageValue: LayeredPrefs.PrefsStorageValue,
    Encoder: TopLevelEncoder<StorageValue>, Decoder: TopLevelDecoder<StorageValue>
> = AnyDefaultedPrefsKey<CodablePrefsCoding<Value, StorageValue, Encoder, Decoder>>

extension AnyPrefsKey {
    /// Creates a key of a type that is stored as itself.
    public init<Stored>(key: String) where Coding == AtomicPrefsCoding<Stored> {
        self.init(key: key, coding: AtomicPrefsCoding())
    }

    /// Creates a key of a type that is stored as its raw value.
    public init<Stored>(key: String) where Coding == RawRepresentablePrefsCoding<Stored> {
        self.init(key: key, coding: RawRepresentablePrefsCoding())
    }

    /// Creates a key of a `Codable` type that is stored as the bytes of its JSON.
    public init<Stored>(key: String) where Coding == JSONDataCodablePrefsCoding<Stored> {
        self.init(key: key, coding: JSONDataCodablePrefsCoding())
    }

    /// Creates a key of a `Codable` type that is stored as the text of its JSON.
    public init<Stored>(key: String) where Coding == JSONStringCodablePrefsCoding<Stored> {
        self.init(key: key, coding: JSONStringCodablePrefsCoding())
    }

    /// Creates a key from an encoder and a decoder. Both expressions are evaluated for each use.
    public init<Stored, StorageValue, Encoder, Decoder>(
        key: String,
        value: Stored.Type = Stored.self,
        storageValue: StorageValue.Type = StorageValue.self,
        encoder: @escaping @autoclosure @Sendable () -> Encoder,
        decoder: @escaping @autoclosure @Sendable () -> Decoder
    ) where Coding == CodablePrefsCoding<Stored, StorageValue, Encoder, Decoder> {
        self.init(
            key: key, coding: CodablePrefsCoding(makeEncoder: encoder, makeDecoder: decoder))
    }
}

extension AnyDefaultedPrefsKey {
    /// Creates a key of a type that is stored as itself.
    public init<Stored>(key: String, defaultValue: Stored) where Coding == AtomicPrefsCoding<Stored> {
        self.init(key: key, defaultValue: defaultValue, coding: AtomicPrefsCoding())
    }

    /// Creates a key of a type that is stored as its raw value.
    public init<Stored>(key: String, defaultValue: Stored)
    where Coding == RawRepresentablePrefsCoding<Stored> {
        self.init(key: key, defaultValue: defaultValue, coding: RawRepresentablePrefsCoding())
    }

    /// Creates a key of a `Codable` type that is stored as the bytes of its JSON.
    public init<Stored>(key: String, defaultValue: Stored)
    where Coding == JSONDataCodablePrefsCoding<Stored> {
        self.init(key: key, defaultValue: defaultValue, coding: JSONDataCodablePrefsCoding())
    }

    /// Creates a key of a `Codable` type that is stored as the text of its JSON.
    public init<Stored>(key: String, defaultValue: Stored)
    where Coding == JSONStringCodablePrefsCoding<Stored> {
        self.init(key: key, defaultValue: defaultValue, coding: JSONStringCodablePrefsCoding())
    }

    /// Creates a key from an encoder and a decoder. Both expressions are evaluated for each use.
    public init<Stored, StorageValue, Encoder, Decoder>(
        key: String, defaultValue: Stored,
        value: Stored.Type = Stored.self,
        storageValue: StorageValue.Type = StorageValue.self,
        encoder: @escaping @autoclosure @Sendable () -> Encoder,
        decoder: @escaping @autoclosure @Sendable () -> Decoder
    ) where Coding == CodablePrefsCoding<Stored, StorageValue, Encoder, Decoder> {
        self.init(
            key: key, defaultValue: defaultValue,
            coding: CodablePrefsCoding(makeEncoder: encoder, makeDecoder: decoder))
    }
}
