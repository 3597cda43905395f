public import PrefsDocuments
/// A coding that stores what an encoder makes of a `Codable` value.
public protocol CodablePrefsCodable<Value, StorageValue>: PrefsCodable where Value: Codable {
    /// What encodes.
    associatedtype Encoder: TopLevelEncoder<StorageValue>
    /// What decodes.
    associatedtype Decoder: TopLevelDecoder<StorageValue>

    /// The encoder to use; may be one and the same every time if it can be used from any thread.
    func prefsEncoder() -> Encoder

    /// The decoder to use; may be one and the same every time if it can be used from any thread.
    func prefsDecoder() -> Decoder
}

extension CodablePrefsCodable {
    public func encode(prefsValue: Value) -> StorageValue? {
        try? prefsEncoder().encode(prefsValue)
    }

    public func decode(prefsValue: StorageValue) -> Value? {
        try? prefsDecoder().decode(Value.self, from: prefsValue)
    }

    /// - Throws: ``PrefsError`` with what the encoder complained of.
    public func encode(_ value: Value) throws -> PrefsValue? {
        do {
            return try prefsEncoder().encode(value).prefsValue
        } catch {
            throw PrefsError(.notEncodable, reason: "this \(Value.self) cannot be encoded: \(error)")
        }
    }

    public var expectation: String { "\(StorageValue.prefsExpectation) that encodes a \(Value.self)" }
}

/// Stores what an encoder of your choice makes of a `Codable` value.
///
/// ```swift
/// CodablePrefsCoding(
///     value: Device.self, storageValue: Data.self,
///     encoder: PropertyListEncoder(), decoder: PropertyListDecoder()
/// )
/// ```
public struct CodablePrefsCoding<
    Value: Codable, StorageValue: PrefsStorageValue,
    Encoder: TopLevelEncoder<StorageValue>, Decoder: TopLevelDecoder<StorageValue>
>: CodablePrefsCodable {
    private let makeEncoder: @Sendable () -> Encoder
    private let makeDecoder: @Sendable () -> Decoder

    /// - Parameters:
    ///   - encoder: Evaluated for each encoding, since an encoder need not be safe to share.
    ///   - decoder: Evaluated for each decoding.
    public init(
        value: Value.Type = Value.self,
        storageValue: StorageValue.Type = StorageValue.self,
        encoder: @escaping @autoclosure @Sendable () -> Encoder,
        decoder: @escaping @autoclosure @Sendable () -> Decoder
    ) {
        makeEncoder = encoder
        makeDecoder = decoder
    }

    public func prefsEncoder() -> Encoder { makeEncoder() }

    public func prefsDecoder() -> Decoder { makeDecoder() }
}
