import LayeredPrefs

/// The outcome of a reload.
struct ReloadOutcome {
    /// The keys that changed, sorted.
    let changed: [String]
    /// The problems because of which something new is not in force, each once.
    let problems: [PrefsError]

    init(changed: [String], refusals: [PrefsSourceStatus.Refusal]) {
        self.changed = changed
        var problems: [PrefsError] = []
        for problem in refusals.flatMap(\.problems) where !problems.contains(problem) {
            problems.append(problem)
        }
        self.problems = problems
    }

    /// One line: `Reloaded; nothing changed`, or what was refused.
    var status: String {
        guard let first = problems.first else {
            return switch changed.count {
            case 0: "Reloaded; nothing changed"
            case 1: "Reloaded; 1 key changed"
            default: "Reloaded; \(changed.count) keys changed"
            }
        }
        let more = problems.count > 1 ? " (and \(problems.count - 1) more)" : ""
        return "Refused the new settings, the earlier ones stay: \(first)\(more)"
    }
}
