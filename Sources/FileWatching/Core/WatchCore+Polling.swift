extension WatchCore {
    /// A path to look at, and later what was seen.
    struct Look: Sendable {
        var number: Int
        var path: String
        var signature: FileSignature?
    }

    /// What is to be looked at now. Looking is left to the caller, since it may take long.
    mutating func looks(now: Instant) -> [Look] {
        schedule.take(at: now).compactMap { number in
            paths[number].map { Look(number: number, path: $0.key.path) }
        }
    }

    /// Compares what was seen with what was known.
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
