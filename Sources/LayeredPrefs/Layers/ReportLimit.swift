import PrefsDocuments

/// Limits the diagnostics about one place, such as a value that keeps changing: at most ``limit`` in a ``period``, and
/// always the last one, afterwards.
struct ReportLimit {
    /// The reports that are due.
    struct Due {
        var diagnostics: [PrefsDiagnostic] = []
        /// The time after which ``wake(at:)`` is to be called; `nil` if no further call is needed.
        var wait: Duration?
    }

    static let limit = 20
    static let period = Duration.seconds(60)
    /// The number of places from which on those are forgotten about which nothing has been reported for long.
    private static let placeLimit = 1000

    /// A key's value, or one of its fields, or a file as a whole, in a layer.
    struct Place: Hashable {
        private let field: Substring?
        private let layer: String?
        private let file: String?

        init(_ error: PrefsError) {
            // The elements of one array are one place.
            (field, layer) = (error.key?.prefix { $0 != "[" }, error.origin?.layer)
            file = error.origin?.file
        }
    }

    fileprivate struct History {
        /// The last diagnostic that was passed on.
        var last: PrefsDiagnostic
        /// The times of the last diagnostics.
        var times: [Duration] = []
        var isHeldBack = false
    }

    /// A diagnostic that is held back, and the number of those before it that will not be reported.
    private struct Held {
        let place: Place
        let diagnostic: PrefsDiagnostic
        let skipped: Int
    }

    private var histories: [Place: History] = [:]
    /// The diagnostics that are held back, the last of each place, in their order.
    private var held: [Held] = []
    /// The time for which a call of ``wake(at:)`` was requested.
    private var wakeTime: Duration?

    /// Takes in diagnostics, and returns those to report now.
    mutating func add(_ diagnostics: [PrefsDiagnostic], at now: Duration) -> Due {
        if histories.count > Self.placeLimit {
            histories = histories.filter { $1.isHeldBack || $1.times.contains { $0 + Self.period > now } }
        }
        var due = Due()
        for diagnostic in diagnostics {
            let place = Place(diagnostic.error)
            guard let history = histories[place], history.isHeldBack || history.isExhausted(at: now) else {
                pass(diagnostic, of: place, at: now, into: &due)
                continue
            }
            let replaced = held.firstIndex { $0.place == place }.map { held.remove(at: $0) }
            held.append(
                Held(place: place, diagnostic: diagnostic, skipped: replaced.map { $0.skipped + 1 } ?? 0))
            histories[place]?.isHeldBack = true
        }
        requestWake(at: now, in: &due)
        return due
    }

    /// Returns the diagnostics that were held back and are due.
    mutating func wake(at now: Duration) -> Due {
        var due = Due()
        wakeTime = nil
        let waiting = held
        held = []
        for entry in waiting {
            guard let history = histories[entry.place], !history.isExhausted(at: now) else {
                held.append(entry)
                continue
            }
            histories[entry.place]?.isHeldBack = false
            // It has come back to what was reported last.
            if history.last.says(entry.diagnostic) { continue }
            var diagnostic = entry.diagnostic
            if entry.skipped > 0 {
                diagnostic.error.reason += " (and \(entry.skipped) other reports since the last one)"
            }
            pass(diagnostic, of: entry.place, at: now, into: &due)
        }
        requestWake(at: now, in: &due)
        return due
    }

    private mutating func pass(
        _ diagnostic: PrefsDiagnostic, of place: Place, at now: Duration, into due: inout Due
    ) {
        due.diagnostics.append(diagnostic)
        let times = histories[place]?.times.suffix(Self.limit - 1) ?? []
        histories[place] = History(last: diagnostic, times: times + [now])
    }

    private mutating func requestWake(at now: Duration, in due: inout Due) {
        guard let next = held.compactMap({ histories[$0.place]?.times[0] }).min() else { return }
        let time = next + Self.period
        if let wakeTime, wakeTime <= time { return }
        (wakeTime, due.wait) = (time, time - now)
    }
}

extension ReportLimit.History {
    fileprivate func isExhausted(at now: Duration) -> Bool {
        times.count >= ReportLimit.limit && times[0] + ReportLimit.period > now
    }
}

extension PrefsDiagnostic {
    /// Returns true if both say the same, perhaps about another line.
    fileprivate func says(_ other: PrefsDiagnostic) -> Bool {
        severity == other.severity && error.isSameProblem(as: other.error)
    }
}
