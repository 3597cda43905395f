import PrefsSystem

/// The paths to poll and the times to poll them. Pure: time is passed in.
///
/// All paths of one pace are polled together, so that an idle process wakes once, not once per path.
struct PollSchedule: Sendable {
    typealias Instant = ContinuousClock.Instant

    enum Pace: Sendable, Equatable {
        /// The only way to notice a change.
        case only
        /// The safety net in addition to inotify.
        case safety(Duration)
    }

    private struct Round: Sendable {
        let pace: Pace
        var paths: Set<Int> = []
        var due: Instant
    }

    /// One round for each pace. There are few paces.
    private var rounds: [Round] = []

    /// The time of the next poll; `nil` if there is none.
    var due: Instant? {
        rounds.reduce(nil) { earliest($0, $1.due) }
    }

    mutating func add(_ path: Int, at pace: Pace, now: Instant) {
        if let index = rounds.firstIndex(where: { $0.pace == pace }) {
            rounds[index].paths.insert(path)
        } else {
            rounds.append(Round(pace: pace, paths: [path], due: now + Self.interval(pace, paths: 1)))
        }
    }

    mutating func remove(_ path: Int, from pace: Pace) {
        guard let index = rounds.firstIndex(where: { $0.pace == pace }) else { return }
        rounds[index].paths.remove(path)
        if rounds[index].paths.isEmpty { rounds.remove(at: index) }
    }

    /// Returns the paths to poll now, and schedules their next poll.
    mutating func take(at now: Instant) -> Set<Int> {
        var duePaths: Set<Int> = []
        for (index, round) in rounds.enumerated() where round.due <= now {
            duePaths.formUnion(round.paths)
            rounds[index].due = now + Self.interval(round.pace, paths: round.paths.count)
        }
        return duePaths
    }

    /// Returns the interval for a number of paths. A poll costs some microseconds per path. With many paths it
    /// is done less often, so that it stays below about 1 % of one core.
    static func interval(_ pace: Pace, paths: Int) -> Duration {
        switch pace {
        case .only: min(max(.milliseconds(250), .microseconds(400) * paths), .seconds(30))
        case .safety(let interval): interval.clamped
        }
    }
}
