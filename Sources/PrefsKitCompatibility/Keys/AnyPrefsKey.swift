public import Foundation
public import LayeredPrefs

// Twelve structs: six codings, each with and without a default.

/// The key of a type that is stored as itself.
public struct AnyAtomicPrefsKey<Value: LayeredPrefs.PrefsStorageValue & Sendable>: PrefsKey {
    public typealias StorageValue = Value

    public let key: String
    public let coding = AtomicPrefsCoding<Value>()

    /// Creates a key.
    public init(key: String) {
        self.key = key
    }
}

/// The key of a type that is stored as itself, with a default.
public struct AnyDefaultedAtomicPrefsKey<Value: LayeredPrefs.PrefsStorageValue & Sendable>: DefaultedPrefsKey
{
    public typealias StorageValue = Value

    public let key: String
    public let defaultValue: Value
    public let coding = AtomicPrefsCoding<Value>()

    /// Creates a key.
    public init(key: String, defaultValue: Value) {
        self.key = key
        self.defaultValue = defaultValue
    }
}

/// The key of a type that is stored as its raw value.
public struct AnyRawRepresentablePrefsKey<Value: RawRepresentable & Sendable>: PrefsKey
where Value.RawValue: LayeredPrefs.PrefsStorageValue {
    public typealias StorageValue = Value.RawValue

    public let key: String
    public let coding = RawRepresentablePrefsCoding<Value>()

    /// Creates a key.
    public init(key: String) {
        self.key = key
    }
}

/// The key of a type that is stored as its raw value, with a default.
public struct AnyDefaultedRawRepresentablePrefsKey<Value: RawRepresentable & Sendable>: DefaultedPrefsKey
where Value.RawValue: LayeredPrefs.PrefsStorageValue {
    public typealias StorageValue = Value.RawValue

    public let key: String
    public let defaultValue: Value
    public let coding = RawRepresentablePrefsCoding<Value>()

    /// Creates a key.
    public init(key: String, defaultValue: Value) {
        self.key = key
        self.defaultValue = defaultValue
    }
}

/// The key of a `Codable` type that is stored as the bytes of its JSON.
public struct AnyJSONDataCodablePrefsKey<Value: Codable & Sendable>: PrefsKey {
    public typealias StorageValue = Data

    public let key: String
    public let coding = JSONDataCodablePrefsCoding<Value>()

    /// Creates a key.
    public init(key: String) {
        self.key = key
    }
}

/// The key of a `Codable` type that is stored as the bytes of its JSON, with a default.
public struct AnyDefaultedJSONDataCodablePrefsKey<Value: Codable & Sendable>: DefaultedPrefsKey {
    public typealias StorageValue = Data

    public let key: String
    public let defaultValue: Value
    public let coding = JSONDataCodablePrefsCoding<Value>()

    /// Creates a key.
    public init(key: String, defaultValue: Value) {
        self.key = key
        self.defaultValue = defaultValue
    }
}

/// The key of a `Codable` type that is stored as the text of its JSON.
public struct AnyJSONStringCodablePrefsKey<Value: Codable & Sendable>: PrefsKey {
    public typealias StorageValue = String

    public let key: String
    public let coding = JSONStringCodablePrefsCoding<Value>()

    /// Creates a key.
    public init(key: String) {
        self.key = key
    }
}

/// The key of a `Codable` type that is stored as the text of its JSON, with a default.
public struct AnyDefaultedJSONStringCodablePrefsKey<Value: Codable & Sendable>: DefaultedPrefsKey {
    public typealias StorageValue = String

    public let key: String
    public let defaultValue: Value
    public let coding = JSONStringCodablePrefsCoding<Value>()

    /// Creates a key.
    public init(key: String, defaultValue: Value) {
        self.key = key
        self.defaultValue = defaultValue
    }
}

/// The key of a value with any coding.
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

    /// Creates a key with a coding that consists of two closures.
    public init<Value, StorageValue>(
        key: String,
        encode: @escaping @Sendable (Value) -> StorageValue?,
        decode: @escaping @Sendable (StorageValue) -> Value?
    ) where Coding == PrefsCoding<Value, StorageValue> {
        self.init(key: key, coding: PrefsCoding(encode: encode, decode: decode))
    }
}

/// The key of a value with any coding, with a default.
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

    /// Creates a key with a coding that consists of two closures.
    public init<Value, StorageValue>(
        key: String, defaultValue: Value,
        encode: @escaping @Sendable (Value) -> StorageValue?,
        decode: @escaping @Sendable (StorageValue) -> Value?
    ) where Coding == PrefsCoding<Value, StorageValue> {
        self.init(key: key, defaultValue: defaultValue, coding: PrefsCoding(encode: encode, decode: decode))
    }
}

/// The key of a `Codable` type that is stored as the output of an encoder.
public struct AnyCodablePrefsKey<
    Value: Codable & Sendable, StorageValue: LayeredPrefs.PrefsStorageValue, Encoder: TopLevelEncoder,
    Decoder: TopLevelDecoder
>: PrefsKey
where Encoder.Output == StorageValue, Decoder.Input == StorageValue {
    public let key: String
    public let coding: CodablePrefsCoding<Value, StorageValue, Encoder, Decoder>

    /// Creates a key with a coding.
    public init(key: String, coding: CodablePrefsCoding<Value, StorageValue, Encoder, Decoder>) {
        self.key = key
        self.coding = coding
    }

    /// Creates a key from an encoder and a decoder, which are evaluated for each use.
    public init(
        key: String,
        value: Value.Type = Value.self,
        storageValue: StorageValue.Type = StorageValue.self,
        encoder: @escaping @autoclosure @Sendable () -> Encoder,
        decoder: @escaping @autoclosure @Sendable () -> Decoder
    ) {
        self.init(
            key: key,
            coding: CodablePrefsCoding(makeEncoder: encoder, makeDecoder: decoder))
    }
}

/// The key of a `Codable` type that is stored as the output of an encoder, with a default.
public struct AnyDefaultedCodablePrefsKey<
    Value: Codable & Sendable, StorageValue: LayeredPrefs.PrefsStorageValue, Encoder: TopLevelEncoder,
    Decoder: TopLevelDecoder
>: DefaultedPrefsKey
where Encoder.Output == StorageValue, Decoder.Input == StorageValue {
    public let key: String
    public let defaultValue: Value
    public let coding: CodablePrefsCoding<Value, StorageValue, Encoder, Decoder>

    /// Creates a key with a coding.
    public init(
        key: String, defaultValue: Value, coding: CodablePrefsCoding<Value, StorageValue, Encoder, Decoder>
    ) {
        self.key = key
        self.defaultValue = defaultValue
        self.coding = coding
    }

    /// Creates a key from an encoder and a decoder, which are evaluated for each use.
    public init(
        key: String, defaultValue: Value,
        value: Value.Type = Value.self,
        storageValue: StorageValue.Type = StorageValue.self,
        encoder: @escaping @autoclosure @Sendable () -> Encoder,
        decoder: @escaping @autoclosure @Sendable () -> Decoder
    ) {
        self.init(
            key: key, defaultValue: defaultValue,
            coding: CodablePrefsCoding(makeEncoder: encoder, makeDecoder: decoder))
    }
}
