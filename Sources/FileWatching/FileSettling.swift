/// The time that a file being written is left alone before its change is reported.
///
/// A writer that truncates and then writes leaves an empty file, and then half of one. After a file has been
/// written or truncated in place, the watcher waits until a writer closes it, but never longer than ``limit``.
/// An atomic replacement (rename, link) is reported immediately, also during that wait; a deletion only after
/// ``quiet``, so that deleting and recreating a file is one event.
///
/// Where the close may not be noticed, a file is considered complete when nothing has happened for ``quiet``:
/// if it has just been created, and wherever it is polled. A writer that pauses longer may then be read in
/// between.
public struct FileSettling: Sendable, Hashable {
    /// The period without a change after which a file is considered complete whose close may not be noticed, and
    /// a deleted file is considered absent.
    public var quiet: Duration
    /// The longest time from the first write to its event, so that a file that stays open, such as a log, is
    /// still read. A file that is changed by `truncate(2)` is not open, and its event always takes this long.
    public var limit: Duration

    /// Creates settling times.
    ///
    /// - Precondition: Neither duration is negative.
    public init(quiet: Duration, limit: Duration) {
        precondition(quiet >= .zero && limit >= .zero, "a settling time cannot be negative")
        self.quiet = quiet
        self.limit = limit
    }

    /// 50 ms without a change; 10 s until a writer closes the file.
    public static let standard = FileSettling(quiet: .milliseconds(50), limit: .seconds(10))
    /// No settling: every change is reported immediately, including half-written files.
    public static let none = FileSettling(quiet: .zero, limit: .zero)
}
