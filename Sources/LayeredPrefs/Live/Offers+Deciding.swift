import FoundationEssentials
import PrefsDocuments
import PrefsSystem

extension Offers {
    func proposal(
        of candidate: PrefsSnapshot, since inForce: PrefsSnapshot, _ dirty: PathList
    ) -> (any ApplyProposal)? {
        let takers = takers
        guard !takers.isEmpty, fields.areTouched(by: dirty),
            case .success(let new) = fields.value(in: candidate)
        else { return nil }
        let old = (try? fields.value(in: inForce).get()) ?? lastValid
        let parts = Self.changes(from: old, to: new, of: takers)
        if parts.isEmpty { return nil }
        let (refusal, isAccepted) = state.withLock { ($0.refusal(of: parts), $0.haveAccepted(parts)) }
        let problem = refusal.map { refusal in
            CandidateCheck.Problem(
                place: .values(fields.names(below: refusal.error.key)),
                error: refusal.isOfCheck
                    ? fields.placed(refusal.error, in: candidate)
                    : fields.locatedInFile(refusal.error, in: candidate))
        }
        return Proposal(offers: self, old: old, new: new, refusal: problem, isAccepted: isAccepted)
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

    func note(_ decision: CandidateDecision) {
        if decision.isNew { forgetRefusals(notIn: decision.newest) }
        if !fields.areTouched(by: decision.dirty) { return }
        noteValidity(of: fields.value(in: decision.inForce), in: decision.inForce)
        state.withLock { $0.doubts.all += 1 }
    }

    func unsettled() -> UnsettledConfiguration? {
        let (takers, value, doubts) = state.withLock { ($0.takers, $0.valid, $0.doubts) }
        if doubts.all == doubts.settled { return nil }
        // One that has failed is called again by the next job, but is no reason for one.
        if takers.allSatisfy({ $0.isSettled(at: value) }) {
            state.withLock { $0.doubts.settled = doubts.all }
            return nil
        }
        return UnsettledConfiguration(
            proposal: Proposal(offers: self, old: value, new: value), doubts: doubts.all)
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

    /// Notes whether the active value is valid, and reports when that changes. The calling
    /// thread holds the commit lock.
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
            problem.map { "\($0.reason); keeping the previous version" } ?? "now using the new version"
        let report = PrefsDiagnostic(problem == nil ? .recovered : .error, error)
        storage.engine.reporter.queue.add { [diagnostics = storage.diagnostics] in
            diagnostics.report(report.severity, report.error)
        }
    }
}

extension ConfigurationFields {
    /// Returns the names of the fields at and below a key; of all fields if the key is `nil` or contains none.
    fileprivate func names(below key: String?) -> [PrefsKeyName] {
        let path = PrefsPath(key ?? "")
        let names = key == nil ? [] : names.filter { $0.paths.contains(where: path.contains) }
        return names.isEmpty ? self.names : names
    }

    /// Returns the fields that a snapshot gives other values than those that the program uses, but for those that need a
    /// restart.
    fileprivate func held(from value: Value, in snapshot: PrefsSnapshot) -> [ConfigurationInvalidity.Held] {
        let (used, waiting) = (encoded(value), Set(waitingForRestart(in: snapshot)))
        // In which equal values are spelled alike.
        let newest = (try? newestValue(in: snapshot).get()).map(encoded) ?? stored(in: snapshot)
        return changed(from: used, to: newest).filter { !waiting.contains($0.key.id) }.map { field in
            ConfigurationInvalidity.Held(
                key: field.key.id, value: used.value(at: field.place[...]),
                origin: snapshot.resolution(for: field.key).origin)
        }
    }
}
