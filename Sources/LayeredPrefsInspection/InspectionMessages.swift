import LayeredPrefs

/// A question, as one line of JSON: `{"request":"explain","key":"http.port"}`.
package struct InspectionRequest: Codable, Sendable {
    package enum Kind: String, Codable, Sendable {
        /// The process, its sources and their problems.
        case status
        /// All keys, or those below `key`, with their effective values.
        case list
        /// Every layer's value of `key`, and its role.
        case explain
        /// The locks.
        case locks
        /// The change sets from now on, one line each, until the client disconnects.
        case watch
    }

    package var request: Kind
    package var key: String?

    package init(_ request: Kind, key: String? = nil) {
        self.request = request
        self.key = key
    }
}

/// An answer, as one line of JSON. Exactly one of the members after ``version`` is present.
package struct InspectionReply: Codable, Sendable {
    /// The version of the format; members may be added without a new one.
    package var version = 1
    /// The reason for which there is no answer.
    package var error: String?
    package var status: Status?
    package var keys: [Key]?
    package var explanation: Explanation?
    package var locks: [Lock]?
    package var changes: Changes?

    package init() {}

    package struct Status: Codable, Sendable {
        package var domain: String
        package var pid: Int32
        package var program: String
        package var generation: UInt64
        package var keys: Int
        /// The declared keys for which a candidate is rejected.
        package var rejected: [String]
        package var locks: Int
        package var sources: [Source]

        package var problems: [Source] { sources.filter { $0.problem != nil } }
    }

    package struct Source: Codable, Sendable {
        package var layer: String?
        package var file: String?
        package var problem: String?
        package var generation: UInt64?
        package var secondsSinceRead: Double?
        package var engine: String?
    }

    package struct Key: Codable, Sendable {
        package var key: String
        /// The effective value in words; absent for a secret and for a key that is not set.
        package var value: String?
        package var kind: String?
        /// The layer, file and line of the value; absent for the key's own default.
        package var origin: String?
        package var isSecret: Bool
        package var isDeclared: Bool
        package var lock: String?
        package var rejected: [String]
    }

    package struct Explanation: Codable, Sendable {
        package struct Row: Codable, Sendable {
            package var layer: String
            package var value: String?
            package var place: String
            package var role: String
        }

        package var key: String
        package var rows: [Row]
        package var lock: String?
        package var isSecret: Bool
        package var isUntyped: Bool
    }

    package struct Lock: Codable, Sendable {
        package var key: String
        package var origin: String
    }

    package struct Changes: Codable, Sendable {
        package var generation: UInt64
        package var cause: String
        /// One line for each key: `http.port: 8080 → 9090 (user …plist:6)`.
        package var changes: [String]
        package var shadowed: [String]
    }
}
