extension WatchCore {
    /// A path to poll and, once polled, its signature.
    struct Poll: Sendable {
        var number: Int
        var path: String
        var signature: FileSignature?
        /// The invalidation that waits for the answer.
        var invalidation: Invalidation?
    }

    /// Returns true if there are paths to poll now.
    func isPollDue(now: Instant) -> Bool { !unreached.isEmpty || schedule.due.map { $0 <= now } ?? false }

    /// Returns the paths to poll now. Polling is left to the caller, because it may take long.
    mutating func takeDuePolls(now: Instant) -> [Poll] {
        defer { unreached = [:] }
        return schedule.take(at: now).union(unreached.keys).compactMap { number in
            paths[number].map {
                Poll(number: number, path: $0.key.path, invalidation: unreached[number])
            }
        }
    }

    /// Skips the polls that are due now, because the last ones have not ended. The waiting invalidations keep
    /// waiting.
    mutating func skipDuePolls(now: Instant) { _ = schedule.take(at: now) }

    /// Compares the polled signatures with the known ones and notes the differences.
    mutating func compare(_ polls: [Poll], now: Instant) {
        for poll in polls {
            // The poll may have taken so long that its number belongs to another path.
            guard let path = paths[poll.number], path.key.path == poll.path else { continue }
            if let invalidation = poll.invalidation { invalidate(poll.number, invalidation) }
            guard !pending.contains(poll.number), poll.signature != path.signature else { continue }
            if mode == .inotify {
                invalidate(poll.number, Invalidation(step: 0, cause: .recheck, source: .poll))
            } else {
                path.polled = poll.signature
                note(path.write(poll.signature), of: poll.number, from: .poll, at: now)
            }
        }
    }
}
