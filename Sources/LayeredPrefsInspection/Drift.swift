import LayeredPrefs

/// The comparison of a running process with one that would start now.
extension InspectionAnswers {
    /// Returns the keys whose value a restart would change, sorted.
    func drift(of storage: LayeredPrefsStorage, environment: [String: String]?) -> [InspectionReply.Drift] {
        let (now, restarted) = (storage.snapshot, storage.restarted(environment: environment))
        let next = restarted.used ?? restarted.read
        let problems = storage.status.filter { $0.problem != nil || $0.refusal != nil }
        return Set(names(in: now)).union(names(in: next)).sorted().compactMap { name in
            let (current, restarted) = (value(of: name, now), value(of: name, next))
            let running = started[name] ?? current
            guard running != restarted else { return nil }
            let (before, after) = (explain(name, now), explain(name, next))
            let isSecret = before.isSecret || after.isSecret
            let (reason, words) =
                current == restarted
                ? (.restart, "a change of the key takes effect after a restart")
                : storage.cause(before, after, problems)
            return InspectionReply.Drift(
                key: name, running: isSecret ? nil : running?.description,
                restarted: isSecret ? nil : restarted?.description, isSecret: isSecret, reason: reason,
                explanation: words)
        }
    }
}

extension LayeredPrefsStorage {
    /// Returns the reason for which two explanations of a key have different winners.
    fileprivate func cause(
        _ before: PrefsExplanation, _ after: PrefsExplanation, _ problems: [PrefsSourceStatus]
    ) -> (InspectionReply.Drift.Reason, String) {
        let (old, new) = (before.winner?.origin, after.winner?.origin)
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
        guard let name = origin.layer, let layer = layer(PrefsLayer.Name(name)) else { return false }
        return layer.storage is EnvironmentPrefsStorage
    }
}
