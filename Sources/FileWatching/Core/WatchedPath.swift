/// One path with everything known about it: how it was resolved, what is watched for it, what is pending.
///
/// A class, because it is large and changed in place; it never leaves the core.
final class WatchedPath {
    /// Paths that agree in all of this are one.
    struct Key: Sendable, Hashable {
        var path: String
        var settling: FileSettling
        var safetyPoll: Duration?
    }

    /// A lookup that was made, and how to make it again.
    struct Step: Sendable {
        /// The walk just before the lookup.
        var walk: PathWalk
        var lookup: PathWalk.Lookup
        /// The watch on the directory, if it could be had.
        var watch: Int32?
        var problem: Problem?
        var isLink = false
    }

    /// The inode the path leads to.
    struct End: Sendable {
        var isDirectory: Bool
        /// How many names the inode has.
        var links: Int
        var signature: FileSignature?
        var watch: Int32?
        var problem: Problem?
    }

    let key: Key
    var subscriptions: [Subscription] = []
    var steps: [Step] = []
    var end: End?
    /// Why inotify does not see all changes although everything is watched.
    var blindness: Problem?
    /// What the last event, or the beginning, showed.
    var signature: FileSignature?
    /// What polling saw last, which may not have settled yet.
    var polled: FileSignature?
    /// What the path led to when it was last looked at, and when that was.
    private(set) var current: FileSignature?
    private(set) var signed: Settler.Instant?
    var settler: Settler
    /// How the pending change was noticed.
    var source = FileEvent.Source.inotify
    var pace: PollSchedule.Pace?

    init(_ key: Key) {
        self.key = key
        settler = Settler(key.settling)
    }

    /// Why it is polled although there is inotify.
    var problem: Problem? { refusal ?? blindness }

    /// The first watch that could not be had.
    var refusal: Problem? {
        steps.first { $0.problem != nil }?.problem ?? end?.problem
    }

    /// Whether there is an event to be sent.
    func isRipe(at now: Settler.Instant) -> Bool {
        settler.due.map { $0 <= now } ?? false
    }

    /// The path leads to something with this signature as of the turn at `now`.
    func sign(_ signature: FileSignature?, at now: Settler.Instant) {
        current = signature
        signed = now
    }

    /// The lookup through which `watch` sees `name`.
    func step(of watch: Int32, name: String) -> Int {
        steps.firstIndex { $0.watch == watch && $0.lookup.name == name } ?? 0
    }

    func uses(_ watch: Int32, name: String) -> Bool {
        steps.contains { $0.watch == watch && $0.lookup.name == name }
    }

    /// The kernel ended a watch.
    func lose(_ watch: Int32) {
        for index in steps.indices where steps[index].watch == watch { steps[index].watch = nil }
        if end?.watch == watch { end?.watch = nil }
    }

    /// Whether a polled path looks the same twice. Nobody tells it that writing goes on.
    func hasSettled(_ signature: FileSignature?, now: Settler.Instant) -> Bool {
        if signature != polled {
            polled = signature
            settler.note(signature == nil ? .gone : .written, at: now)
        }
        return isRipe(at: now)
    }
}
