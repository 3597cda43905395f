/// How one source of preferences — a file, the environment, a dictionary — is doing.
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

    public init(
        layer: String? = nil,
        file: String? = nil,
        problem: PrefsError? = nil,
        lastGood: ContinuousClock.Instant? = nil,
        isWritable: Bool = false
    ) {
        self.layer = layer
        self.file = file
        self.problem = problem
        self.lastGood = lastGood
        self.isWritable = isWritable
    }
}
