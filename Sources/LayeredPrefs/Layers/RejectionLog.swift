import PrefsDocuments
/// Which refused values have been told, so that each bad version is told once, and once more when it
/// recovers.
///
/// It knows the keys by what checks them: declared ones, and those that somebody read and that were refused
/// then.
struct RejectionLog {
    /// Works out the refused candidates of one key in a snapshot.
    typealias Check = @Sendable (PrefsSnapshot) -> [Refusal]
    typealias Refusal = (value: PrefsValue?, error: PrefsError)

    /// The place of a candidate: a key in a layer's file.
    private struct Place: Hashable {
        let key: String
        let layer: String?
        let file: String?
    }

    /// What is to be told, after the locks are released.
    struct Report {
        var refused: [PrefsError] = []
        var recovered: [PrefsError] = []

        func send(to diagnostics: PrefsDiagnostics) {
            for error in recovered { diagnostics.report(.recovered, error) }
            for error in refused { diagnostics.report(.error, error) }
        }
    }

    private var checks = ObserverTable<(key: String, check: Check)>()
    private var known: Set<String> = []
    private var told: [Place: Refusal] = [:]

    /// Has a key checked from now on, and checks it.
    mutating func declare(
        _ key: PrefsKeyName, in snapshot: PrefsSnapshot, _ check: @escaping Check
    ) -> Report {
        if known.insert(key.name).inserted { _ = checks.add((key.name, check), at: key.paths) }
        return update(key.name, with: check(snapshot))
    }

    /// Checks the keys that a commit touched.
    mutating func update(for transition: PrefsTransition) -> Report {
        var report = Report()
        for (key, check) in checks.observers(of: transition.dirty) {
            let update = update(key, with: check(transition.new))
            report.refused += update.refused
            report.recovered += update.recovered
        }
        return report
    }

    /// Whether a refusal is for the same fault of the same value, in whatever words.
    private func isSameVersion(_ old: Refusal, _ new: Refusal) -> Bool {
        old.value == new.value && old.error.code == new.error.code
            && (new.value != nil || old.error.reason == new.error.reason)
    }

    private mutating func update(_ key: String, with refusals: [Refusal]) -> Report {
        var report = Report()
        var bad: Set<Place> = []
        for refusal in refusals {
            let origin = refusal.error.origin
            let place = Place(key: key, layer: origin?.layer, file: origin?.file)
            bad.insert(place)
            if let before = told.updateValue(refusal, forKey: place), isSameVersion(before, refusal) {
                continue
            }
            report.refused.append(refusal.error)
        }
        for (place, refusal) in told where place.key == key && !bad.contains(place) {
            told[place] = nil
            var recovered = refusal.error
            recovered.reason = "is no longer refused"
            report.recovered.append(recovered)
        }
        return report
    }
}
