public import LayeredPrefs
public import PrefsDocuments

/// A coding that stores a `Codable` value as the output of an encoder.
public protocol CodablePrefsCodable<Value, StorageValue>: PrefsCodable where Value: Codable {
    /// The type of the encoder.
    associatedtype Encoder: TopLevelEncoder
    /// The type of the decoder.
    associatedtype Decoder: TopLevelDecoder

    /// Returns the encoder to use. You may return a shared encoder if any thread can use it.
    func prefsEncoder() -> Encoder

    /// Returns the decoder to use. You may return a shared decoder if any thread can use it.
    func prefsDecoder() -> Decoder
}

extension CodablePrefsCodable where Encoder.Output == StorageValue, Decoder.Input == StorageValue {
    /// Returns the stored form of a value, or `nil` if the value cannot be stored.
    public func encode(prefsValue: Value) -> StorageValue? {
        try? prefsEncoder().encode(prefsValue)
    }

    /// Returns the value of a stored form, or `nil` if the stored form is not valid.
    public func decode(prefsValue: StorageValue) -> Value? {
        try? prefsDecoder().decode(Value.self, from: prefsValue)
    }

    /// Encodes a value with the encoder.
    ///
    /// - Throws: ``PrefsError`` that quotes the encoder's error.
    public func encode(_ value: Value) throws -> PrefsValue? {
        do {
            return try prefsEncoder().encode(value).prefsValue
        } catch {
            throw PrefsError(.notEncodable, reason: "this \(Value.self) cannot be encoded: \(error)")
        }
    }

}

extension CodablePrefsCodable {
    public var expectation: String { "\(StorageValue.prefsExpectation) that encodes a \(Value.self)" }
}

/// A coding that stores a `Codable` value as the output of an encoder of your choice.
///
/// ```swift
/// CodablePrefsCoding(
///     value: Device.self, storageValue: Data.self,
///     encoder: PropertyListEncoder(), decoder: PropertyListDecoder()
/// )
/// ```
public struct CodablePrefsCoding<
    Value: Codable & Sendable, StorageValue: LayeredPrefs.PrefsStorageValue,
    Encoder: TopLevelEncoder<StorageValue>, Decoder: TopLevelDecoder<StorageValue>
>: CodablePrefsCodable {
    private let makeEncoder: @Sendable () -> Encoder
    private let makeDecoder: @Sendable () -> Decoder

    /// Creates a coding from an encoder and a decoder.
    ///
    /// - Parameters:
    ///   - value: The type of the values, where it cannot be inferred.
    ///   - storageValue: The stored type, where it cannot be inferred.
    ///   - encoder: The encoder. The expression is evaluated for each encoding, because an encoder might not be safe
    ///     to share.
    ///   - decoder: The decoder. The expression is evaluated for each decoding.
    public init(
        value: Value.Type = Value.self,
        storageValue: StorageValue.Type = StorageValue.self,
        encoder: @escaping @autoclosure @Sendable () -> Encoder,
        decoder: @escaping @autoclosure @Sendable () -> Decoder
    ) {
        self.init(makeEncoder: encoder, makeDecoder: decoder)
    }

    init(
        makeEncoder encoder: @escaping @Sendable () -> Encoder,
        makeDecoder decoder: @escaping @Sendable () -> Decoder
    ) {
        makeEncoder = encoder
        makeDecoder = decoder
    }

    public func prefsEncoder() -> Encoder { makeEncoder() }

    public func prefsDecoder() -> Decoder { makeDecoder() }
}
