#if Etcd
    /// The header of every answer.
    struct EtcdHeader: Equatable {
        var clusterID: UInt64 = 0
        var revision: Int64 = 0
        var raftTerm: UInt64 = 0

        init(clusterID: UInt64 = 0, revision: Int64 = 0, raftTerm: UInt64 = 0) {
            (self.clusterID, self.revision, self.raftTerm) = (clusterID, revision, raftTerm)
        }

        init(_ reader: inout JSONReader) throws(MalformedAnswer) {
            var header = EtcdHeader()
            try reader.object { name, reader throws(MalformedAnswer) in
                switch name {
                case "cluster_id": header.clusterID = try reader.integer()
                case "revision": header.revision = try reader.integer()
                case "raft_term": header.raftTerm = try reader.integer()
                default: try reader.skip()
                }
            }
            self = header
        }
    }

    /// A key with its value.
    struct EtcdItem: Equatable {
        var key: [UInt8] = []
        var value: [UInt8] = []
        /// The revision of the last change.
        var revision: Int64 = 0

        init(key: [UInt8], value: [UInt8], revision: Int64) {
            (self.key, self.value, self.revision) = (key, value, revision)
        }

        init(_ reader: inout JSONReader) throws(MalformedAnswer) {
            var item = EtcdItem(key: [], value: [], revision: 0)
            try reader.object { name, reader throws(MalformedAnswer) in
                switch name {
                case "key": item.key = try reader.base64()
                case "value": item.value = try reader.base64()
                case "mod_revision": item.revision = try reader.integer()
                default: try reader.skip()
                }
            }
            self = item
        }
    }

    /// The answer to a range request.
    struct EtcdRange: Equatable {
        var header = EtcdHeader()
        var items: [EtcdItem] = []
        var count: Int64 = 0
        /// True if the request's limit left items out.
        var hasMore = false

        private init(_ reader: inout JSONReader, limit: Int) throws(MalformedAnswer) {
            var range = EtcdRange()
            try reader.object { name, reader throws(MalformedAnswer) in
                switch name {
                case "header": range.header = try EtcdHeader(&reader)
                case "kvs":
                    try reader.array { reader throws(MalformedAnswer) in
                        range.items.append(try EtcdItem(&reader))
                        guard range.items.count <= limit else {
                            throw MalformedAnswer("more keys than asked for")
                        }
                    }
                case "count": range.count = try reader.integer()
                case "more": range.hasMore = try reader.boolean()
                default: try reader.skip()
                }
            }
            self = range
        }

        /// - Parameter limit: The number of items that were asked for. A hostile server could otherwise make a small
        ///   answer take much memory.
        init(_ body: [UInt8], limit: Int = .max) throws(MalformedAnswer) {
            var reader = JSONReader(body)
            try self.init(&reader, limit: limit)
            try reader.end()
            guard header.revision > 0 else { throw MalformedAnswer("a header without a revision") }
        }

        private init() {}
    }

    /// The answer to a transaction.
    struct EtcdTransactionAnswer: Equatable {
        var header = EtcdHeader()
        /// False if a comparison failed.
        var succeeded = false

        init(_ body: [UInt8]) throws(MalformedAnswer) {
            var answer = EtcdTransactionAnswer()
            var reader = JSONReader(body)
            try reader.object { name, reader throws(MalformedAnswer) in
                switch name {
                case "header": answer.header = try EtcdHeader(&reader)
                case "succeeded": answer.succeeded = try reader.boolean()
                default: try reader.skip()
                }
            }
            try reader.end()
            guard answer.header.revision > 0 else { throw MalformedAnswer("a header without a revision") }
            self = answer
        }

        private init() {}
    }

    /// The answer to granting or renewing a lease.
    struct EtcdLease: Equatable {
        var id: Int64 = 0
        /// The time for which the lease is valid; 0 if it has expired or never existed.
        var seconds: Int64 = 0

        init(_ body: [UInt8]) throws(EtcdFailure) {
            var (lease, isFailure) = (EtcdLease(), false)
            func fields(_ reader: inout JSONReader) throws(MalformedAnswer) {
                try reader.object { name, reader throws(MalformedAnswer) in
                    switch name {
                    // A renewal is answered as a stream of one message.
                    case "result" where reader.isAtObject(): try fields(&reader)
                    case "ID": lease.id = try reader.integer()
                    case "TTL": lease.seconds = try reader.integer()
                    case "error":
                        isFailure = true
                        try reader.skip()
                    default: try reader.skip()
                    }
                }
            }
            var reader = JSONReader(body)
            do { try fields(&reader) } catch { throw EtcdFailure(error) }
            if isFailure { throw EtcdFailure(status: 200, body: body) }
            guard lease.id != 0 else {
                throw EtcdFailure(MalformedAnswer("an answer about a lease without its number"))
            }
            self = lease
        }

        private init() {}
    }

    /// A change of one key.
    enum EtcdEvent: Equatable {
        case put(EtcdItem)
        /// The revision is that of the deletion.
        case delete(key: [UInt8], revision: Int64)

        init(_ reader: inout JSONReader) throws(MalformedAnswer) {
            var (isDeletion, item) = (false, EtcdItem(key: [], value: [], revision: 0))
            try reader.object { name, reader throws(MalformedAnswer) in
                switch name {
                // Absent for a put, which is the zero of the enumeration.
                case "type": isDeletion = try reader.string() == "DELETE"
                case "kv": item = try EtcdItem(&reader)
                default: try reader.skip()
                }
            }
            guard !item.key.isEmpty, item.revision > 0 else {
                throw MalformedAnswer("an event without a key")
            }
            self = isDeletion ? .delete(key: item.key, revision: item.revision) : .put(item)
        }
    }

    /// A message of a watch.
    struct EtcdWatchMessage: Equatable {
        var header = EtcdHeader()
        var watchID: Int64 = 0
        var isCreated = false
        var isCanceled = false
        var cancelReason = ""
        /// The revision up to which the history is compacted, if the watch began before it.
        var compactRevision: Int64 = 0
        /// True if more events of the same revision follow.
        var isFragment = false
        var events: [EtcdEvent] = []

        init() {}

        init(_ reader: inout JSONReader) throws(MalformedAnswer) {
            var message = EtcdWatchMessage()
            try reader.object { name, reader throws(MalformedAnswer) in
                switch name {
                case "header": message.header = try EtcdHeader(&reader)
                case "watch_id": message.watchID = try reader.integer()
                case "created": message.isCreated = try reader.boolean()
                case "canceled": message.isCanceled = try reader.boolean()
                case "cancel_reason": message.cancelReason = try reader.string()
                case "compact_revision": message.compactRevision = try reader.integer()
                case "fragment": message.isFragment = try reader.boolean()
                case "events":
                    try reader.array { reader throws(MalformedAnswer) in
                        message.events.append(try EtcdEvent(&reader))
                    }
                default: try reader.skip()
                }
            }
            self = message
        }
    }

    /// One object of a stream: a message, or the error that ends the stream.
    enum EtcdStreamObject: Equatable {
        case message(EtcdWatchMessage)
        case failure(EtcdFailure)

        init(_ bytes: [UInt8]) throws(MalformedAnswer) {
            var reader = JSONReader(bytes)
            var message: EtcdWatchMessage?
            var isFailure = false
            try reader.object { name, reader throws(MalformedAnswer) in
                switch name {
                case "result": message = try EtcdWatchMessage(&reader)
                case "error":
                    isFailure = true
                    try reader.skip()
                default: try reader.skip()
                }
            }
            if isFailure {
                self = .failure(EtcdFailure(status: 0, body: bytes))
            } else if let message {
                self = .message(message)
            } else {
                throw MalformedAnswer("an object with neither a result nor an error")
            }
        }
    }

    /// The token of an authentication.
    enum EtcdToken {
        static func read(_ body: [UInt8]) throws(MalformedAnswer) -> String {
            var reader = JSONReader(body)
            var token = ""
            try reader.object { name, reader throws(MalformedAnswer) in
                if name == "token" { token = try reader.string() } else { try reader.skip() }
            }
            // It becomes a header's value.
            guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
                throw MalformedAnswer("an authentication without a token")
            }
            return token
        }
    }
#endif
