public import PrefsDocuments
public import FileWatching
public import FoundationEssentials

/// The state of one source of preferences, such as a file, the environment or a dictionary.
///
/// Its ``description`` is one line for people:
///
/// ```text
/// user /home/ada/.config/com.example.myd.plist: generation 12, read 3 s ago, watched by kernel
/// ```
public struct PrefsSourceStatus: Sendable {
    /// The layer of the source, if the source is part of a stack.
    public var layer: String?
    /// The file's path, if the source is a file.
    public var file: String?
    /// The error that keeps the source's own contents from being effective, or `nil` if there is none.
    public var problem: PrefsError?
    /// The time when the effective contents were read, if the source is a file.
    public var lastGood: ContinuousClock.Instant?
    /// A Boolean value that indicates whether this program may write to the source.
    public var isWritable: Bool
    /// The generation of the last change of the contents.
    ///
    /// The value is `nil` for a source without generations, and for a locks file, which holds no values.
    public var generation: UInt64?
    /// The engine that detects changes to the file.
    ///
    /// The value is ``FileWatcherEngine/polling`` if the watcher's own engine is unavailable, or cannot see
    /// changes to this file. It is `nil` if the source is not watched: memory, the environment and arguments.
    public var engine: FileWatcherEngine?
    /// The reason why the file is polled although the watcher has a better engine, or `nil` if there is none.
    public var engineReason: String?

    /// The newest version, if a stack has rejected it at least partly; `nil` if the newest version is active.
    ///
    /// The stack may have rejected the whole version, some of its values, or the removal of the file.
    public internal(set) var rejection: Rejection?

    /// A version that is not active because it has problems.
    public struct Rejection: Sendable, Hashable {
        /// The time when the rejection began. It stays the same if the next version is rejected, too.
        public let since: Date
        /// The problems, each with file, line and key.
        public let problems: [PrefsError]
        /// A Boolean value that indicates whether the rejected version is the removal of the file.
        ///
        /// The file's last contents stay active, because without them the problems would exist.
        public let isRemoval: Bool
        /// The files whose newest version or removal is not active because of the problems.
        public let files: [String]

        /// One line for each problem, with the time.
        package var lines: [String] {
            problems.map { Self.line("\($0)", since: since, isRemoval: isRemoval) }
        }

        /// Returns the line for a problem.
        package static func line(_ problem: String, since: Date, isRemoval: Bool) -> String {
            "\(isRemoval ? "removal rejected" : "rejected") since \(since.formatted(.iso8601)): \(problem)"
        }
    }

    /// True if the file has changed since it was last read, successfully or not.
    package var isBehind = false

    /// True for a locks file. Its problems change no value, but lock more keys.
    package internal(set) var holdsLocks = false

    /// A remark on the source, such as its connection to a server: `connected to https://a:2379`.
    public var detail: String?

    /// The time since the effective contents were read, if the source is a file.
    public var age: Duration? { lastGood.map { $0.duration(to: .now) } }

    /// Creates a status.
    ///
    /// A storage of your own returns one status for each of its sources.
    public init(
        layer: String? = nil,
        file: String? = nil,
        problem: PrefsError? = nil,
        lastGood: ContinuousClock.Instant? = nil,
        isWritable: Bool = false,
        generation: UInt64? = nil,
        engine: FileWatcherEngine? = nil,
        engineReason: String? = nil,
        detail: String? = nil
    ) {
        self.layer = layer
        self.file = file
        self.problem = problem
        self.lastGood = lastGood
        self.isWritable = isWritable
        self.generation = generation
        self.engine = engine
        self.engineReason = engineReason
        self.detail = detail
    }

    /// True if earlier contents are active because the source cannot be reached now. False if its contents
    /// are wrong.
    var isOnlyOutOfReach: Bool { problem?.code == .unreadable && lastGood != nil }
}

extension PrefsSourceStatus: CustomStringConvertible {
    /// One line with the layer and file, the generation, the age, the engine and the problem, as far as they
    /// apply.
    public var description: String {
        let place = [layer, file].compactMap(\.self).joined(separator: " ")
        let facts = [
            generation.map { "generation \($0)" },
            age.map { "read \($0.components.seconds) s ago" },
            engine.map { "watched by \($0)" + (engineReason.map { " (\($0))" } ?? "") },
            detail,
            problem.map { "problem: \($0.reason)" },
            rejection.map { $0.lines.joined(separator: "; ") },
        ]
        let text = facts.compactMap(\.self).joined(separator: ", ")
        return [place, text].filter { !$0.isEmpty }.joined(separator: ": ").printable
    }
}
