import LayeredPrefs

/// The comparison of a running process with a process that would start now.
extension InspectionAnswers {
    /// Returns the keys with a value that a restart would change, sorted. If a restart would fail, also returns
    /// the keys that make it fail.
    func drift(of storage: PrefsStack, environment: [String: String]?) -> [InspectionReply.Drift] {
        let restarted = storage.restarted(environment: environment)
        let changes = changes(to: restarted.used ?? restarted.read, of: storage)
        return restarted.used == nil ? failures(restarted.problems, changes, storage) : changes
    }

    /// Returns the drift of a program that would not start: all changes and problems, each with the value that the
    /// process uses now.
    private func failures(
        _ problems: [PrefsError], _ changes: [InspectionReply.Drift], _ storage: PrefsStack
    ) -> [InspectionReply.Drift] {
        let now = storage.snapshot
        var left = problems
        var failures = changes.map { change in
            let own = left.filter { $0.key == change.key }
            left.removeAll { $0.key == change.key }
            var failure = change
            (failure.reason, failure.restarted) = (.fails, nil)
            failure.explanation =
                own.isEmpty
                ? "\(Self.failingRestart); \(change.explanation)"
                : own.map { "\(Self.failingRestart): \($0)" }.joined(separator: "; ")
            return failure
        }
        for problem in left {
            let key = problem.key ?? ""
            let isSecret = key.isEmpty || explain(key, now).isSecret
            let running = isSecret ? nil : value(of: key, now)
            failures.append(
                InspectionReply.Drift(
                    key: key, running: running?.description, restarted: nil,
                    isSecret: isSecret && !key.isEmpty,
                    reason: .fails, explanation: "\(Self.failingRestart): \(problem)"))
        }
        return failures.sorted { $0.key < $1.key }
    }

    private func changes(to next: PrefsSnapshot, of storage: PrefsStack) -> [InspectionReply.Drift] {
        let (now, held) = (storage.snapshot, storage.heldValues)
        let problems = storage.status.filter { $0.problem != nil || $0.rejection != nil }
        return Set(names(in: now)).union(names(in: next)).sorted().compactMap { name in
            let restarted = value(of: name, next)
            let current = held[name] ?? value(of: name, now)
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

extension PrefsStack {
    /// Returns the reason why two explanations of a key have different winners.
    fileprivate func cause(
        _ before: PrefsExplanation, _ after: PrefsExplanation, _ problems: [PrefsSourceStatus]
    ) -> (InspectionReply.Drift.Reason, String) {
        let (old, new) = (before.winner?.origin, after.winner?.origin)
        if let old, old.layer == PrefsLayer.Name.overrides.description {
            return (.override, "the override in memory is lost")
        }
        let source = problems.first { source in
            [old, new].compactMap { $0?.file }.contains { source.file?.isFile(of: $0) == true }
        }
        if let problem = source?.problem {
            return (.broken, "the process keeps the previous version: \(problem)")
        }
        if let line = source.flatMap(InspectionReply.Rejection.init)?.lines.first {
            return (.rejected, line)
        }
        if before.lock?.origin != after.lock?.origin {
            let place = after.lock.map { "locked by \($0.origin)" } ?? "no longer locked"
            return (.lock, place)
        }
        for origin in [old, new].compactMap(\.self) where isEnvironment(origin) {
            let reasons = after.rejectedRows.filter { !before.rejectedRows.contains($0) }
            let remark = reasons.first.map { ": \($0)" } ?? ""
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

extension String {
    /// Returns true if this source is the file, or the drop-in folder that contains the file, in any format.
    fileprivate func isFile(of file: String) -> Bool {
        if self == file { return true }
        guard hasSuffix(".d"), let slash = file.lastIndex(of: "/") else { return false }
        return file[..<slash].hasSuffix(".d")
            && PrefsFileFormat.stem(of: String(dropLast(2)))
                == PrefsFileFormat.stem(of: String(file[..<slash].dropLast(2)))
    }
}
