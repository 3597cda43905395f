#if Etcd
    import PrefsSystem

    /// The failure of a request, classified by the client's reaction.
    ///
    /// Each version of etcd reports the same failure with a different HTTP status and in a different form, and
    /// some use the wrong code. So the message is checked first, and then the gRPC code.
    struct EtcdFailure: Error, Equatable {
        enum Kind: Equatable {
            /// The token is missing, unknown, expired, or older than the last change of the users.
            case token
            /// The user or the password is wrong.
            case credentials
            /// The server has no users, so it needs no token.
            case authenticationDisabled
            case permission
            /// The revision is compacted or in the future.
            case revision
            case tooLarge
            /// The answer is larger than the client accepts.
            case answerTooLarge
            case noSpace
            /// The server cannot answer now, but another server may. A write may have taken effect.
            case unavailable
            /// The peer is not etcd, or a version of etcd without this interface.
            case protocolViolation
            case invalidRequest

            /// The system error with the same meaning; `nil` if there is none.
            var errno: CInt? {
                switch self {
                case .permission, .credentials: EACCES
                case .unavailable: EHOSTUNREACH
                default: nil
                }
            }
        }

        var kind: Kind
        var message: String
        /// False if the request cannot have reached the server.
        var wasSent = true

        init(_ kind: Kind, _ message: String) {
            self.kind = kind
            self.message = String(message.prefix(Self.longestMessage))
        }

        private static let longestMessage = 300

        /// The state of a client before its first attempt.
        static let notTried = EtcdFailure(.unavailable, "not connected yet")

        /// Creates a failure from an answer.
        init(status: Int, body: [UInt8]) {
            let error = try? ErrorAnswer(json: body)
            guard let error, let message = error.message, !message.isEmpty else {
                let text = String(decoding: body.prefix(80), as: UTF8.self)
                let summary = text.split(whereSeparator: \.isNewline).first.map { ": \($0)" } ?? ""
                // Proxies answer like this, and so do servers that are shutting down.
                self.init(
                    status >= 500 ? .unavailable : .protocolViolation, "HTTP status \(status)\(summary)")
                return
            }
            self.init(Self.kind(of: message) ?? Self.kind(code: error.code, status), message)
        }

        init(_ malformed: MalformedAnswer) {
            self.init(.protocolViolation, "the answer is not etcd's: \(malformed.reason)")
        }

        /// Classifies the reason why a watch was cancelled.
        init(cancelReason reason: String) {
            self.init(Self.kind(of: reason) ?? .unavailable, "the watch was cancelled: \(reason)")
        }

        private static let kinds: [(String, Kind)] = [
            ("user name is empty", .token), ("invalid auth token", .token),
            ("revision of auth store is old", .token), ("authentication failed", .credentials),
            ("authentication is not enabled", .authenticationDisabled), ("permission denied", .permission),
            ("revision has been compacted", .revision), ("is a future revision", .revision),
            ("is too large", .tooLarge), ("too many operations", .tooLarge), ("larger than max", .tooLarge),
            ("space exceeded", .noSpace), ("no leader", .unavailable), ("deadline exceeded", .unavailable),
            ("timed out", .unavailable), ("leader changed", .unavailable), ("server stopped", .unavailable),
            ("not a primary lessor", .unavailable), ("duplicate key", .invalidRequest),
        ]

        private static func kind(of message: String) -> Kind? {
            kinds.first { message.contains($0.0) }?.1
        }

        private static func kind(code: Int?, _ status: Int) -> Kind {
            switch code {
            case 16: .token
            case 7: .permission
            case 11: .revision
            case 1, 2, 4, 8, 13, 14: .unavailable
            case nil: status >= 500 ? .unavailable : .protocolViolation
            default: .invalidRequest
            }
        }
    }

    /// An error in one of etcd's forms: `{"error": s, "code": n}`, `{"message": s, "code": n}`, or one of them
    /// within an object `error`. Within such an object, the code may also be called `grpc_code`.
    private struct ErrorAnswer: Decodable {
        let message: String?
        let code: Int?

        init(from decoder: any Decoder) throws {
            let object = try EtcdFields(decoder)
            let inner = try? object.nestedContainer(keyedBy: EtcdField.self, forKey: .error)
            let fields = inner ?? object
            func first<Value: Decodable>(_ type: Value.Type, of names: EtcdField...) -> Value? {
                names.lazy.compactMap { try? fields.decode(type, forKey: $0) }.first
            }
            message = first(String.self, of: .message, .error)
            code = first(Int.self, of: .code, .grpcCode)
        }
    }
#endif
