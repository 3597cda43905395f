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
    /// The signature of the file that the path led to when it was last checked, and the time of that check.
    private(set) var current: FileSignature?
    private(set) var checkedAt: Debouncer.Instant?
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

    /// Records the signature of the file that the path leads to as of the round at `now`.
    func recordSignature(_ signature: FileSignature?, at now: Debouncer.Instant) {
        current = signature
        checkedAt = now
    }

    /// Returns the index of the lookup of `name` in the directory of `watch`; nil if there is none.
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
            debouncer.note(signature == nil ? .removed : .written, at: now)
        }
        return isDue(at: now)
    }
}
