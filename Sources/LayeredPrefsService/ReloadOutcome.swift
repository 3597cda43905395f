import FoundationEssentials
import LayeredPrefs
import PrefsSystem

/// The outcome of a reload: what has become active since the last one, and what of the newest revisions is not active.
struct ReloadOutcome {
    private let activated: ActivatedChanges.Changes
    /// The problems because of which something new is not active, each once.
    let problems: [PrefsError]
    /// True if something that was active before is kept because of them.
    private let keepsPrevious: Bool
    /// The keys that the program is still being asked about.
    private let undecided: [String]

    init(_ activated: ActivatedChanges.Changes, of storage: LayeredPrefsStorage) {
        self.activated = activated
        let revisions = storage.inactiveRevisions
        var problems: [PrefsError] = []
        for problem in storage.refusals.flatMap(\.problems) where !problems.contains(problem) {
            problems.append(problem)
        }
        self.problems = problems
        keepsPrevious = revisions.contains { $0.extent != .values && $0.extent != .waiting }
        undecided = Set(revisions.filter { $0.extent == .waiting }.flatMap(\.paths).map(\.name)).sorted()
    }

    /// The keys that have changed, sorted.
    var keys: [String] { (activated.keys.union(activated.restarting)).sorted() }

    /// One line: `Reloaded; active since 09:29:51: requestTimeout`, or what was rejected, or both. It contains no values but
    /// those that a problem names.
    var status: String {
        var facts: [String] = []
        if let time = activated.time {
            if !activated.keys.isEmpty {
                facts.append("active since \(time.clockTime): \(activated.keys.sorted().listed)")
            }
            if !activated.restarting.isEmpty {
                facts.append("active after a restart: \(activated.restarting.sorted().listed)")
            }
        }
        if !undecided.isEmpty { facts.append("waiting for the program: \(undecided.listed)") }
        if let first = problems.first {
            let more = problems.count > 1 ? " (and \(problems.count - 1) more)" : ""
            facts.append("rejected: \(first)\(more)\(keepsPrevious ? "; keeping the previous version" : "")")
        }
        return "Reloaded; \(facts.isEmpty ? "nothing changed" : facts.joined(separator: "; "))"
    }
}

extension [String] {
    /// The elements, separated by commas; of very many the first ones and the number of the others.
    var listed: String {
        let more = count - PrefsLimits.reports
        let shown = prefix(PrefsLimits.reports).joined(separator: ", ")
        return more > 0 ? "\(shown) and \(more) more" : shown
    }
}

extension Date {
    /// The time of the day, `09:29:51`, in the time zone of the machine; with the date if that is not today's.
    fileprivate var clockTime: String {
        let (text, now) = (localTime, Date.now.localTime)
        return text.day == now.day ? text.time : "\(text.day) \(text.time)"
    }

    private var localTime: (day: String, time: String) {
        var (seconds, local) = unsafe (time_t(timeIntervalSince1970), tm())
        unsafe localtime_r(&seconds, &local)
        let day = unsafe [1900 + local.tm_year, local.tm_mon + 1, local.tm_mday]
        let time = unsafe [local.tm_hour, local.tm_min, local.tm_sec]
        func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return (day.map(padded).joined(separator: "-"), time.map(padded).joined(separator: ":"))
    }
}
