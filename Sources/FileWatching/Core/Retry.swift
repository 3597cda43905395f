import PrefsSystem

/// The times to retry inotify after a failure. Pure: time is passed in.
struct Retry: Sendable, Hashable {
    typealias Instant = ContinuousClock.Instant

    private(set) var due: Instant?
    private var backoff = Backoff()

    /// Schedules the first retry after a failure at `now`, unless one is already scheduled.
    mutating func begin(at now: Instant) {
        due = due ?? now + backoff.next()
    }

    /// Returns true if a retry is due, and schedules the next one after a longer interval.
    mutating func take(at now: Instant) -> Bool {
        guard let due, due <= now else { return false }
        self.due = now + backoff.next()
        return true
    }

    /// Stops retrying, because nothing fails any more.
    mutating func end() {
        self = Retry()
    }
}
