import FoundationEssentials
import PrefsDocuments
import PrefsSystem

extension ApplyHandlers {
    func proposal(
        of candidate: PrefsSnapshot, since active: PrefsSnapshot, _ dirty: PathList
    ) -> (any ApplyProposal)? {
        let registrations = registrations
        guard !registrations.isEmpty, fields.areTouched(by: dirty),
            case .success(let new) = fields.value(in: candidate)
        else { return nil }
        let old = (try? fields.value(in: active).get()) ?? lastValid
        let parts = Self.changes(from: old, to: new, of: registrations)
        if parts.isEmpty { return nil }
        let (rejection, isAccepted) = state.withLock { ($0.rejectedPart(of: parts), $0.haveAccepted(parts)) }
        let problem = rejection.map { rejection in
            CandidateCheck.Problem(
                place: .values(fields.names(below: rejection.error.key)),
                error: rejection.isOfCheck
                    ? fields.placed(rejection.error, in: candidate)
                    : fields.locatedInFile(rejection.error, in: candidate))
        }
        return Proposal(owner: self, old: old, new: new, rejection: problem, isAccepted: isAccepted)
    }

    /// Returns the new parts of the handlers with a changed part, by the handlers' numbers.
    private static func changes(from old: Value, to new: Value, of registrations: [Registration]) -> [Int:
        PrefsValue?]
    {
        var parts: [Int: PrefsValue?] = [:]
        for registration in registrations {
            let part = registration.part(new)
            if registration.part(old) != part { parts[registration.number] = .some(part) }
        }
        return parts
    }

    func note(_ decision: CandidateDecision) {
        if decision.isNew { forgetRejectedParts(notIn: decision.newest) }
        if !fields.areTouched(by: decision.dirty) { return }
        noteValidity(of: fields.value(in: decision.active), in: decision.active)
        state.withLock { $0.reviews.requested += 1 }
    }

    func unsettled() -> UnsettledConfiguration? {
        let (registrations, value, reviews) = state.withLock { ($0.registrations, $0.valid, $0.reviews) }
        if reviews.requested == reviews.done { return nil }
        // A handler that has failed is called again by the next job, but is no reason to begin one.
        if registrations.allSatisfy({ $0.isSettled(at: value) }) {
            state.withLock { $0.reviews.done = reviews.requested }
            return nil
        }
        return UnsettledConfiguration(
            proposal: Proposal(owner: self, old: value, new: value), reviews: reviews.requested)
    }

    /// Forgets rejected parts that the newest contents no longer have. If the newest value is invalid, nothing is forgotten:
    /// a part may not have been proposed because of that other problem.
    private func forgetRejectedParts(notIn newest: PrefsSnapshot) {
        if state.withLock({ $0.rejectedParts.isEmpty }) { return }
        let value = try? fields.value(in: newest).get()
        let parts = value.map { value in registrations.map { ($0.number, $0.part(value)) } } ?? []
        state.withLock { state in
            state.rejectedParts.removeAll { rejection in
                !rejection.isSeen && parts.contains { $0 == rejection.registration && $1 != rejection.part }
            }
            for index in state.rejectedParts.indices { state.rejectedParts[index].isSeen = false }
        }
    }

    /// Notes whether the active value is valid, and reports when that changes. The calling thread holds the commit lock.
    private func noteValidity(of active: Result<Value, PrefsError>, in snapshot: PrefsSnapshot) {
        let valid: Value? = try? active.get()
        let problem: PrefsError? = if case .failure(let error) = active { error } else { nil }
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

    /// Returns the fields whose values in a snapshot differ from the ones that the program uses, except fields that need a
    /// restart.
    fileprivate func held(from value: Value, in snapshot: PrefsSnapshot) -> [ConfigurationInvalidity.Held] {
        let (used, waiting) = (encoded(value), Set(waitingForRestart(in: snapshot)))
        // Encoded again, so that equal values are spelled alike.
        let newest = (try? newestValue(in: snapshot).get()).map(encoded) ?? stored(in: snapshot)
        return changed(from: used, to: newest).filter { !waiting.contains($0.key.id) }.map { field in
            ConfigurationInvalidity.Held(
                key: field.key.id, value: used.value(at: field.place[...]),
                origin: snapshot.resolution(for: field.key).origin)
        }
    }
}
