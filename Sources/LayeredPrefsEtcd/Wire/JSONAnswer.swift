#if Etcd
    import FoundationEssentials

    /// An answer that is not what etcd would send.
    struct MalformedAnswer: Error, Equatable {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    extension Decodable {
        /// Decodes a JSON text that a server sent.
        init(json bytes: [UInt8]) throws(MalformedAnswer) {
            guard bytes.count(where: JSONAnswer.isStructural) <= JSONAnswer.mostElements else {
                throw MalformedAnswer("more than \(JSONAnswer.mostElements) elements")
            }
            try self.init(trustedJSON: bytes)
        }

        /// Decodes a JSON text of any number of elements.
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

        /// Decodes an object of a stream: a message as its `result`, or the `error` that ends the stream.
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
            // Only infinities and NaN cannot be encoded, and nothing that the client sends has real numbers.
            return (try? encoder.encode(self)).map([UInt8].init) ?? []
        }
    }

    private enum JSONAnswer {
        /// Foundation's parser takes up to 50 bytes for an element, which takes as few as 2 in the text. So the number
        /// of elements is bounded, far above what a page of items or a transaction has. The depth need not be:
        /// the parser rejects more than 512 levels.
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
