#if Etcd
    import FoundationEssentials

    /// The fields of an object that etcd sends.
    ///
    /// A missing field is zero, false or empty: the gateway leaves such fields out.
    typealias EtcdFields = KeyedDecodingContainer<EtcdField>

    /// The names of the fields that the client reads. It ignores all others.
    enum EtcdField: String, CodingKey {
        case canceled, code, count, created, error, events, fragment, header, key, kv, kvs, message, more
        case result, revision, succeeded, token, type, value
        case cancelReason = "cancel_reason"
        case clusterID = "cluster_id"
        case compactRevision = "compact_revision"
        case grpcCode = "grpc_code"
        case id = "ID"
        case modRevision = "mod_revision"
        case raftTerm = "raft_term"
        case timeToLive = "TTL"
        case watchID = "watch_id"
    }

    extension EtcdFields {
        init(_ decoder: any Decoder) throws { self = try decoder.container(keyedBy: EtcdField.self) }

        /// Returns a 64-bit integer. The gateway writes it as a string.
        func integer<Number: FixedWidthInteger & Decodable>(_ field: EtcdField) throws -> Number {
            guard let text = try? decodeIfPresent(String.self, forKey: field) else {
                return try decodeIfPresent(Number.self, forKey: field) ?? 0
            }
            guard let number = Number(text) else { throw MalformedAnswer("expected an integer") }
            return number
        }

        /// Returns the bytes of a base64 string.
        func bytes(_ field: EtcdField) throws -> [UInt8] {
            let text = try string(field)
            // Foundation also accepts text after the padding, and padding that is not needed.
            guard let data = Data(base64Encoded: text), data.base64EncodedString() == text else {
                throw MalformedAnswer("expected base64")
            }
            return [UInt8](data)
        }

        func string(_ field: EtcdField) throws -> String {
            try decodeIfPresent(String.self, forKey: field) ?? ""
        }

        func boolean(_ field: EtcdField) throws -> Bool {
            try decodeIfPresent(Bool.self, forKey: field) ?? false
        }

        func header() throws -> EtcdHeader {
            try decodeIfPresent(EtcdHeader.self, forKey: .header) ?? EtcdHeader()
        }

        /// Returns the header of an answer that must have a revision.
        func headerWithRevision() throws -> EtcdHeader {
            let header = try header()
            guard header.revision > 0 else { throw MalformedAnswer("a header without a revision") }
            return header
        }
    }
#endif
