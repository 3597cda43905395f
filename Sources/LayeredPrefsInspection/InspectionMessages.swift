import LayeredPrefs

/// A question, as one line of JSON: `{"request":"explain","key":"http.port"}`.
package struct InspectionRequest: Codable, Sendable {
    package enum Kind: String, Codable, Sendable {
        /// The process, its sources and their problems.
        case status
        /// All keys, or those at and below `key`, with their effective values; for a part of a declared key, that key.
        case list
        /// Every layer's value of `key`, and its role.
        case explain
        /// The status, then the change sets from now on, one line each, until the client disconnects.
        case watch
        /// The last change sets, oldest first; those that concern `key`, if it is given.
        case history
        /// The declared keys of which a candidate is rejected.
        case rejected
        /// The keys whose values differ in a process that starts now, with `environment` if it is given.
        case drift
        /// The keys that the program has read, and those that it has not, if it records them.
        case reads
        /// Checks the files, as on SIGHUP. The program must permit it.
        case reload
        /// Sets `key` to the text `value` in the layer of overrides. The program must permit it.
        case set
        /// Checks whether ``set`` would accept the text `value`, without a change.
        case check
        /// Removes `key` from the layer of overrides. The program must permit it.
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
    /// The version of the format; members may be added without a new one.
    package var version = 1
    /// The reason for which there is no answer.
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
        /// The declared keys for which a candidate is rejected.
        package var rejected: [String]
        package var locks: Int
        package var sources: [Source]
        /// The operations that the program permits besides reading: `reload`, `overrides`.
        package var permits: [String]?
        /// True if a closure of the program has failed to apply what is in force.
        package var isInconsistent: Bool?
        /// True while the program is deciding on what it has read, in closures of its own.
        package var isDeciding: Bool?
        /// The effect of a restart on what is rejected or cannot be read, as a sentence.
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
        /// True if the file has another version than the one that the process has read.
        package var isBehind: Bool?
        /// The newest version, if it is not active because something in it is wrong.
        package var rejection: Rejection?
    }

    /// A version of a source, or the removal of a file, that the process rejects. Without a layer, the values of all layers
    /// that it does not use because a lock has made its configuration invalid.
    package struct Rejection: Codable, Sendable, Hashable {
        package struct Problem: Codable, Sendable, Hashable {
            package var key: String?
            package var file: String?
            package var line: Int?
            /// The sentence, with the file, line and key.
            package var text: String
        }

        package var layer: String?
        package var file: String?
        /// Seconds since 1970.
        package var since: Double
        package var problems: [Problem]
        /// True if the file is gone, and its last contents are still active.
        package var isRemoval: Bool?
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
        /// The layer of the value; absent for the key's own default.
        package var layer: String?
        /// The declared type in words.
        package var type: String?
        /// True if the key needs a restart and its value is not the one with which the process started.
        package var needsRestart: Bool?
        /// The value in the form that `prefs set` accepts.
        package var text: String?
        /// A text that is the same for two spellings of one value; only in answers to the page.
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
        /// The rejected versions that have a problem with the key, or would give it another value.
        package var rejections: [Rejection]?
        /// The problems of files that cannot be read, of which the process uses the last good contents.
        package var broken: [String]?
        /// A remark on a key that the program does not declare: which declared key it is part of, or that it is unknown.
        package var note: String?
        /// The effect of a restart on the rejected versions, as a sentence.
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

    /// A declared key with rejected candidates.
    package struct RejectedKey: Codable, Sendable {
        package var key: String
        package var reasons: [String]
    }

    /// The keys that the program has read since it began to record them.
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
        /// The declared keys that it has not read.
        package var unread: [String]
    }

    /// A key whose value a restart would change.
    package struct Drift: Codable, Sendable {
        package enum Reason: String, Codable, Sendable {
            /// The process sets it in memory.
            case override
            /// The variables of the new process differ.
            case environment
            /// A file is broken, and the process keeps the previous version.
            case broken
            /// The process has rejected the newest version of a file.
            case rejected
            /// An edit has not been loaded.
            case file
            /// The key takes effect only after a restart.
            case restart
            case lock
            /// The new process would not start.
            case fails
        }

        /// Empty if a restart fails because of no single key.
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
        /// True if the written value is the effective one.
        package var isEffective: Bool
        /// The reason if it is not.
        package var remark: String?
        package var generation: UInt64
        /// What a reload has found wrong, as sentences.
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
        /// The keys whose stored values changed, in a stream.
        package var keys: [String]?
        /// The keys of which only values that are not effective changed, in a stream.
        package var shadowed: [String]?
        /// Seconds since 1970.
        package var time: Double?
        /// The changes of the values as the program reads them. A stream has those of each declared key in a set
        /// of its own.
        package var details: [Change]?
        /// The number of further changes, which are not recorded.
        package var omitted: Int?
    }
}
