/// Which paths are looked at, and when. Pure: time is passed in.
///
/// All paths of one pace are looked at together, so that an idle process wakes once, not once for each path.
struct PollSchedule: Sendable {
    typealias Instant = ContinuousClock.Instant

    enum Pace: Sendable, Hashable {
        /// The only way to notice a change.
        case only
        /// The safety net beside inotify.
        case safety(Duration)
    }

    private struct Round: Sendable {
        var paths: Set<Int> = []
        var due: Instant
    }

    private var rounds: [Pace: Round] = [:]

    /// When to look next; nil if never.
    var due: Instant? {
        rounds.values.reduce(nil) { earliest($0, $1.due) }
    }

    mutating func add(_ path: Int, at pace: Pace, now: Instant) {
        rounds[pace, default: Round(due: now + Self.interval(pace, paths: 1))].paths.insert(path)
    }

    mutating func remove(_ path: Int, from pace: Pace) {
        rounds[pace]?.paths.remove(path)
        if rounds[pace]?.paths.isEmpty == true { rounds[pace] = nil }
    }

    /// The paths to look at now.
    mutating func take(at now: Instant) -> Set<Int> {
        var ripe: Set<Int> = []
        for (pace, round) in rounds where round.due <= now {
            ripe.formUnion(round.paths)
            rounds[pace]?.due = now + Self.interval(pace, paths: round.paths.count)
        }
        return ripe
    }

    /// Looking costs some microseconds for each path: with many paths it is done less often, so that it
    /// stays below about a hundredth of one core.
    static func interval(_ pace: Pace, paths: Int) -> Duration {
        switch pace {
        case .only: min(max(.milliseconds(250), .microseconds(400) * paths), .seconds(30))
        case .safety(let interval): interval
        }
    }
}
