/// When inotify is tried again after it refused something. Pure: time is passed in.
struct Retry: Sendable, Hashable {
    typealias Instant = ContinuousClock.Instant

    private(set) var due: Instant?
    private var interval = Self.first

    private static let first = Duration.seconds(1)
    private static let longest = Duration.seconds(60)

    /// Something is refused as of `now`.
    mutating func begin(at now: Instant) {
        due = due ?? now + interval
    }

    /// Whether it is time; the next time comes later each time.
    mutating func take(at now: Instant) -> Bool {
        guard let due, due <= now else { return false }
        interval = min(interval * 2, Self.longest)
        self.due = now + interval
        return true
    }

    /// Nothing is refused any more.
    mutating func end() {
        self = Retry()
    }
}
