import FoundationEssentials
import PrefsDocuments
import PrefsSystem

extension Offers {
    /// A change that the handlers accept or reject.
    struct Proposal: Sendable {
        let offers: Offers
        let old: Value
        let new: Value
        var refusal: CandidateCheck.Problem?
        var isAccepted = false
    }
}

extension Offers.Proposal: ApplyProposal {
    var handlers: [(phase: ApplyPhase, number: Int)] {
        offers.takers.map { ($0.handler.phase, $0.number) }
    }

    var hasPreparations: Bool { offers.takers.contains { $0.prepared != nil } }

    var hasEnded: Bool { offers.state.withLock { $0.hasEnded } }

    func noteBegin() {
        offers.state.withLock { state in
            state.doubts.all += 1
            state.proposals += 1
        }
    }

    func noteEnd() {
        offers.state.withLockReleasing { state in
            state.proposals -= 1
            let takers = state.takers
            if state.hasEnded, state.proposals == 0 { state.takers = [] }
            return takers
        }
    }

    func noteSettled(_ doubts: Int) { offers.state.withLock { $0.doubts.settled = doubts } }

    func ask(_ number: Int) async -> ApplyRefusal? {
        guard let taker = offers.taker(number), !taker.accepts(new) else { return nil }
        do {
            if let preparation = try await offers.prepare(taker, old, new) {
                await keep(preparation, of: taker, for: new)
            } else {
                offers.note(new, appliedBy: number)
            }
            return nil
        } catch {
            let problem = offers.problem(error, of: taker, old, new)
            let refusal = Offers.Refusal(
                taker: number, part: taker.part(new), error: problem,
                isOfCheck: taker.handler.phase == .checking)
            return ApplyRefusal(error: problem) { [offers] in offers.remember(refusal) }
        }
    }

    func takeBack(_ number: Int, unlessProposed: Bool) async {
        guard let taker = offers.taker(number) else { return }
        switch taker.handler.phase {
        case .switching:
            if taker.uses(old) || unlessProposed && taker.uses(new) { return }
            do {
                _ = try await offers.prepare(taker, taker.failedFrom ?? taker.applied.value, old)
                offers.note(old, appliedBy: number)
            } catch { noteFailure(error, of: taker) }
        case .checking, .preparing:
            guard let prepared = taker.prepared, prepared.part != taker.part(old),
                !(unlessProposed && prepared.part == taker.part(new))
            else { return }
            await offers.takePrepared(of: number)?.preparation.abort()
        }
    }

    func complete(_ number: Int, unlessProposed: Bool) async {
        guard let taker = offers.taker(number), taker.handler.phase != .switching else { return }
        if taker.prepared == nil {
            if taker.uses(old) || unlessProposed && taker.uses(new) { return }
            do {
                let before = taker.failedFrom ?? taker.applied.value
                if let preparation = try await offers.prepare(taker, before, old) {
                    await keep(preparation, of: taker, for: old)
                }
            } catch { noteFailure(error, of: taker) }
        }
        // What is prepared for a newer value is left alone.
        guard let prepared = offers.taker(number)?.prepared, prepared.part == taker.part(old),
            let taken = offers.takePrepared(of: number)
        else { return }
        await taken.preparation.commit()
        offers.note(old, appliedBy: number)
    }

    /// Keeps what a handler has prepared, or aborts it if the handler is no longer registered.
    private func keep(_ preparation: Preparation, of taker: Offers.Taker, for value: Value) async {
        let prepared = Offers.Prepared(value: value, part: taker.part(value), preparation: preparation)
        if !offers.keep(prepared, of: taker.number) { await preparation.abort() }
    }

    /// Notes that a handler could not apply what is active, and reports it once. The next job tries it again.
    private func noteFailure(_ error: any Error, of taker: Offers.Taker) {
        let before = taker.failedFrom ?? taker.applied.value
        offers.note(old, appliedBy: taker.number, failedFrom: before)
        if taker.hasFailed, taker.isSettled(at: old) { return }
        let words = offers.fields.masking("\(error)", before, old)
        offers.report(
            .error, key: offers.changedPart(of: taker.part, before, old),
            "the program could not apply the active settings: \(words); it may use others until it is"
                + " restarted")
    }
}

extension Offers {
    /// Calls a handler, and reports it if it takes long; returns what it has prepared, for one call of which the same holds.
    func prepare(_ taker: Taker, _ old: Value?, _ new: Value) async throws -> Preparation? {
        let preparation = try await calling(old, new) { try await taker.handler.call(old, new) }
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

    /// - Parameter key: The key of what the report is about; `nil` if it is in the words.
    fileprivate func report(_ severity: PrefsDiagnostic.Severity, key: String? = nil, _ reason: String) {
        storage()?.diagnostics.report(severity, PrefsError(.invalid, key: key, reason: reason))
    }

    fileprivate func remember(_ refusal: Refusal) { state.withLock { $0.refusals.append(refusal) } }
}
