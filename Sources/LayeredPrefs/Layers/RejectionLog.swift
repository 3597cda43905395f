import PrefsDocuments

/// The rejected values already reported, so that each bad version is reported once, and its recovery once.
///
/// For an integer key, one layer's successive values give these diagnostics:
///
/// | value             | diagnostic  | why                           |
/// |-------------------|-------------|-------------------------------|
/// | `"many"`          | `error`     | the first bad version         |
/// | `"many"` again    | none        | the same version              |
/// | `"more"`          | `error`     | another bad version           |
/// | `1`, or removed   | `recovered` | no longer a bad value         |
///
/// It checks the keys that were declared or read. A value that
/// flips between versions is reported at most ``limit`` times in a ``period``; what it is in the end is
/// reported afterwards.
struct RejectionLog {
    /// Returns the rejected candidates of one key in a snapshot.
    typealias Check = @Sendable (PrefsSnapshot) -> [RejectedValue]
    typealias ReportedRejection = (value: PrefsValue?, error: PrefsError)

    /// The most diagnostics about one value in a ``period``.
    static let limit = 20
    static let period = Duration.seconds(60)
    /// The number of keys from which on reading one does not register it.
    private static let readLimit = 10_000

    /// A candidate's place: the value of a key, or one of its fields, in a layer's file.
    fileprivate struct Place: Hashable {
        let field: Substring?
        let layer: String?
        let file: String?
    }

    /// The state of one candidate.
    fileprivate struct History {
        /// The version that was reported last; `nil` if the value was accepted.
        var reported: ReportedRejection?
        /// The value's present version; `nil` if it is accepted.
        var present: ReportedRejection?
        /// The times of the last diagnostics.
        var times: [Duration] = []
        /// The number of changes that were not reported.
        var heldBack = 0
    }

    /// The diagnostics to send.
    struct Report {
        var rejected: [PrefsError] = []
        var recovered: [PrefsError] = []
        /// The time after which ``wake(at:)`` is to be called; `nil` if no further call is needed.
        var wait: Duration?

        mutating func append(_ other: Report) {
            rejected += other.rejected
            recovered += other.recovered
            wait = [wait, other.wait].compactMap(\.self).min()
        }
    }

    /// A key that is checked.
    struct Checked: Sendable {
        let name: PrefsKeyName
        let check: Check
    }

    private var checks = KeyTrie<Checked>()
    /// The generation in which each declared key was checked last.
    private var checked: [String: UInt64] = [:]
    private var histories: [String: [Place: History]] = [:]
    /// The keys with a version that is held back.
    private var waiting: Set<String> = []
    /// The time for which a call of ``wake(at:)`` was requested.
    private var wakeTime: Duration?

    /// Registers a key for checking at every commit.
    mutating func declare(_ name: PrefsKeyName, _ check: @escaping Check) {
        guard checked.updateValue(checked[name.name] ?? 0, forKey: name.name) == nil else { return }
        checks.add(Checked(name: name, check: check), at: name.paths)
    }

    /// Registers a key that is read, unless there are so many that they are probably made at run time; returns true if
    /// it was not registered.
    mutating func noteRead(_ name: PrefsKeyName, _ check: @escaping Check) -> Bool {
        guard checked[name.name] == nil, checked.count < Self.readLimit else { return false }
        declare(name, check)
        return true
    }

    /// Returns true if a key was checked in this generation or a later one.
    func isChecked(_ key: String, at generation: UInt64) -> Bool {
        checked[key].map { $0 >= generation && $0 > 0 } ?? false
    }

    /// The number of keys with a rejected candidate.
    var rejectedKeyCount: Int {
        histories.values.count { $0.values.contains { $0.present != nil } }
    }

    /// Notes that a key is about to be checked.
    mutating func noteCheck(of key: String, at generation: UInt64) {
        checked[key] = max(generation, checked[key] ?? 0)
    }

    /// The checks of all registered keys, in the order of their declaration.
    var allChecks: [Check] { checks.all.map(\.check) }

    /// True if no key is registered.
    var isIdle: Bool { checks.isEmpty }

    /// Returns the checks of the registered keys that a commit touches.
    func checks(touchedBy dirty: PathList) -> [Checked] { checks.elements(touchedBy: dirty) }
}

extension RejectionLog {
    /// Takes in the rejected candidates of a key, and returns what to report.
    mutating func update(
        _ key: String, with rejections: [ReportedRejection], at now: Duration
    ) -> Report {
        var histories = self.histories.removeValue(forKey: key) ?? [:]
        if histories.isEmpty, rejections.isEmpty { return Report() }
        for place in histories.keys { histories[place]?.present = nil }
        var order: [Place] = []
        for rejection in rejections {
            let origin = rejection.error.origin
            let place = Place(
                field: rejection.error.key?.prefix { $0 != "[" }, layer: origin?.layer, file: origin?.file)
            histories[place, default: History()].present = rejection
            order.append(place)
        }
        let others = Set(histories.keys).subtracting(order)
        return report(key, &histories, order + others, at: now) { $0.heldBack += 1 }
    }

    /// Returns the reports that were held back and are due.
    mutating func wake(at now: Duration) -> Report {
        var report = Report()
        wakeTime = nil
        for key in waiting {
            var histories = self.histories.removeValue(forKey: key) ?? [:]
            report.append(self.report(key, &histories, Array(histories.keys), at: now) { _ in })
        }
        return report
    }

    private mutating func report(
        _ key: String, _ histories: inout [Place: History], _ places: [Place], at now: Duration,
        _ holdBack: (inout History) -> Void
    ) -> Report {
        var report = Report()
        waiting.remove(key)
        for place in places {
            guard var history = histories[place] else { continue }
            if history.isReported {
                // It may have moved to another line.
                (history.reported, history.heldBack) = (history.present, 0)
            } else if let due = history.timeOfNextReport, due > now {
                holdBack(&history)
                waiting.insert(key)
                if wakeTime.map({ due < $0 }) ?? true { (wakeTime, report.wait) = (due, due - now) }
            } else {
                history.report(at: now, in: &report)
            }
            histories[place] = history.isForgettable(at: now) ? nil : history
        }
        self.histories[key] = histories.isEmpty ? nil : histories
        return report
    }
}

extension RejectionLog.History {
    /// True if the present version is the one that was reported last.
    fileprivate var isReported: Bool {
        guard let reported, let present else { return reported == nil && present == nil }
        return RejectionLog.isSameVersion(reported, present)
    }

    /// The time at which the next diagnostic may be sent; `nil` if it may be sent now.
    fileprivate var timeOfNextReport: Duration? {
        times.count < RejectionLog.limit ? nil : times[0] + RejectionLog.period
    }

    fileprivate mutating func report(at now: Duration, in report: inout RejectionLog.Report) {
        if var error = present?.error {
            if heldBack > 1 { error.reason += " (and \(heldBack - 1) other versions since the last report)" }
            report.rejected.append(error)
        } else if var error = reported?.error {
            error.reason = "no longer rejected"
            report.recovered.append(error)
        }
        times = times.suffix(RejectionLog.limit - 1) + [now]
        (reported, heldBack) = (present, 0)
    }

    /// True if nothing depends on the history any more.
    fileprivate func isForgettable(at now: Duration) -> Bool {
        reported == nil && present == nil && times.allSatisfy { $0 + RejectionLog.period <= now }
    }
}

extension RejectionLog {
    /// Returns true if two rejections are for the same fault of the same value, even if worded differently.
    ///
    /// Without a value, as where a non-dictionary blocks the key's path, only the reason identifies the
    /// version.
    static func isSameVersion(_ old: ReportedRejection, _ new: ReportedRejection) -> Bool {
        old.value == new.value && old.error.code == new.error.code
            && (new.value != nil || old.error.reason == new.error.reason)
    }
}
