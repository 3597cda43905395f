import LayeredPrefs

/// A request, as one line of JSON: `{"request":"explain","key":"http.port"}`.
package struct InspectionRequest: Codable, Sendable {
    package enum Kind: String, Codable, Sendable {
        /// The process, its sources and their problems.
        case status
        /// All keys, or the keys at and below `key`, with their effective values. For a part of a declared key,
        /// the declared key.
        case list
        /// Every layer's value of `key` and the value's role.
        case explain
        /// The status, then all later change sets, one line each, until the client disconnects.
        case watch
        /// The last change sets, oldest first. If `key` is given, only change sets of that key.
        case history
        /// The declared keys that have a rejected value.
        case rejected
        /// The keys that would have other values in a process that starts now. If `environment` is given, it
        /// starts with these variables.
        case drift
        /// The keys that the program has read, and the keys that it has not read, if it records its reads.
        case reads
        /// Checks the files, as SIGHUP does. The program must permit it.
        case reload
        /// Sets `key` in the overrides layer to the text `value`. The program must permit it.
        case set
        /// Checks whether ``set`` would accept the text `value`. Changes nothing.
        case check
        /// Removes `key` from the overrides layer. The program must permit it.
        case unset
    }

    package var request: Kind
    package var key: String?
    package var value: String?
    package var environment: [String: String]?

    package init(
        _ request: Kind, key: String? = nil, value: String? = nil, environment: [String: String]? = nil
    ) {
        self.request = request
        self.key = key
        self.value = value
        self.environment = environment
    }
}

/// An answer, as one line of JSON. Exactly one of the members after ``version`` is present.
package struct InspectionReply: Codable, Sendable {
    /// The version of the format. Members may be added without a new version.
    package var version = 1
    /// The reason why there is no answer.
    package var error: String?
    package var status: Status?
    package var keys: [Key]?
    package var explanation: Explanation?
    package var changes: Changes?
    package var history: [Changes]?
    package var rejectedKeys: [RejectedKey]?
    package var drift: [Drift]?
    package var reads: Reads?
    package var outcome: Outcome?

    package struct Status: Codable, Sendable {
        package var domain: String
        package var pid: Int32
        package var program: String
        package var generation: UInt64
        package var keys: Int
        /// The declared keys that have a rejected value.
        package var rejected: [String]
        package var locks: Int
        package var sources: [Source]
        /// The operations that the program permits besides reading: `reload`, `overrides`.
        package var permits: [String]?
        /// True if a handler of the program has failed to apply the active values.
        package var isInconsistent: Bool?
        /// True while the program's handlers are deciding on new revisions.
        package var isDeciding: Bool?
        /// One sentence about the effect of a restart on rejected revisions and broken files.
        package var restart: String?

        package var problems: [Source] { sources.filter { $0.problem != nil } }
    }

    package struct Source: Codable, Sendable {
        package var layer: String?
        package var file: String?
        package var problem: String?
        package var generation: UInt64?
        package var secondsSinceRead: Double?
        package var engine: String?
        /// True if the process has not yet read the file's newest revision.
        package var isBehind: Bool?
        /// The newest revision, if it is rejected.
        package var rejection: Rejection?
    }

    /// A revision of a source that the process rejects, or the removal of a file. If there is no layer, a key lock
    /// has made the configuration invalid, and the process does not use the new values of any layer.
    package struct Rejection: Codable, Sendable, Hashable {
        package struct Problem: Codable, Sendable, Hashable {
            package var key: String?
            package var file: String?
            package var line: Int?
            /// The problem as a sentence, with the file, line and key.
            package var text: String
        }

        package var layer: String?
        package var file: String?
        /// Seconds since 1970.
        package var since: Double
        package var problems: [Problem]
        /// True if the file is gone but its last contents are still active.
        package var isRemoval: Bool?
    }

    package struct Key: Codable, Sendable {
        package var key: String
        /// The effective value in words; absent for a secret, and for a key that is not set.
        package var value: String?
        package var kind: String?
        /// The layer, file and line of the value; absent for the key's own default.
        package var origin: String?
        package var isSecret: Bool
        package var isDeclared: Bool
        package var lock: String?
        package var rejected: [String]
        /// The layer of the value; absent for the key's own default.
        package var layer: String?
        /// The declared type in words.
        package var type: String?
        /// True if the key needs a restart and the process started with another value.
        package var needsRestart: Bool?
        /// The value in the form that `prefs set` accepts.
        package var text: String?
        /// A text that is the same for all spellings of a value. Only answers to the page have it.
        package var comparable: String?
    }

    package struct Explanation: Codable, Sendable {
        package struct Row: Codable, Sendable {
            package var layer: String
            package var value: String?
            package var place: String
            package var role: String
            /// The value in the form that `prefs set` accepts.
            package var text: String?
        }

        package var key: String
        package var rows: [Row]
        package var lock: String?
        package var isSecret: Bool
        package var isUntyped: Bool
        package var declaration: Declaration?
        /// The rejected revisions that have a problem with the key, or would give it another value.
        package var rejections: [Rejection]?
        /// The problems of files that cannot be read. The process uses the last good contents of these files.
        package var broken: [String]?
        /// A remark about a key that the program does not declare: it is part of a declared key, or it is unknown.
        package var note: String?
        /// One sentence about the effect of a restart on the rejected revisions.
        package var restart: String?
    }

    /// The program's declaration of a key.
    package struct Declaration: Codable, Sendable {
        package var type: String
        package var documentation: String?
        /// The allowed range or values in words; empty if every value of the type is allowed.
        package var limits: String
        /// The allowed values, in the form that `prefs set` accepts.
        package var values: [String]?
        package var condition: String?
        package var environment: [String]
        package var formerNames: [String]
        package var needsRestart: Bool
    }

    /// A declared key with rejected values.
    package struct RejectedKey: Codable, Sendable {
        package var key: String
        package var reasons: [String]
    }

    /// The keys that the program has read since it began to record its reads.
    package struct Reads: Codable, Sendable {
        package struct Key: Codable, Sendable {
            package var key: String
            /// The default in words; absent if there is none, and for a secret.
            package var defaultValue: String?
            /// The layer, file and line of the value at the first read; absent for the key's own default.
            package var origin: String?
            /// The source line of the first read.
            package var location: String?
        }

        package var keys: [Key]
        /// The declared keys that the program has not read.
        package var unread: [String]
    }

    /// A key with a value that a restart would change.
    package struct Drift: Codable, Sendable {
        package enum Reason: String, Codable, Sendable {
            /// The process overrides the value in memory.
            case override
            /// The new process would have other variables.
            case environment
            /// A file is broken, and the process keeps the previous revision.
            case broken
            /// The process has rejected the newest revision of a file.
            case rejected
            /// The process has not loaded an edit yet.
            case file
            /// The key takes effect only after a restart.
            case restart
            case lock
            /// The new process would not start.
            case fails
        }

        /// The key. Empty if a restart fails for a reason that belongs to no single key.
        package var key: String
        /// The value that the process uses, in words; absent if there is none, and for a secret.
        package var running: String?
        package var restarted: String?
        package var isSecret: Bool
        package var reason: Reason
        /// The reason in words, with the file or variable.
        package var explanation: String
    }

    /// The outcome of a permitted write.
    package struct Outcome: Codable, Sendable {
        /// True if the written value is effective.
        package var isEffective: Bool
        /// The reason why the value is not effective.
        package var remark: String?
        package var generation: UInt64
        /// The problems that a reload found, as sentences.
        package var problems: [String]?
    }

    package struct Changes: Codable, Sendable {
        package struct Change: Codable, Sendable {
            package var key: String
            /// The values in words, shortened; absent if there is none, and for a secret.
            package var old: String?
            package var new: String?
            /// The layer, file and line of the new value; absent for the key's own default.
            package var origin: String?
            package var isSecret: Bool
            package var needsRestart: Bool
        }

        package var generation: UInt64
        package var cause: String
        /// The keys with changed stored values. Only in a stream.
        package var keys: [String]?
        /// The keys whose changed values are all shadowed. Only in a stream.
        package var shadowed: [String]?
        /// Seconds since 1970.
        package var time: Double?
        /// The changed values, as the program reads them. In a stream, each declared key's change has a set of its
        /// own.
        package var details: [Change]?
        /// The number of further changes that were not recorded.
        package var omitted: Int?
    }
}
