import PrefsSystem

/// The state of one path: how it was resolved, the watches it uses, and its pending event.
///
/// A class, because it is large and changed in place; it never leaves the core.
final class WatchedPath {
    /// The identity of a watched path: subscriptions with equal keys share one.
    struct Key: Sendable, Equatable {
        var path: String
        var settling: FileSettling
        var safetyPoll: Duration?

        /// Compares the bytes of the paths: strings that differ only in their Unicode normalization are equal, but
        /// name two files.
        static func == (lhs: Key, rhs: Key) -> Bool {
            lhs.path.utf8.elementsEqual(rhs.path.utf8) && lhs.settling == rhs.settling
                && lhs.safetyPoll == rhs.safetyPoll
        }
    }

    /// A lookup that was made, and the state needed to repeat it.
    struct Step: Sendable {
        /// The walk just before the lookup.
        var walk: PathWalk
        var lookup: PathWalk.Lookup
        /// The watch on the directory, if it could be added.
        var watch: Int32?
        var problem: Problem?
        var isLink = false
        /// True if nothing follows the looked-up name in the path.
        var isLast: Bool { walk.isLast }
    }

    /// The inode the path leads to.
    struct End: Sendable {
        var isDirectory: Bool
        /// The number of names (hard links) of the inode.
        var links: Int
        var signature: FileSignature?
        var watch: Int32?
        var problem: Problem?
    }

    /// How far the revision of the file has been established before its event.
    enum Check: Sendable {
        /// Something has happened since the signature was taken.
        case outdated
        /// The signature was taken, but events that were queued before may still be unread.
        case taken
        /// All events that were queued before the signature was taken have been read, and none was about the path.
        case confirmed
    }

    let key: Key
    var subscriptions: [Subscription] = []
    var steps: [Step] = []
    var end: End?
    /// The reason why inotify does not see all changes although everything is watched.
    var unreliableReason: Problem?
    /// The signature at the last event or, before the first one, when watching began.
    var signature: FileSignature?
    /// The signature last polled, which may not have settled yet.
    var polled: FileSignature?
    /// The signature of the file at the end of the path, from the last check.
    private(set) var current: FileSignature?
    /// How far ``current`` can be trusted.
    private(set) var check = Check.outdated
    /// The watches on the folders where the file was last found: the folder of the path's last name, and then
    /// the folders of the last names of the links on the path.
    private var folders: [Int32?] = []
    var debouncer: Debouncer
    /// The source of the pending event.
    var source = FileEvent.Source.inotify
    var pace: PollSchedule.Pace?

    init(_ key: Key) {
        self.key = key
        debouncer = Debouncer(key.settling)
    }

    /// The reason for polling the path although inotify is in use.
    var problem: Problem? { rejection ?? unreliableReason }

    /// The problem of the first watch that could not be added.
    var rejection: Problem? {
        steps.first { $0.problem != nil }?.problem ?? end?.problem
    }

    /// Returns true if an event is due.
    func isDue(at now: Debouncer.Instant) -> Bool {
        debouncer.due.map { $0 <= now } ?? false
    }

    /// Notes a change of the content.
    func note(_ change: Debouncer.Change, at now: Debouncer.Instant) {
        debouncer.note(change, at: now)
        check = .outdated
    }

    /// Records the signature of the file that the path leads to now.
    func recordSignature(_ signature: FileSignature?) {
        current = signature
        check = .taken
        guard end != nil else { return }
        let found = steps.lazy.filter(\.isLast).map(\.watch)
        if !folders.elementsEqual(found) { folders = Array(found) }
    }

    /// Confirms the signature until something happens. The caller then reads the events that were queued before
    /// the signature was taken.
    func confirmSignature() { check = .confirmed }

    /// Delays the event of an empty file, even if a writer has closed the file: the next writer may have begun.
    ///
    /// The kernel first empties a file, and reports that afterwards. If a file was empty when its watch was
    /// added, the kernel has not reported anything.
    func waitIfEmpty(at now: Debouncer.Instant) {
        guard !debouncer.isSettling, let current, current.isOfEmptyFile else { return }
        note(current == end?.signature ? .begun : .written, at: now)
    }

    /// Returns whether a revision of the file is whole, as far as the watcher knows.
    func knowledge(of version: FileSignature?) -> FileWatch.Knowledge {
        if debouncer.isBeingWritten { return .unfinished }
        if debouncer.isSettling { return .doubtful }
        let isReported = version == signature && debouncer.due == nil
        if !isReported, version?.isOfEmptyFile == true { return .doubtful }
        if version == signature { return .whole }
        return pace == .only ? .unpolled : .unknown
    }

    /// True if the path leads into a folder other than the one where the file was last found.
    var isInOtherFolder: Bool {
        guard let last = steps.last, last.isLast, let watch = last.watch else { return false }
        // If a link on the path is missing, the path ends in the folder of that link.
        let index = min(steps.lazy.filter(\.isLast).count, folders.count) - 1
        guard folders.indices.contains(index), let folder = folders[index] else { return false }
        return watch != folder
    }

    /// Returns the change for a file that was found in another revision, and may still be written.
    func write(_ end: End) -> Debouncer.Change { end.signature.map(write) ?? .written }

    /// Returns the change for a file that was found with another signature.
    func write(_ signature: FileSignature?) -> Debouncer.Change {
        guard let signature else { return .removed }
        return signature.size < max(1, self.signature?.size ?? 0) ? .begun : .written
    }

    /// Returns the change for a new file that no writer has closed yet.
    ///
    /// Nobody closes a file that was made without a name (`O_TMPFILE`) and then linked. Such a file has contents.
    static func creation(of end: End) -> Debouncer.Change { end.signature?.size == 0 ? .modified : .created }

    /// Returns the index of the lookup of `name` in the directory of `watch`; `nil` if there is none.
    func step(of watch: Int32, name: RawPath) -> Int? {
        steps.firstIndex { $0.watch == watch && $0.lookup.name == name }
    }

    /// Forgets a watch that the kernel ended.
    func forget(_ watch: Int32) {
        for index in steps.indices where steps[index].watch == watch { steps[index].watch = nil }
        if end?.watch == watch { end?.watch = nil }
    }

    /// Returns true if a polled path had the same signature twice. Polling has no other way to notice that a
    /// write is still going on.
    func hasSettled(_ signature: FileSignature?, now: Debouncer.Instant) -> Bool {
        if signature != polled {
            polled = signature
            note(write(signature), at: now)
        }
        return isDue(at: now)
    }
}
