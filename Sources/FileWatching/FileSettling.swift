/// The times to leave a file alone while it is being written, before its change is reported.
///
/// **Writes.** A writer that truncates a file and then writes it leaves an empty file, and then half of one. So after
/// a file has been created, written or truncated in place, the watcher waits until a writer closes it, but never
/// longer than ``limit``. An atomic replacement (rename, link) is reported immediately, even during that wait.
///
/// **Deletions.** A deletion is reported after ``quiet``, so deleting and recreating a file is one event. Files that
/// are deleted together are reported together. If the folder has become another one, because a link now leads
/// elsewhere or another folder was renamed into place, a file that is missing from the new folder is reported
/// immediately.
///
/// **Empty files.** An empty file that a writer has closed is also reported only after ``quiet``. The kernel empties
/// a file before it reports the change, so the next writer may have begun. If the file was already empty when the
/// watcher found it, it is reported after ``longQuiet``.
///
/// **Unnoticed closes.** If the watcher cannot notice the close, it considers a file complete after ``quiet`` without
/// a change, or after ``longQuiet`` if its writer seems to have just begun. For example, the folder of the file was
/// created a moment ago, or the path is polled. If a writer pauses longer, the file may be read in between.
public struct FileSettling: Sendable, Hashable {
    /// The period without a change after which a deleted file is considered absent. A file is also considered
    /// complete after this period if the watcher may not notice its close.
    public var quiet: Duration
    /// The longest time from the first write to its event. It ensures that a file that stays open, such as a log, is
    /// still read.
    ///
    /// `truncate(2)` changes a file without opening it, so that event always takes this long.
    public var limit: Duration
    /// The period that replaces ``quiet`` for a file that is empty, or shorter than before.
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

    /// The default times: 50 ms without a change, 1 s if the file is empty or shorter than before, and at most 10 s
    /// until a writer closes the file.
    public static let standard = FileSettling(quiet: .milliseconds(50), limit: .seconds(10))
    /// No settling. Every change is reported immediately, including half-written files.
    public static let none = FileSettling(quiet: .zero, limit: .zero, longQuiet: .zero)
}
