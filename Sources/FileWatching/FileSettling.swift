/// The time that a file being written is left alone before its change is reported.
///
/// A writer that truncates and then writes leaves half a file for a moment. After a write, the watcher waits
/// until a writer closes the file or nothing has happened for ``quiet``, but never longer than ``limit``. An
/// atomic replacement (rename, link) is reported immediately; a deletion only after ``quiet``, so that
/// deleting and recreating a file is one event.
public struct FileSettling: Sendable, Hashable {
    /// The period without writes after which a file is considered complete.
    public var quiet: Duration
    /// The longest time from the first write to its event, so that a file written continuously is still read.
    public var limit: Duration

    /// Creates settling times.
    ///
    /// - Precondition: Neither duration is negative.
    public init(quiet: Duration, limit: Duration) {
        precondition(quiet >= .zero && limit >= .zero, "a settling time cannot be negative")
        self.quiet = quiet
        self.limit = limit
    }

    /// 50 ms without writes, 250 ms at most.
    public static let standard = FileSettling(quiet: .milliseconds(50), limit: .milliseconds(250))
    /// No settling: every change is reported immediately, including half-written files.
    public static let none = FileSettling(quiet: .zero, limit: .zero)
}
