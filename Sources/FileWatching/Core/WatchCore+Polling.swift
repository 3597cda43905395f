extension WatchCore {
    /// A path to poll and, once polled, its signature.
    struct Poll: Sendable {
        var number: Int
        var path: String
        var signature: FileSignature?
    }

    /// Returns the paths to poll now. Polling is left to the caller, because it may take long.
    mutating func takeDuePolls(now: Instant) -> [Poll] {
        schedule.take(at: now).compactMap { number in
            paths[number].map { Poll(number: number, path: $0.key.path) }
        }
    }

    /// Compares the polled signatures with the known ones and notes the differences.
    mutating func compare(_ polls: [Poll], now: Instant) {
        for poll in polls {
            guard let path = paths[poll.number], !pending.contains(poll.number) else { continue }
            // The poll may have taken so long that its number belongs to another path.
            guard path.key.path == poll.path else { continue }
            guard poll.signature != path.signature else { continue }
            if mode == .inotify {
                invalidate(poll.number, Invalidation(step: 0, cause: .recheck, source: .poll))
            } else {
                path.polled = poll.signature
                note(poll.signature == nil ? .removed : .written, of: poll.number, from: .poll, at: now)
            }
        }
    }
}
