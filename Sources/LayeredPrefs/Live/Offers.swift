import PrefsDocuments
import PrefsSystem

/// The values that are offered to the program before they are committed: it takes one, or refuses it.
///
/// One value at a time is offered; of later edits the newest waits, and updates wait in order. Until the program has
/// accepted a value, the versions that lead to it are refused.
final class Offers<Value: Codable & Sendable>: CandidateDecider {
    typealias Body = @Sendable (_ old: Value, _ new: Value) async throws -> Void
    typealias Parts = [Int: PrefsValue?]

    /// A closure that is asked about a part of the value.
    private struct Taker: Sendable {
        let number: Int
        /// Returns the stored form of the part that the closure is asked about.
        let part: @Sendable (Value) -> PrefsValue?
        let body: Body
    }

    /// A value that closures have accepted, and that is not in force yet.
    private struct Acceptance {
        let old: Value
        let new: Value
        let takers: [Taker]
        let parts: Parts
        /// The composition of the stack that is to put the value in force, once the stack has been notified.
        var count = UInt64.max
    }

    /// A part that a closure has refused.
    private struct Refusal: Sendable {
        let taker: Int
        let part: PrefsValue?
        let error: PrefsError
        /// True if a candidate has had the part since the last decision.
        var isSeen = true
    }

    private struct State {
        var takers: [Taker] = []
        var count = 0
        var acceptance: Acceptance?
        /// What closures have refused, as long as it is among the newest contents.
        var refusals: [Refusal] = []
        /// True while closures are being called.
        var isBusy = false
        /// The number of looks at what was read while closures were called, which have not ended.
        var looks = 0
        /// The updates that wait for the end of the present offer, in order.
        var updates = Fifo<AsyncStream<Void>.Continuation>()
        /// The callers that wait until nothing is being offered.
        var others: [AsyncStream<Never>.Continuation] = []
        /// True if calling back has failed, so that the program's state is not that of any version.
        var isInconsistent = false

        var isUndecided: Bool { isBusy || looks > 0 }

        /// Returns the reason for which one of some parts was refused.
        mutating func refusal(of parts: Parts) -> PrefsError? {
            var error: PrefsError?
            for index in refusals.indices where parts[refusals[index].taker] == .some(refusals[index].part) {
                refusals[index].isSeen = true
                error = error ?? refusals[index].error
            }
            return error
        }
    }

    private let state = Lock(State())
    let fields: ConfigurationFields<Value>
    private let patience: Duration
    /// The stack, as long as there is one.
    private let storage: @Sendable () -> LayeredPrefsStorage?

    /// - Parameters:
    ///   - fields: The fields of the configuration.
    ///   - storage: The stack.
    ///   - patience: The time after which a closure that still runs is reported.
    init(
        fields: ConfigurationFields<Value>, storage: LayeredPrefsStorage, patience: Duration = .seconds(10)
    ) {
        (self.fields, self.patience) = (fields, patience)
        self.storage = { [weak storage] in storage }
    }

    /// True if a closure that had accepted a value failed when it was called back.
    var isInconsistent: Bool { state.withLock { $0.isInconsistent } }

    /// Registers a closure; returns its number. If a value is being offered, the closure is asked, too, before that is
    /// put in force.
    func add(_ part: @escaping @Sendable (Value) -> PrefsValue?, _ body: @escaping Body) -> Int {
        state.withLock { state in
            state.count += 1
            state.takers.append(Taker(number: state.count, part: part, body: body))
            return state.count
        }
    }

    func remove(_ number: Int) {
        state.withLockReleasing { state in
            let before = state.takers
            state.takers.removeAll { $0.number == number }
            return before
        }
    }

    /// Returns the problem of a candidate that has not been accepted, and begins to offer it unless it is a write of the
    /// program. A candidate that changes no part with a closure has none.
    func problems(
        of candidate: PrefsSnapshot, since inForce: PrefsSnapshot, isWrite: Bool
    ) -> [CandidateCheck.Problem] {
        guard state.withLock({ !$0.takers.isEmpty }), case .success(let old) = fields.value(in: inForce),
            case .success(let new) = fields.value(in: candidate)
        else { return [] }
        let takers = takers(of: old, new)
        if takers.isEmpty { return [] }
        let parts = Self.parts(of: new, takers)
        let answer = state.withLock { state -> Answer in
            if let error = state.refusal(of: parts) { return .refused(error) }
            if let acceptance = state.acceptance, acceptance.parts == parts { return .accepted }
            if isWrite || state.isBusy { return .pending }
            state.isBusy = true
            return .offer
        }
        switch answer {
        case .accepted: return []
        case .refused(let error):
            return [CandidateCheck.Problem(place: .everything, error: located(error, in: candidate))]
        case .offer:
            Task {
                _ = await offer(new, replacing: old, to: takers)
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
    private static var needsUpdate: PrefsError {
        PrefsError(
            .unsupported,
            reason: "the program has to apply this value before it is stored; write it with `update`")
    }

    private func takers(of old: Value, _ new: Value) -> [Taker] {
        state.withLock { $0.takers }.filter { $0.part(old) != $0.part(new) }
    }

    private static func parts(of value: Value, _ takers: [Taker]) -> Parts {
        Dictionary(uniqueKeysWithValues: takers.map { ($0.number, $0.part(value)) })
    }

    /// Forgets that a value was refused, so that it is offered again; returns false if none was.
    func forgetRefusal() -> Bool {
        state.withLock { state in
            defer { state.refusals = [] }
            return !state.refusals.isEmpty
        }
    }

    /// Calls those back who have accepted a value that the stack has not put in force, because something else stopped it,
    /// or because the edit was undone meanwhile.
    func noteDecision(on inForce: PrefsSnapshot, _ count: UInt64, isNew: Bool) {
        let acceptance = state.withLock { state in
            if isNew {
                state.refusals.removeAll { !$0.isSeen }
                for index in state.refusals.indices { state.refusals[index].isSeen = false }
            }
            return state.isBusy ? nil : state.acceptance
        }
        guard let acceptance, acceptance.count <= count, case .success(let value) = fields.value(in: inForce)
        else { return }
        let isInForce = Self.parts(of: value, acceptance.takers) == acceptance.parts
        let mustCallBack = state.withLock { state in
            guard state.acceptance?.count == acceptance.count, !state.isBusy else { return false }
            if isInForce { state.acceptance = nil } else { state.isBusy = true }
            return !isInForce
        }
        guard mustCallBack else { return }
        Task {
            await goBack(keeping: [:])
            end()
        }
    }
}

extension Offers {
    /// Calls the closures in order. If one throws, those that had accepted are called back in reverse order.
    ///
    /// Those that have accepted the same part already, of a value that is not in force yet, are not asked again.
    private func offer(_ new: Value, replacing old: Value, to takers: [Taker]) async -> PrefsError? {
        let parts = Self.parts(of: new, takers)
        var accepted = await goBack(keeping: parts)
        var refusal: Refusal?
        for taker in takers where !accepted.contains(where: { $0.number == taker.number }) {
            do {
                try await call(taker, old, new)
                accepted.append(taker)
            } catch {
                let error = PrefsError(
                    .invalid, key: changedPart(of: taker.part, old, new),
                    reason: "the program refused it: \(error)")
                refusal = Refusal(taker: taker.number, part: taker.part(new), error: error)
                break
            }
        }
        if let refusal {
            await callBack(accepted, from: new, to: old)
            state.withLock { $0.refusals.append(refusal) }
        } else {
            state.withLock {
                $0.acceptance = Acceptance(old: old, new: new, takers: takers, parts: parts)
            }
        }
        return refusal?.error
    }

    /// Calls those back who have accepted a value that is not in force, but for those whose part is the same in the next
    /// one; returns these.
    @discardableResult
    private func goBack(keeping parts: Parts) async -> [Taker] {
        let acceptance = state.withLock { state in
            defer { state.acceptance = nil }
            return state.acceptance
        }
        guard let acceptance else { return [] }
        let kept = acceptance.takers.filter { parts[$0.number] == acceptance.parts[$0.number] }
        let others = acceptance.takers.filter { taker in !kept.contains { $0.number == taker.number } }
        await callBack(others, from: acceptance.new, to: acceptance.old)
        return kept
    }

    private func callBack(_ takers: [Taker], from new: Value, to old: Value) async {
        for taker in takers.reversed() {
            do { try await call(taker, new, old) } catch {
                state.withLock { $0.isInconsistent = true }
                report(
                    .error,
                    "the program could not go back to the settings in force: \(error); restart it to make sure that it"
                        + " uses them")
            }
        }
    }

    /// Calls a closure, and reports it if it takes long.
    private func call(_ taker: Taker, _ old: Value, _ new: Value) async throws {
        let warning = Task { [patience] in
            try await Task.sleep(for: patience)
            let names = fields.fields.filter { field in
                fields.encoded(old).value(at: field.place[...])
                    != fields.encoded(new).value(at: field.place[...])
            }.map(\.key.id)
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

extension Offers {
    /// Offers a value that the program itself wants to store, and stores it; the only one that is being offered.
    ///
    /// - Parameters:
    ///   - make: Returns the value that is to take the place of the present one, after those that waited before it.
    ///   - store: Stores it. If that fails, the closures are called back.
    func storing(
        _ make: () throws -> (old: Value, new: Value), _ store: (_ old: Value, _ new: Value) throws -> Void
    ) async throws {
        try await alone {
            let (old, new) = try make()
            if let refusal = await offer(new, replacing: old, to: takers(of: old, new)) { throw refusal }
            do {
                try store(old, new)
            } catch {
                await goBack(keeping: [:])
                throw error
            }
            // It is in force.
            state.withLock { $0.acceptance = nil }
        }
    }

    /// Calls `body` while nothing is being offered; what is read meanwhile is offered after it.
    func alone<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        try await begin()
        defer { end() }
        return try await body()
    }

    private func begin() async throws {
        try Task.checkCancellation()
        let (turn, waiter) = AsyncStream<Void>.makeStream()
        let isFirst = state.withLock { state in
            if state.isBusy { state.updates.append(waiter) }
            defer { state.isBusy = true }
            return !state.isBusy
        }
        if isFirst { return }
        for await _ in turn { return }
        throw CancellationError()
    }

    /// Ends an offer: what was read meanwhile is looked at, and then the next update follows.
    private func end() {
        let storage = storage()
        let count = storage?.composeAgain() ?? 0
        let isFollowed = state.withLock { state in
            state.acceptance?.count = count
            state.looks += 1
            state.isBusy = !state.updates.isEmpty
            return state.isBusy
        }
        guard let storage else { return noteLook(isFollowed: isFollowed) }
        storage.looks.post {
            storage.commit()
            self.noteLook(isFollowed: isFollowed)
        }
    }

    /// Notes the end of a look: the next update follows, or those go on who wait for the decision.
    private func noteLook(isFollowed: Bool) {
        let others = state.withLock { state in
            state.looks -= 1
            if state.isUndecided { return [] as [AsyncStream<Never>.Continuation] }
            defer { state.others = [] }
            return state.others
        }
        for waiter in others { waiter.finish() }
        if isFollowed { resumeUpdate() }
    }

    /// Resumes the first update whose task has not been cancelled.
    private func resumeUpdate() {
        while let next = state.withLock({ $0.updates.popFirst() }) {
            if case .enqueued = next.yield() { return }
        }
        end()
    }

    /// True if a value is being offered, or if another one may be next.
    var isBusy: Bool { state.withLock { $0.isUndecided } }

    /// Waits until nothing is being offered, or until the task is cancelled.
    func decided() async {
        let (decision, waiter) = AsyncStream<Never>.makeStream()
        let waits = state.withLock { state in
            if state.isUndecided { state.others.append(waiter) }
            return state.isUndecided
        }
        if waits { for await _ in decision {} }
    }
}
