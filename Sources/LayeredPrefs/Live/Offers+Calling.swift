import PrefsDocuments
import PrefsSystem

extension Offers {
    /// Calls the closures in order. If one throws, those that had accepted are called back in reverse order; returns the
    /// refusal.
    ///
    /// Those that have accepted the same part already, of a value that is not in force yet, are not asked again.
    func offer(_ new: Value, replacing old: Value) async -> Refusal? {
        state.withLock { $0.doubts.all += 1 }
        await settle(on: old, unless: new)
        for number in takers.map(\.number) {
            guard let taker = taker(number), !taker.uses(new) else { continue }
            do {
                try await call(taker, old, new)
                note(new, appliedBy: number)
            } catch {
                let error = PrefsError(
                    .invalid, key: changedPart(of: taker.part, old, new),
                    reason: "the program refused it: \(fields.masking("\(error)", old, new))")
                await settle(on: old)
                return Refusal(taker: number, part: taker.part(new), error: error)
            }
        }
        return nil
    }

    /// Calls those that use something else than a value with that, in reverse order.
    ///
    /// - Parameter next: The value that is offered after it: those that use its part are not called.
    func settle(on value: Value, unless next: Value? = nil) async {
        for number in takers.map(\.number).reversed() {
            guard let taker = taker(number), !taker.uses(value) else { continue }
            if let next, taker.uses(next) { continue }
            var hasFailed = false
            do { try await call(taker, taker.applied.value, value) } catch {
                hasFailed = true
                let words = fields.masking("\(error)", taker.applied.value, value)
                report(
                    .error,
                    "the program could not apply the settings in force: \(words); restart it to make sure that it"
                        + " uses them")
            }
            note(value, appliedBy: number, hasFailed: hasFailed)
        }
    }

    /// Calls a closure, and reports it if it takes long.
    private func call(_ taker: Taker, _ old: Value, _ new: Value) async throws {
        let warning = Task { [patience] in
            try await Task.sleep(for: patience)
            let names = fields.changed(from: fields.encoded(old), to: fields.encoded(new)).map(\.key.id)
            report(
                .warning,
                "the program has been applying \(names.joined(separator: ", ")) for \(patience.prefsText ?? ""); until"
                    + " it has, the settings in force stay")
        }
        defer { warning.cancel() }
        try await taker.body(old, new)
    }

    private func report(_ severity: PrefsDiagnostic.Severity, _ reason: String) {
        storage()?.diagnostics.report(severity, PrefsError(.invalid, reason: reason))
    }
}
