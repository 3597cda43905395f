import LayeredPrefs

/// The comparison of a running process with one that would start now.
struct Drift {
    let storage: LayeredPrefsStorage
    let answers: InspectionAnswers
    /// The values with which the program started, of the declared keys that need a restart.
    let started: [String: PrefsValue?]

    /// Returns the keys whose value a restart would change, sorted.
    func differences(environment: [String: String]?) -> [InspectionReply.Drift] {
        let (now, restarted) = (storage.snapshot, storage.restarted(environment: environment))
        let next = restarted.used ?? restarted.read
        let problems = storage.status.filter { $0.problem != nil || $0.refusal != nil }
        let names = Set(answers.names(in: now)).union(answers.names(in: next))
        return names.sorted().compactMap { difference(of: $0, now, next, problems) }
    }

    private func difference(
        of name: String, _ now: PrefsSnapshot, _ next: PrefsSnapshot, _ problems: [PrefsSourceStatus]
    ) -> InspectionReply.Drift? {
        let (current, restarted) = (answers.value(of: name, now), answers.value(of: name, next))
        let running = started[name] ?? current
        guard running != restarted else { return nil }
        let (before, after) = (answers.explain(name, now), answers.explain(name, next))
        let isSecret = before.isSecret || after.isSecret
        let (reason, words) =
            current == restarted
            ? (.restart, "a change of the key takes effect after a restart")
            : cause(before, after, problems)
        return InspectionReply.Drift(
            key: name, running: isSecret ? nil : running?.description,
            restarted: isSecret ? nil : restarted?.description, isSecret: isSecret, reason: reason,
            explanation: words)
    }

    /// Returns the reason for which two explanations of a key have different winners.
    private func cause(
        _ before: PrefsExplanation, _ after: PrefsExplanation, _ problems: [PrefsSourceStatus]
    ) -> (InspectionReply.Drift.Reason, String) {
        let (old, new) = (before.winner, after.winner)
        if let old, old.layer == PrefsLayer.Name.overrides.description {
            return (.override, "the override in memory is lost")
        }
        let source = problems.first { $0.file != nil && [old?.file, new?.file].contains($0.file) }
        if let problem = source?.problem {
            return (.broken, "the process uses the last good contents of a broken file: \(problem)")
        }
        if let line = source.flatMap(InspectionReply.Refusal.init)?.lines.first {
            return (.refused, line)
        }
        if before.lock?.origin != after.lock?.origin {
            let place = after.lock.map { "locked by \($0.origin)" } ?? "no longer locked"
            return (.lock, place)
        }
        for origin in [old, new].compactMap(\.self) where isEnvironment(origin) {
            let rejections = after.rejections.filter { !before.rejections.contains($0) }
            let remark = rejections.first.map { ": \($0)" } ?? ""
            return (.environment, "the variable \(origin.spelling ?? "") differs\(remark)")
        }
        let place = (new ?? old)?.description ?? "a file"
        return (.file, "an edit has not been loaded: \(place)")
    }

    private func isEnvironment(_ origin: PrefsOrigin) -> Bool {
        guard let name = origin.layer, let layer = storage.layer(PrefsLayer.Name(name)) else { return false }
        return layer.storage is EnvironmentPrefsStorage
    }
}

extension PrefsExplanation {
    fileprivate var winner: PrefsOrigin? { rows.first { $0.role == .winner }?.origin }
}
