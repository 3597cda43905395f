import LayeredPrefs
import PrefsSystem

extension InspectionAnswers {
    /// Reads every source again and waits until the program has accepted or rejected the new revisions.
    func reload(_ storage: PrefsStack) -> InspectionReply.Outcome {
        storage.reload()
        if storage.isDeciding { waitForDecision(of: storage) }
        let sources = storage.status
        var problems = sources.compactMap(\.problem).map { "\($0)" }
        problems += sources.compactMap(InspectionReply.Rejection.init).withoutRepetitions.flatMap(\.lines)
        if !problems.isEmpty { problems.append(restart(of: storage)) }
        if storage.isDeciding { problems.append("the program has not accepted or rejected the change yet") }
        return InspectionReply.Outcome(
            isEffective: problems.isEmpty, generation: storage.snapshot.generation,
            problems: problems.isEmpty ? nil : problems)
    }

    private func waitForDecision(of storage: PrefsStack) {
        let decision = BlockingPromise<Void>()
        let task = Task {
            await storage.applied()
            decision.open(())
        }
        _ = decision.wait(until: .now + patience)
        task.cancel()
    }

    /// Returns a sentence about a restart of a program that has rejected a revision or cannot read a file.
    func restart(of storage: PrefsStack) -> String {
        let next = storage.restarted()
        guard let used = next.used else { return Self.failingSentence }
        if next.isAccepted { return "a restart would use the last accepted settings" }
        let broken = storage.status.filter { $0.problem != nil }
        guard rejectedKeys(in: used).isEmpty, broken.allSatisfy(\.holdsLocks) else {
            return "a restart would fall back to lower layers for the rejected values"
        }
        return "a restart would use the new version"
            + (broken.isEmpty ? "" : ", and lock every key that the layer of the broken locks file sets")
    }

    /// Returns a sentence about the value of a key after a restart.
    func restart(
        with next: RestartedContents, of key: String, _ present: PrefsValue?
    ) -> String {
        guard let used = next.used else { return Self.failingSentence }
        let (value, after) = (value(of: key, used), explain(key, used))
        if value == present {
            return next.isAccepted
                ? "a restart would use the last accepted settings" : "a restart would use the same value"
        }
        if after.isSecret { return "a restart would use another value" }
        guard let value else { return "a restart would find no value" }
        let origin = after.winner.map { "\($0.origin)" } ?? "default"
        return "a restart would use \(value) (\(origin))"
    }

    static let failingRestart = "a restart would fail"

    private static let failingSentence = "\(failingRestart): the program does not start with these problems"
}
