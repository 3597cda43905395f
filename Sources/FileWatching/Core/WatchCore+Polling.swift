extension WatchCore {
    /// A path to poll and, once polled, its signature.
    struct Look: Sendable {
        var number: Int
        var path: String
        var signature: FileSignature?
    }

    /// Returns the paths to poll now. Polling is left to the caller, because it may take long.
    mutating func looks(now: Instant) -> [Look] {
        schedule.take(at: now).compactMap { number in
            paths[number].map { Look(number: number, path: $0.key.path) }
        }
    }

    /// Compares the polled signatures with the known ones and notes the differences.
    mutating func compare(_ looks: [Look], now: Instant) {
        for look in looks {
            guard let path = paths[look.number], !pending.contains(look.number) else { continue }
            guard look.signature != path.signature else { continue }
            if sense == .inotify {
                suspect(look.number, Suspicion(step: 0, cause: .doubt, source: .poll))
            } else {
                path.polled = look.signature
                note(look.number, from: .poll) { $0.note(look.signature == nil ? .gone : .written, at: now) }
            }
        }
    }
}
