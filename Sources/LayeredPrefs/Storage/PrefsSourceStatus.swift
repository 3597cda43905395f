public import PrefsDocuments
public import FileWatching

/// How one source of preferences — a file, the environment, a dictionary — is doing.
///
/// Its ``description`` is one line for people:
/// `user /home/ada/.config/com.example.myd.plist: generation 12, read 3 s ago, watched by kernel`.
public struct PrefsSourceStatus: Sendable {
    /// The layer it belongs to, once part of a stack.
    public var layer: String?
    /// The file's path, for files.
    public var file: String?
    /// Why what is in force is not what the source says, while it is not.
    public var problem: PrefsError?
    /// When the contents in force were read, for files.
    public var lastGood: ContinuousClock.Instant?
    /// Whether this program may write it.
    public var isWritable: Bool
    /// The generation since which the contents in force are what they are; `nil` where nothing counts, and for
    /// a file of locks, which holds no values.
    public var generation: UInt64?
    /// What tells of the file's changes; ``FileWatcherEngine/polling`` also where the watcher's own engine is
    /// refused or blind. `nil` for what is not watched: memory, the environment, arguments.
    public var engine: FileWatcherEngine?
    /// Why the file is polled although the watcher has a better engine; `nil` if all is well.
    public var engineReason: String?

    /// The time since the contents in force were read, for files.
    public var age: Duration? { lastGood.map { $0.duration(to: .now) } }

    public init(
        layer: String? = nil,
        file: String? = nil,
        problem: PrefsError? = nil,
        lastGood: ContinuousClock.Instant? = nil,
        isWritable: Bool = false,
        generation: UInt64? = nil,
        engine: FileWatcherEngine? = nil,
        engineReason: String? = nil
    ) {
        self.layer = layer
        self.file = file
        self.problem = problem
        self.lastGood = lastGood
        self.isWritable = isWritable
        self.generation = generation
        self.engine = engine
        self.engineReason = engineReason
    }
}

extension PrefsSourceStatus: CustomStringConvertible {
    /// One line: where, since which generation, how old, by what watched, and what is wrong.
    public var description: String {
        let place = [layer, file].compactMap(\.self).joined(separator: " ")
        let facts = [
            generation.map { "generation \($0)" },
            age.map { "read \($0.components.seconds) s ago" },
            engine.map { "watched by \($0)" + (engineReason.map { " (\($0))" } ?? "") },
            problem.map { "problem: \($0.reason)" },
        ]
        let text = facts.compactMap(\.self).joined(separator: ", ")
        return [place, text].filter { !$0.isEmpty }.joined(separator: ": ")
    }
}
