public import Foundation
public import LayeredPrefs

/// Stores a `Codable` value as an encoder's output; JSON unless another encoder is given.
public struct CodablePersistentKeyValueRepresentation<
    Value: Codable, Encoder: TopLevelEncoder, Decoder: TopLevelDecoder
>: PrefsValueCoding
where Encoder.Output: KeyValuePersistible, Decoder.Input == Encoder.Output {
    private let makeEncoder: @Sendable () -> Encoder
    private let makeDecoder: @Sendable () -> Decoder

    /// Creates a representation from an encoder and a decoder.
    ///
    /// - Parameters:
    ///   - encoder: Evaluated for each encoding, because an encoder might not be safe to share.
    ///   - decoder: Evaluated for each decoding.
    public init(
        encoder: @escaping @autoclosure @Sendable () -> Encoder,
        decoder: @escaping @autoclosure @Sendable () -> Decoder
    ) {
        makeEncoder = encoder
        makeDecoder = decoder
    }

    public func encode(_ value: Value) throws -> PrefsValue? {
        let output: Encoder.Output
        do {
            output = try makeEncoder().encode(value)
        } catch {
            throw PrefsError(.notEncodable, reason: "this \(Value.self) cannot be encoded: \(error)")
        }
        return try Encoder.Output.persistentKeyValueRepresentation.encode(output)
    }

    public func decode(_ stored: PrefsValue) -> Value? {
        Encoder.Output.persistentKeyValueRepresentation.decode(stored)
            .flatMap { try? makeDecoder().decode(Value.self, from: $0) }
    }

    public func storedForm(ofText text: String) -> PrefsValue? {
        let form = PrefsValue.data(Data(text.utf8))
        if decode(form) != nil { return form }
        return Encoder.Output.persistentKeyValueRepresentation.storedForm(ofText: text)
    }

    public var storedType: PrefsStoredType {
        Encoder.Output.persistentKeyValueRepresentation.storedType
    }

    public var expectation: String {
        "\(Encoder.Output.persistentKeyValueRepresentation.expectation) that encodes a \(Value.self)"
    }
}

extension CodablePersistentKeyValueRepresentation where Encoder == JSONEncoder, Decoder == JSONDecoder {
    /// Creates a representation that stores a value as the bytes of its JSON.
    public init() {
        self.init(encoder: JSONCoders.encoder, decoder: JSONCoders.decoder)
    }
}
