import PrefsSystem
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
/// It checks the declared keys, and the undeclared ones for which a read has met a rejected value.
struct RejectionLog {
    /// Returns the rejected candidates of one key in a snapshot.
    typealias Check = @Sendable (PrefsSnapshot) -> [ReportedRejection]
    typealias ReportedRejection = (value: PrefsValue?, error: PrefsError)

    /// A candidate's place: a key, or a field of its value, in a layer's file.
    private struct Place: Hashable {
        let key: String
        let field: Substring?
        let layer: String?
        let file: String?
    }

    /// The diagnostics to send once the mutexes are released.
    struct Report {
        var rejected: [PrefsError] = []
        var recovered: [PrefsError] = []

        func send(to diagnostics: PrefsDiagnostics) {
            for error in recovered { diagnostics.report(.recovered, error) }
            for error in rejected { diagnostics.report(.error, error) }
        }
    }

    private var checks = PathTrie<(key: String, check: Check)>()
    private var known: Set<String> = []
    private var received: [Place: ReportedRejection] = [:]

    /// Registers a key for checking at every commit, and checks it now.
    mutating func declare(
        _ key: PrefsKeyName, in snapshot: PrefsSnapshot, _ check: @escaping Check
    ) -> Report {
        if known.insert(key.name).inserted { _ = checks.add((key.name, check), at: key.paths) }
        return update(key.name, with: check(snapshot))
    }

    /// Checks the registered keys that a commit touched.
    mutating func update(for transition: PrefsTransition) -> Report {
        var report = Report()
        for (key, check) in checks.observers(of: transition.dirty) {
            let update = update(key, with: check(transition.new))
            report.rejected += update.rejected
            report.recovered += update.recovered
        }
        return report
    }

    /// Returns true if two rejections are for the same fault of the same value, even if worded differently.
    ///
    /// Without a value, as where a non-dictionary blocks the key's path, only the reason identifies the
    /// version.
    private func isSameVersion(_ old: ReportedRejection, _ new: ReportedRejection) -> Bool {
        !Mutant.isActive(.rejectionsRepeated) && old.value == new.value && old.error.code == new.error.code
            && (new.value != nil || old.error.reason == new.error.reason)
    }

    private mutating func update(_ key: String, with constraintRejections: [ReportedRejection]) -> Report {
        var report = Report()
        var bad: Set<Place> = []
        for rejection in constraintRejections {
            let origin = rejection.error.origin
            let place = Place(
                key: key, field: rejection.error.key?.prefix { $0 != "[" }, layer: origin?.layer,
                file: origin?.file)
            bad.insert(place)
            if let before = received.updateValue(rejection, forKey: place), isSameVersion(before, rejection) {
                continue
            }
            report.rejected.append(rejection.error)
        }
        for (place, rejection) in received where place.key == key && !bad.contains(place) {
            received[place] = nil
            var recovered = rejection.error
            recovered.reason = "no longer rejected"
            report.recovered.append(recovered)
        }
        return report
    }
}
