import LayeredPrefs
import LayeredPrefsInspection

/// The effect of a supposed change of the configuration on one key.
struct Consequence {
    let old: KeyReport
    let new: KeyReport
    /// The values of supposed files that would not be effective because they would be rejected or locked out.
    let rejected: [PrefsExplanation.Row]
    /// The values of other files that would newly be locked out.
    let lockedOut: [PrefsExplanation.Row]

    var key: String { new.key }
    var isChange: Bool { old.value != new.value }
    /// True if there is anything to report about the key.
    var isNotable: Bool { isChange || !rejected.isEmpty || !lockedOut.isEmpty }
}

extension Stack {
    /// Returns the differences to a stack with suppositions, sorted by key.
    func consequences(in other: Stack, of suppositions: [Supposition]) -> [Consequence] {
        let paths = suppositions.files
        let (now, then) = (storage.snapshot, other.storage.snapshot)
        let names = Set(reports(under: "", in: now).map(\.key))
            .union(other.reports(under: "", in: then).map(\.key))
        return names.sorted().compactMap { name in
            let (before, after) = (explanation(of: name, in: now), other.explanation(of: name, in: then))
            let known = Set(before.rows.filter { $0.role == .lockedOut }.map(\.origin))
            let consequence = Consequence(
                old: report(for: name, in: now), new: other.report(for: name, in: then),
                rejected: after.rows.filter { $0.isRejected(of: paths) },
                lockedOut: after.rows.filter { row in
                    row.role == .lockedOut && !row.isRejected(of: paths) && !known.contains(row.origin)
                })
            return consequence.isNotable ? consequence : nil
        }
    }

    func explanation(of name: String, in snapshot: PrefsSnapshot) -> PrefsExplanation {
        declared?[name].map { snapshot.explanation(for: $0) } ?? snapshot.explanation(forKey: name)
    }
}

extension PrefsExplanation.Row {
    /// Returns true if the value is in one of the files and is rejected or locked out.
    func isRejected(of paths: Set<String>) -> Bool {
        guard let file = origin.file, paths.contains(file) else { return false }
        switch role {
        case .rejected, .lockedOut: return true
        case .winner, .shadowed: return false
        }
    }
}

extension Consequence {
    func print(_ style: Style) {
        if isChange {
            let lock = new.lock.map { ", locked by \($0.origin.place)" } ?? ""
            Output.print(
                "  \(style(key, .bold)): \(shown(old)) → \(style(shown(new), .green)) \(style("(\(new.place)\(lock))", .dim))"
            )
        }
        for row in lockedOut {
            Output.print("  \(style(key, .bold)): \(style("locks out \(row.origin.place)", .yellow))")
        }
        for row in rejected {
            Output.print("! \(style(key, .bold)): \(style("\(row.origin.place): \(row.role.verdict)", .red))")
        }
    }

    private func shown(_ report: KeyReport) -> String {
        report.value == nil ? "none" : report.withoutSecrets.shown()
    }

    var json: OrderedJSON {
        .object([
            ("key", .string(key)), ("old", hiding(old)), ("new", hiding(new)),
            ("origin", OrderedJSON(new.origin?.place)), ("lock", OrderedJSON(new.lock?.origin.place)),
            ("lockedOut", .array(lockedOut.map { .string($0.origin.place) })),
            ("rejected", .array(rejected.map(\.json))),
        ])
    }

    private func hiding(_ report: KeyReport) -> OrderedJSON {
        report.isSecret && report.value != nil
            ? .string(SecretPaths.mask) : OrderedJSON(report.withoutSecrets.value)
    }
}

extension PrefsExplanation.Row {
    fileprivate var json: OrderedJSON {
        .object([("place", .string(origin.place)), ("reason", .string(role.verdict))])
    }
}
