public import Foundation
public import LayeredPrefs

/// A representation that stores a `Codable` value as an encoder's output. The output is JSON unless you pass another
/// encoder.
// Sendable: the coders are constants; as in PersistentKeyValueKit, a program hands over coders that may be used
// from any thread, as Foundation's may.
public struct CodablePersistentKeyValueRepresentation<
    Value: Codable, Encoder: TopLevelEncoder, Decoder: TopLevelDecoder
>: ProxyPersistentKeyValueRepresentationProtocol, @unchecked Sendable
where Encoder.Output: KeyValuePersistible, Decoder.Input == Encoder.Output {
    public typealias Proxy = Encoder.Output

    /// The decoder of stored values.
    public let decoder: Decoder
    /// The encoder of values.
    public let encoder: Encoder

    /// Creates a representation from an encoder and a decoder. Any thread may use them.
    public init(encoder: Encoder, decoder: Decoder) {
        self.encoder = encoder
        self.decoder = decoder
    }

    public func from(_ proxy: Proxy) -> Value? { try? decoder.decode(Value.self, from: proxy) }

    public func to(_ value: Value) -> Proxy? { try? encoder.encode(value) }

    /// Encodes a value with the encoder.
    ///
    /// - Throws: ``PrefsError`` that quotes the encoder's error.
    public func encode(_ value: Value) throws -> PrefsValue? {
        let output: Proxy
        do {
            output = try encoder.encode(value)
        } catch {
            throw PrefsError(.notEncodable, reason: "this \(Value.self) cannot be encoded: \(error)")
        }
        return try Proxy.persistentKeyValueRepresentation.encode(output)
    }

    /// Parses text that is the encoder's output itself, such as JSON, or text that the output's type can parse.
    public func storedForm(ofText text: String) -> PrefsValue? {
        let form = PrefsValue.data(Data(text.utf8))
        if decode(form) != nil { return form }
        return Proxy.persistentKeyValueRepresentation.storedForm(ofText: text)
    }

    public var expectation: String {
        "\(Proxy.persistentKeyValueRepresentation.expectation) that encodes a \(Value.self)"
    }
}

extension CodablePersistentKeyValueRepresentation where Encoder == JSONEncoder, Decoder == JSONDecoder {
    /// Creates a representation that stores a value as the bytes of its JSON.
    public init() {
        self.init(encoder: JSONCoders.encoder, decoder: JSONCoders.decoder)
    }
}
