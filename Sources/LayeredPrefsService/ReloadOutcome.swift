import FoundationEssentials
import LayeredPrefs
import PrefsSystem

/// The outcome of a reload: the changes that have become active since the last reload, and the edits that have
/// not.
struct ReloadOutcome {
    private let activated: ActivatedChanges.Changes
    /// The problems that keep edits from becoming active, each once.
    let problems: [PrefsError]
    /// True if previous contents stay active because of these problems.
    private let keepsPrevious: Bool
    /// The keys that the program is still being asked about.
    private let undecided: [String]

    init(_ activated: ActivatedChanges.Changes, of storage: PrefsStack) {
        self.activated = activated
        let revisions = storage.inactiveRevisions
        var problems: [PrefsError] = []
        for problem in storage.rejections.flatMap(\.problems) where !problems.contains(problem) {
            problems.append(problem)
        }
        self.problems = problems
        keepsPrevious = revisions.contains { $0.extent != .values && $0.extent != .waiting }
        undecided = Set(revisions.filter { $0.extent == .waiting }.flatMap(\.paths).map(\.name)).sorted()
    }

    /// The keys that have changed, sorted.
    var keys: [String] { (activated.keys.union(activated.restarting)).sorted() }

    /// One line: `Reloaded; active since 09:29:51: requestTimeout`, or the rejected edits, or both. It contains no
    /// values, except values that a problem names.
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

/// The changes that have become active since the last reload, except changes that this program has written itself.
final class ActivatedChanges: Sendable {
    struct Changes {
        /// The keys whose new values are active.
        var keys: Set<String> = []
        /// The keys whose new values the program uses after a restart.
        var restarting: Set<String> = []
        /// The time of the newest change.
        var time: Date?
    }

    private let changes = Lock(Changes())

    func add(_ set: PrefsChangeSet) {
        if set.cause == .write || set.changes.isEmpty { return }
        var (keys, restarting): (Set<String>, Set<String>) = ([], [])
        for change in set.changes {
            if change.needsRestart { restarting.insert(change.key) } else { keys.insert(change.key) }
        }
        changes.withLock { [keys, restarting] changes in
            changes.keys.formUnion(keys)
            changes.restarting.formUnion(restarting)
            changes.time = .now
        }
    }

    /// Returns the changes so far, and begins again.
    func take() -> Changes {
        changes.withLock { changes in
            defer { changes = Changes() }
            return changes
        }
    }
}

/// One edit that has been accepted, as it is logged: keys and files, without values.
struct AcceptedEdit {
    let keys: [String]
    let shadowed: [String]
    /// The files that set the keys now, or did before.
    let files: [String]
    let generation: UInt64

    /// Creates the description of a commit; `nil` if this program has written the values itself.
    init?(_ set: PrefsChangeSet) {
        if set.cause == .write { return nil }
        (keys, shadowed, generation) = (set.changes.keys, set.shadowed, set.generation)
        if keys.isEmpty, shadowed.isEmpty { return nil }
        var files: Set<String> = []
        for change in set.changes {
            files.formUnion([change.new, change.old].compactMap(\.origin?.file).prefix(1))
        }
        self.files = files.sorted()
    }

    /// One line: `now using the new version: requestTimeout`.
    var message: String {
        keys.isEmpty
            ? "now using the new version; other layers override \(shadowed.listed)"
            : "now using the new version: \(keys.listed)"
    }
}

extension [String] {
    /// The elements, separated by commas. A long list is cut to the first elements and the number of the others.
    var listed: String {
        let more = count - PrefsLimits.reports
        let shown = prefix(PrefsLimits.reports).joined(separator: ", ")
        return more > 0 ? "\(shown) and \(more) more" : shown
    }
}

extension Date {
    /// The time of day, `09:29:51`, in the time zone of the machine. The date precedes it if it is not today.
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
