#if Etcd
    /// The header of every answer.
    struct EtcdHeader: Equatable {
        var clusterID: UInt64 = 0
        var revision: Int64 = 0
        var raftTerm: UInt64 = 0
    }

    extension EtcdHeader: Decodable {
        init(from decoder: any Decoder) throws {
            let fields = try EtcdFields(decoder)
            clusterID = try fields.integer(.clusterID)
            revision = try fields.integer(.revision)
            raftTerm = try fields.integer(.raftTerm)
        }
    }

    /// A key with its value.
    struct EtcdItem: Equatable {
        var key: [UInt8]
        var value: [UInt8]
        /// The revision of the last change.
        var revision: Int64
    }

    extension EtcdItem: Decodable {
        init(from decoder: any Decoder) throws {
            let fields = try EtcdFields(decoder)
            key = try fields.bytes(.key)
            value = try fields.bytes(.value)
            revision = try fields.integer(.modRevision)
        }
    }

    /// The answer to a range request.
    struct EtcdRange: Decodable {
        let header: EtcdHeader
        let items: [EtcdItem]
        let count: Int64
        /// True if the request's limit left items out.
        let hasMore: Bool

        init(from decoder: any Decoder) throws {
            let fields = try EtcdFields(decoder)
            header = try fields.headerWithRevision()
            items = try fields.decodeIfPresent([EtcdItem].self, forKey: .kvs) ?? []
            count = try fields.integer(.count)
            hasMore = try fields.boolean(.more)
        }
    }

    /// The answer to a transaction.
    struct EtcdTransactionAnswer: Decodable {
        let header: EtcdHeader
        /// False if a comparison failed.
        let succeeded: Bool

        init(from decoder: any Decoder) throws {
            let fields = try EtcdFields(decoder)
            header = try fields.headerWithRevision()
            succeeded = try fields.boolean(.succeeded)
        }
    }

    /// The answer to a request for a lease, or to its renewal.
    struct EtcdLease: Decodable {
        let id: Int64
        /// The time that the lease is still valid; 0 if it has expired or never existed.
        let seconds: Int64

        init(from decoder: any Decoder) throws {
            let fields = try EtcdFields(decoder)
            id = try fields.integer(.id)
            seconds = try fields.integer(.timeToLive)
            guard id != 0 else { throw MalformedAnswer("an answer about a lease without its number") }
        }
    }

    /// A change of one key.
    enum EtcdEvent: Equatable {
        case put(EtcdItem)
        /// A deletion, with its own revision.
        case delete(key: [UInt8], revision: Int64)
    }

    extension EtcdEvent: Decodable {
        init(from decoder: any Decoder) throws {
            let fields = try EtcdFields(decoder)
            guard let item = try fields.decodeIfPresent(EtcdItem.self, forKey: .kv), !item.key.isEmpty,
                item.revision > 0
            else { throw MalformedAnswer("an event without a key") }
            // The type is absent for a put, because a put is the zero of the enumeration.
            let isDeletion = try fields.string(.type) == "DELETE"
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
        /// If the watch began before the last compaction: the revision of the compaction.
        var compactRevision: Int64 = 0
        /// True if more events of the same revision follow.
        var isFragment = false
        var events: [EtcdEvent] = []
    }

    extension EtcdWatchMessage: Decodable {
        init(from decoder: any Decoder) throws {
            let fields = try EtcdFields(decoder)
            header = try fields.header()
            watchID = try fields.integer(.watchID)
            isCreated = try fields.boolean(.created)
            isCanceled = try fields.boolean(.canceled)
            cancelReason = try fields.string(.cancelReason)
            compactRevision = try fields.integer(.compactRevision)
            isFragment = try fields.boolean(.fragment)
            events = try fields.decodeIfPresent([EtcdEvent].self, forKey: .events) ?? []
        }
    }

    /// The answer to an authentication.
    struct EtcdToken: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            text = try EtcdFields(decoder).string(.token)
            // The token becomes the value of a header.
            guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
                throw MalformedAnswer("an authentication without a token")
            }
        }
    }
#endif
