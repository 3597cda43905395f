#if Etcd
    import FoundationEssentials

    /// An answer that etcd would not send.
    struct MalformedAnswer: Error, Equatable {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    extension Decodable {
        /// Decodes JSON text from a server.
        init(json bytes: [UInt8]) throws(MalformedAnswer) {
            guard bytes.count(where: JSONAnswer.isStructural) <= JSONAnswer.mostElements else {
                throw MalformedAnswer("more than \(JSONAnswer.mostElements) elements")
            }
            try self.init(trustedJSON: bytes)
        }

        /// Decodes JSON text with any number of elements.
        init(trustedJSON bytes: [UInt8]) throws(MalformedAnswer) {
            do {
                self = try JSONDecoder().decode(Self.self, from: Data(bytes))
            } catch {
                throw error as? MalformedAnswer ?? MalformedAnswer(JSONAnswer.reason(of: error))
            }
        }

        /// Decodes the body of an answer.
        init(answer bytes: [UInt8]) throws(EtcdFailure) {
            do { try self.init(json: bytes) } catch { throw EtcdFailure(error) }
        }

        /// Decodes one object of a stream. It contains a message as its `result`, or the `error` that ends the
        /// stream.
        init(streamed bytes: [UInt8]) throws(EtcdFailure) {
            let object = try StreamedObject<Self>(answer: bytes)
            if object.isFailure { throw EtcdFailure(status: 200, body: bytes) }
            guard let message = object.message else {
                throw EtcdFailure(MalformedAnswer("an object with neither a result nor an error"))
            }
            self = message
        }
    }

    extension Encodable {
        /// The value as JSON.
        var json: [UInt8] {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            // Encoding fails only for infinities and NaN, and the client sends no real numbers.
            return (try? encoder.encode(self)).map([UInt8].init) ?? []
        }
    }

    private enum JSONAnswer {
        /// The maximum number of elements. It is far above the number in a page of items or in a transaction.
        /// Foundation's parser takes up to 50 bytes of memory for an element that has as few as 2 bytes in the
        /// text. The depth needs no limit here: the parser rejects more than 512 levels.
        static let mostElements = 1 << 20

        static func isStructural(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: ",") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
        }

        static func reason(of error: any Error) -> String {
            switch error as? DecodingError {
            case .dataCorrupted(let context), .typeMismatch(_, let context),
                .valueNotFound(_, let context), .keyNotFound(_, let context):
                context.debugDescription
            default: "\(error)"
            }
        }
    }

    private struct StreamedObject<Message: Decodable>: Decodable {
        let message: Message?
        let isFailure: Bool

        init(from decoder: any Decoder) throws {
            let fields = try EtcdFields(decoder)
            isFailure = fields.contains(.error)
            message = isFailure ? nil : try fields.decodeIfPresent(Message.self, forKey: .result)
        }
    }
#endif
