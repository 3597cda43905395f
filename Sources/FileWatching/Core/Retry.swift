/// The times at which inotify is retried after a failure. Pure: time is passed in.
struct Retry: Sendable, Hashable {
    typealias Instant = ContinuousClock.Instant

    private(set) var due: Instant?
    private var interval = Self.first

    private static let first = Duration.seconds(1)
    private static let longest = Duration.seconds(60)

    /// Schedules the first retry after a failure at `now`, unless one is already scheduled.
    mutating func begin(at now: Instant) {
        due = due ?? now + interval
    }

    /// Returns true if a retry is due, and schedules the next one after twice the interval.
    mutating func take(at now: Instant) -> Bool {
        guard let due, due <= now else { return false }
        interval = min(interval * 2, Self.longest)
        self.due = now + interval
        return true
    }

    /// Stops retrying, because nothing fails any more.
    mutating func end() {
        self = Retry()
    }
}
