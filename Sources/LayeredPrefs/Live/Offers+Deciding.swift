import FoundationEssentials
import PrefsDocuments
import PrefsSystem

extension Offers {
    /// Returns the problem of a candidate that has not been accepted, and begins to offer it if the program may be asked
    /// and it is no write. A candidate that changes no part with a closure has none.
    func problems(
        of candidate: PrefsSnapshot, since inForce: PrefsSnapshot, _ dirty: PathList, isWrite: Bool,
        mayAsk: Bool
    ) -> [CandidateCheck.Problem] {
        let takers = takers
        guard !takers.isEmpty, !fields.touched(by: dirty).isEmpty,
            case .success(let new) = fields.value(in: candidate)
        else { return [] }
        let old = (try? fields.value(in: inForce).get()) ?? lastValid
        let parts = Self.changes(from: old, to: new, of: takers)
        if parts.isEmpty { return [] }
        let answer = state.withLock { state -> Answer in
            if let error = state.refusal(of: parts) { return .refused(error) }
            if !mayAsk { return .accepted }
            if state.areApplied(parts), !state.isCalling { return .accepted }
            // An edit comes before the updates that wait, which are stored on top of it.
            if isWrite || state.isBusy && !state.isReserved { return .pending }
            (state.isBusy, state.isReserved) = (true, false)
            return .offer
        }
        switch answer {
        case .accepted: return []
        case .refused(let error):
            return [CandidateCheck.Problem(place: .everything, error: located(error, in: candidate))]
        case .offer:
            // Not within the overrides of the task that commits.
            Task.detached { [self] in
                if let refusal = await offer(new, replacing: old) {
                    state.withLock { $0.refusals.append(refusal) }
                }
                end()
            }
        case .pending: break
        }
        let error = isWrite ? Self.needsUpdate : Self.pending
        return [CandidateCheck.Problem(place: .everything, error: error, isPending: true)]
    }

    /// The answer to a candidate.
    private enum Answer {
        case accepted, pending, offer
        case refused(PrefsError)
    }

    /// The reason for which a version that is being offered is not in force.
    private static var pending: PrefsError { PrefsError(.busy, reason: "the program is applying it") }

    /// The error of a write that does not wait for the program.
    static var needsUpdate: PrefsError {
        PrefsError(
            .unsupported,
            reason: "the program has to apply this first; edit the file, or call `Live.update` in the program"
        )
    }

    /// Returns the new parts of the closures for which two values differ.
    private static func changes(from old: Value, to new: Value, of takers: [Taker]) -> [Int: PrefsValue?] {
        var parts: [Int: PrefsValue?] = [:]
        for taker in takers {
            let part = taker.part(new)
            if taker.part(old) != part { parts[taker.number] = .some(part) }
        }
        return parts
    }

    /// Calls those who use something else than what the stack has decided on: because something else has stopped what
    /// they had accepted, because the edit was undone meanwhile, or because nothing can refuse a change of a lock.
    func note(_ decision: CandidateDecision) {
        let isTouched = !fields.touched(by: decision.dirty).isEmpty
        if decision.isNew { forgetRefusals(notIn: decision.newest) }
        let doubts = state.withLock { state -> Int? in
            if isTouched { state.doubts.all += 1 }
            let isFinal = !decision.isPending && decision.count >= state.composition
            if !isFinal || state.isBusy || state.doubts.settled == state.doubts.all { return nil }
            return state.doubts.all
        }
        if !isTouched, doubts == nil { return }
        let inForce = fields.value(in: decision.inForce)
        if isTouched { noteValidity(of: inForce, in: decision.inForce) }
        guard let doubts, case .success(let value) = inForce else { return }
        let isUsed = takers.allSatisfy { $0.uses(value) }
        let mustCall = state.withLock { state in
            if state.isBusy || decision.count < state.composition { return false }
            state.doubts.settled = doubts
            state.isBusy = !isUsed
            return !isUsed
        }
        guard mustCall else { return }
        Task.detached { [self] in
            await settle(on: value)
            end()
        }
    }

    /// Forgets the refusals of parts that the newest contents do not have. If their value is wrong, another problem may
    /// have kept a part from being offered: nothing is forgotten then.
    private func forgetRefusals(notIn newest: PrefsSnapshot) {
        if state.withLock({ $0.refusals.isEmpty }) { return }
        let value = try? fields.value(in: newest).get()
        let parts = value.map { value in takers.map { ($0.number, $0.part(value)) } } ?? []
        state.withLock { state in
            state.refusals.removeAll { refusal in
                !refusal.isSeen && parts.contains { $0 == refusal.taker && $1 != refusal.part }
            }
            for index in state.refusals.indices { state.refusals[index].isSeen = false }
        }
    }

    /// Notes whether what is in force is a valid value, and reports that it is not any more, or that it is again. The calling
    /// thread has the turn.
    private func noteValidity(of inForce: Result<Value, PrefsError>, in snapshot: PrefsSnapshot) {
        let valid: Value? = try? inForce.get()
        let problem: PrefsError? = if case .failure(let error) = inForce { error } else { nil }
        let last = lastValid
        let held = problem == nil ? [] : fields.held(from: last, in: snapshot)
        let (before, replaced) = state.withLock { state in
            let before = state.invalidity
            defer {
                state.invalidity = problem.map {
                    ConfigurationInvalidity(error: $0, since: before?.since ?? .now, held: held)
                }
                state.valid = valid ?? state.valid
            }
            return (before?.error, state.valid)
        }
        withExtendedLifetime(replaced) {}
        guard problem?.reason != before?.reason, var error = problem ?? before, let storage = storage()
        else { return }
        error.reason =
            problem.map { "\($0.reason); the settings before stay" } ?? "the settings are valid again"
        let report = PrefsDiagnostic(problem == nil ? .recovered : .error, error)
        storage.reports.add { [diagnostics = storage.diagnostics] in
            diagnostics.report(report.severity, report.error)
        }
    }
}

extension ConfigurationFields {
    /// Returns the fields that a snapshot gives other values than those that the program uses, but for those that need a
    /// restart.
    fileprivate func held(from value: Value, in snapshot: PrefsSnapshot) -> [ConfigurationInvalidity.Held] {
        let (used, waiting) = (encoded(value), Set(waitingForRestart(in: snapshot)))
        let stored = stored(in: snapshot)
        // In which equal values are spelled alike.
        let newest = (try? self.value(of: stored).get()).map(encoded) ?? stored
        return changed(from: used, to: newest).filter { !waiting.contains($0.key.id) }.map { field in
            ConfigurationInvalidity.Held(
                key: field.key.id, value: used.value(at: field.place[...]),
                origin: snapshot.resolution(for: field.key).origin)
        }
    }
}
