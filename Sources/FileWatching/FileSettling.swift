/// How long a file that is being written is left alone before its change is reported.
///
/// A writer that truncates and writes leaves half a file behind for a moment. After a write the watcher
/// waits until the file is closed by a writer, or nothing happened for ``quiet``, and never longer than
/// ``limit``. An atomic replace (rename, link) is reported at once; a disappearance only after ``quiet``, so
/// that delete and recreate are one event.
public struct FileSettling: Sendable, Hashable {
    /// Silence after which a file counts as written.
    public var quiet: Duration
    /// The longest time from a first write to its event, so that a file written for ever is still read.
    public var limit: Duration

    /// - Precondition: neither is negative.
    public init(quiet: Duration, limit: Duration) {
        precondition(quiet >= .zero && limit >= .zero, "a settling time cannot be negative")
        self.quiet = quiet
        self.limit = limit
    }

    /// 50 ms of silence, 250 ms at most.
    public static let standard = FileSettling(quiet: .milliseconds(50), limit: .milliseconds(250))
    /// Reports every change at once, half-written files included.
    public static let none = FileSettling(quiet: .zero, limit: .zero)
}
