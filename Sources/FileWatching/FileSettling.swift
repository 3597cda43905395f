/// The time that a file being written is left alone before its change is reported.
///
/// A writer that truncates and then writes leaves an empty file, and then half of one. After a file has been
/// created, written or truncated in place, the watcher waits until a writer closes it, but never longer than
/// ``limit``. An atomic replacement (rename, link) is reported immediately, even during that wait.
///
/// A deletion is reported after ``quiet``, so that deleting and recreating a file is one event. Files that are deleted
/// together are reported together. If the folder is another one, because a link now leads to it or it was renamed into
/// place, a file that is missing from it is reported immediately.
///
/// A file that a writer has closed and that is empty is reported after ``quiet``, too: the kernel empties a file before it
/// reports that, so the next writer may have begun.
///
/// If the close cannot be noticed, a file is considered complete when nothing has happened for ``quiet``, or for
/// ``longQuiet`` if it looks as if its writer had just begun. For example, the folder of the file was created a moment ago, or
/// the path is polled. A writer that pauses longer may then be read in between.
public struct FileSettling: Sendable, Hashable {
    /// The period without a change after which a file is considered complete whose close may not be noticed, and
    /// a deleted file is considered absent.
    public var quiet: Duration
    /// The longest time from the first write to its event, so that a file that stays open, such as a log, is
    /// still read. A file that is changed by `truncate(2)` is not open, and its event always takes this long.
    public var limit: Duration
    /// The period that takes the place of ``quiet`` for a file that is empty, or shorter than before.
    public var longQuiet: Duration

    /// Creates settling times.
    ///
    /// - Precondition: No duration is negative.
    public init(quiet: Duration, limit: Duration, longQuiet: Duration = .seconds(1)) {
        precondition(
            quiet >= .zero && limit >= .zero && longQuiet >= .zero, "a settling time cannot be negative")
        self.quiet = quiet
        self.limit = limit
        self.longQuiet = longQuiet
    }

    /// 50 ms without a change, 1 s if the file is empty or shorter than before; 10 s until a writer closes it.
    public static let standard = FileSettling(quiet: .milliseconds(50), limit: .seconds(10))
    /// No settling: every change is reported immediately, including half-written files.
    public static let none = FileSettling(quiet: .zero, limit: .zero, longQuiet: .zero)
}
