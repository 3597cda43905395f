public import LayeredPrefs
public import PrefsDocuments

/// A coding that stores a `Codable` value as an encoder's output.
public protocol CodablePrefsCodable<Value, StorageValue>: PrefsCodable where Value: Codable {
    /// The type of the encoder.
    associatedtype Encoder: TopLevelEncoder
    /// The type of the decoder.
    associatedtype Decoder: TopLevelDecoder

    /// Returns the encoder to use; it may be shared if it can be used from any thread.
    func prefsEncoder() -> Encoder

    /// Returns the decoder to use; it may be shared if it can be used from any thread.
    func prefsDecoder() -> Decoder
}

extension CodablePrefsCodable where Encoder.Output == StorageValue, Decoder.Input == StorageValue {
    public func encode(prefsValue: Value) -> StorageValue? {
        try? prefsEncoder().encode(prefsValue)
    }

    public func decode(prefsValue: StorageValue) -> Value? {
        try? prefsDecoder().decode(Value.self, from: prefsValue)
    }

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

/// Stores a `Codable` value as the output of an encoder of your choice.
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
    ///   - encoder: Evaluated for each encoding, because an encoder might not be safe to share.
    ///   - decoder: Evaluated for each decoding.
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
