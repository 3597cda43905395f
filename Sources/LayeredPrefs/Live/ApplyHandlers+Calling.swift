import FoundationEssentials
import PrefsDocuments
import PrefsSystem

extension ApplyHandlers {
    /// A change that the handlers of a configuration accept or reject.
    struct Proposal: Sendable {
        let owner: ApplyHandlers
        let old: Value
        let new: Value
        var rejection: CandidateCheck.Problem?
        var isAccepted = false
    }
}

extension ApplyHandlers.Proposal: ApplyProposal {
    var handlers: [(phase: ApplyPhase, number: Int)] {
        owner.registrations.map { ($0.handler.phase, $0.number) }
    }

    var hasPreparations: Bool { owner.registrations.contains { $0.prepared != nil } }

    var hasEnded: Bool { owner.state.withLock { $0.hasEnded } }

    func noteBegin() {
        owner.state.withLock { state in
            state.reviews.requested += 1
            state.proposals += 1
        }
    }

    func noteEnd() {
        owner.state.withLockReleasing { state in
            state.proposals -= 1
            let registrations = state.registrations
            if state.hasEnded, state.proposals == 0 { state.registrations = [] }
            return registrations
        }
    }

    func noteReviewed(_ reviews: Int) { owner.state.withLock { $0.reviews.done = reviews } }

    func ask(_ number: Int) async -> ApplyRejection? {
        guard let registration = owner.registration(number), !registration.accepts(new) else { return nil }
        do {
            if let preparation = try await owner.prepare(registration, old, new) {
                await keep(preparation, of: registration, for: new)
            } else {
                owner.note(new, appliedBy: number)
            }
            return nil
        } catch {
            let problem = owner.problem(error, of: registration, old, new)
            let rejection = ApplyHandlers.RejectedPart(
                registration: number, part: registration.part(new), error: problem,
                isOfCheck: registration.handler.phase == .checking)
            return ApplyRejection(error: problem) { [owner] in owner.remember(rejection) }
        }
    }

    func rollBack(_ number: Int, unlessProposed: Bool) async {
        guard let registration = owner.registration(number) else { return }
        switch registration.handler.phase {
        case .switching:
            if registration.uses(old) || unlessProposed && registration.uses(new) { return }
            do {
                _ = try await owner.prepare(
                    registration, registration.failedFrom ?? registration.applied.value, old)
                owner.note(old, appliedBy: number)
            } catch { noteFailure(error, of: registration) }
        case .checking, .preparing:
            guard let prepared = registration.prepared, prepared.part != registration.part(old),
                !(unlessProposed && prepared.part == registration.part(new))
            else { return }
            await owner.takePrepared(of: number)?.preparation.abort()
        }
    }

    func complete(_ number: Int, unlessProposed: Bool) async {
        guard let registration = owner.registration(number), registration.handler.phase != .switching else {
            return
        }
        if registration.prepared == nil {
            if registration.uses(old) || unlessProposed && registration.uses(new) { return }
            do {
                let before = registration.failedFrom ?? registration.applied.value
                if let preparation = try await owner.prepare(registration, before, old) {
                    await keep(preparation, of: registration, for: old)
                }
            } catch { noteFailure(error, of: registration) }
        }
        // A newer value may have been prepared in the meantime.
        guard let prepared = owner.registration(number)?.prepared, prepared.part == registration.part(old),
            let taken = owner.takePrepared(of: number)
        else { return }
        await taken.preparation.commit()
        owner.note(old, appliedBy: number)
    }

    /// Stores a handler's preparation, or aborts it if the handler is no longer registered.
    private func keep(
        _ preparation: Preparation, of registration: ApplyHandlers.Registration, for value: Value
    ) async {
        let prepared = ApplyHandlers.Prepared(
            value: value, part: registration.part(value), preparation: preparation)
        if !owner.keep(prepared, of: registration.number) { await preparation.abort() }
    }

    /// Notes that a handler could not apply the active value, and reports it once. The next job tries again.
    private func noteFailure(_ error: any Error, of registration: ApplyHandlers.Registration) {
        let before = registration.failedFrom ?? registration.applied.value
        owner.note(old, appliedBy: registration.number, failedFrom: before)
        if registration.hasFailed, registration.isSettled(at: old) { return }
        let words = owner.fields.masking("\(error)", before, old)
        owner.report(
            .error, key: owner.changedPart(of: registration.part, before, old),
            "the program could not apply the active settings: \(words); it may use others until it is"
                + " restarted")
    }
}

extension ApplyHandlers {
    /// Calls a handler and returns its preparation. A slow call is reported, and so is a slow commit or abort of
    /// the preparation.
    func prepare(_ registration: Registration, _ old: Value?, _ new: Value) async throws -> Preparation? {
        let preparation = try await calling(old, new) { try await registration.handler.call(old, new) }
        return preparation.map { preparation in
            Preparation { [self] in
                await calling(old, new) { await preparation.commit() }
            } abort: { [self] in
                await calling(old, new) { await preparation.abort() }
            }
        }
    }

    /// Runs code of a handler, and reports it if it takes long.
    private func calling<Result>(
        _ old: Value?, _ new: Value, _ body: () async throws -> Result
    ) async rethrows -> Result {
        let warning = Task { [patience] in
            try await Task.sleep(for: patience)
            let names = names(changedFrom: old, to: new)
            report(
                .warning,
                "the program has been applying \(names.joined(separator: ", ")) for \(patience.prefsText ?? "");"
                    + " keeping the previous version until it finishes")
        }
        defer { warning.cancel() }
        return try await ApplyCall.run(in: stack, body)
    }

    private func names(changedFrom old: Value?, to new: Value) -> [String] {
        let changed = old.map { fields.changed(from: fields.encoded($0), to: fields.encoded(new)) }
        return (changed ?? fields.fields).map(\.key.id)
    }

    /// - Parameter key: The key of the report; `nil` if the sentence names it.
    fileprivate func report(_ severity: PrefsDiagnostic.Severity, key: String? = nil, _ reason: String) {
        storage()?.diagnostics.report(severity, PrefsError(.invalid, key: key, reason: reason))
    }

    fileprivate func remember(_ rejection: RejectedPart) {
        state.withLock { $0.rejectedParts.append(rejection) }
    }
}
