import PrefsDocuments
import PrefsSystem

/// The values that are offered to the program before they are committed: it takes one, or refuses it.
///
/// One value at a time is offered, and of later ones only the newest waits. Until the program has accepted a value, the
/// versions that lead to it are refused.
final class Offers<Value: Codable & Sendable>: Sendable {
    typealias Body = @Sendable (_ old: Value, _ new: Value) async throws -> Void

    /// A closure that is asked about a part of the value.
    private struct Taker: Sendable {
        let number: Int
        /// Returns the stored form of the part that the closure is asked about.
        let part: @Sendable (Value) -> PrefsValue?
        let body: Body
    }

    /// The parts of a value that the program has decided on, by the number of the closure.
    private struct Decision {
        let parts: [Int: PrefsValue?]
        /// The program's reason to refuse them; `nil` if it has accepted them.
        let refusal: PrefsError?

        /// Returns true if the decision is one on some parts. What else is new does not matter.
        func isOn(_ others: [Int: PrefsValue?]) -> Bool {
            refusal == nil ? others.allSatisfy { parts[$0.key] == .some($0.value) } : parts == others
        }
    }

    private struct State {
        var takers: [Taker] = []
        var count = 0
        var decision: Decision?
        /// True while closures are being called.
        var isBusy = false
        /// The callers that wait for the end of the present offer.
        var waiting: [CheckedContinuation<Void, Never>] = []
        /// True if calling back has failed, so that the program's state is not that of any version.
        var isInconsistent = false
    }

    private let state = Lock(State())
    private let fields: ConfigurationFields<Value>
    /// Has the stack looked at again, when the program has decided.
    private let look: @Sendable () -> Void

    init(fields: ConfigurationFields<Value>, look: @escaping @Sendable () -> Void) {
        (self.fields, self.look) = (fields, look)
    }

    /// True if a closure that had accepted a value failed when it was called back.
    var isInconsistent: Bool { state.withLock { $0.isInconsistent } }

    /// Registers a closure; returns its number.
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
            if let decision = state.decision, decision.isOn(parts) {
                return decision.refusal.map { .refused($0) } ?? .accepted
            }
            if isWrite || state.isBusy { return .pending }
            state.isBusy = true
            return .offer
        }
        switch answer {
        case .accepted: return []
        case .refused(let error): return [CandidateCheck.Problem(place: .everything, error: error)]
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

    /// What becomes of a candidate.
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

    private static func parts(of value: Value, _ takers: [Taker]) -> [Int: PrefsValue?] {
        Dictionary(uniqueKeysWithValues: takers.map { ($0.number, $0.part(value)) })
    }

    /// Calls the closures in order. If one throws, those that had accepted are called back in reverse order.
    private func offer(_ new: Value, replacing old: Value, to takers: [Taker]) async -> PrefsError? {
        var accepted: [Taker] = []
        var refusal: PrefsError?
        for taker in takers {
            do {
                try await taker.body(old, new)
                accepted.append(taker)
            } catch {
                refusal = PrefsError(.invalid, reason: "the program refused it: \(error)")
                break
            }
        }
        if refusal != nil { await callBack(accepted, from: new, to: old) }
        let decision = Decision(parts: Self.parts(of: new, takers), refusal: refusal)
        state.withLock { $0.decision = decision }
        return refusal
    }

    private func callBack(_ takers: [Taker], from new: Value, to old: Value) async {
        for taker in takers.reversed() {
            do { try await taker.body(new, old) } catch { state.withLock { $0.isInconsistent = true } }
        }
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
        await begin()
        defer { end() }
        let (old, new) = try make()
        let takers = takers(of: old, new)
        if let refusal = await offer(new, replacing: old, to: takers) { throw refusal }
        do {
            try store(old, new)
        } catch {
            await callBack(takers, from: new, to: old)
            state.withLock { $0.decision = nil }
            throw error
        }
    }

    private func begin() async {
        while state.withLock({ state in
            defer { state.isBusy = true }
            return state.isBusy
        }) {
            await decided()
        }
    }

    /// Ends an offer: what was read meanwhile is looked at.
    private func end() {
        let waiting = state.withLock { state in
            state.isBusy = false
            defer { state.waiting = [] }
            return state.waiting
        }
        look()
        for continuation in waiting { continuation.resume() }
    }

    /// True if a value is being offered.
    var isBusy: Bool { state.withLock { $0.isBusy } }

    /// Waits until nothing is being offered.
    func decided() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.isBusy { state.waiting.append(continuation) }
                return !state.isBusy
            }
            if isIdle { continuation.resume() }
        }
    }

    /// Forgets that a value was refused, so that it is offered again; returns false if none was.
    func forgetRefusal() -> Bool {
        state.withLock { state in
            guard state.decision?.refusal != nil else { return false }
            state.decision = nil
            return true
        }
    }
}

extension Live {
    /// Asks a closure before a change of a part of the configuration takes effect: it takes the new value, or throws to
    /// refuse it.
    ///
    /// ```swift
    /// let listening = relay.apply(\.listen) { old, new in try await server.rebind(new) }
    /// ```
    ///
    /// Until every closure has accepted, nothing reads the new value. If one throws, those that had accepted are called
    /// back in reverse order, with the values exchanged, and the edit is refused with the reason. A refused edit is offered
    /// again when the part changes, and on ``LayeredPrefsStorage/reload()``. The closure is not called for the first value.
    ///
    /// - Parameters:
    ///   - part: The part of the configuration.
    ///   - body: Is called with the old and the new value of the part, in order of registration, one at a time. Within it,
    ///     ``update(_:)`` throws.
    /// - Returns: The registration, which ends when it is cancelled or released.
    public func apply<Part: Encodable & Sendable>(
        _ part: any KeyPath<Value, Part> & Sendable,
        _ body: @escaping @Sendable (_ old: Part, _ new: Part) async throws -> Void
    ) -> PrefsObservation {
        let number = offers.add({ (try? PrefsValueEncoder().encode($0[keyPath: part])) ?? nil }) { old, new in
            try await Applying.$isUnderWay.withValue(true) {
                try await body(old[keyPath: part], new[keyPath: part])
            }
        }
        return PrefsObservation { [offers] in offers.remove(number) }
    }

    /// Waits until what the stack has read has been accepted or refused by every ``apply(_:_:)`` closure.
    public func applied() async {
        repeat {
            await storage.settled()
            await offers.decided()
            await storage.settled()
        } while offers.isBusy
    }

    /// Changes the configuration: checks the new value, offers it to the ``apply(_:_:)`` closures, writes the fields that
    /// differ, and switches.
    ///
    /// - Parameter change: Changes a copy of ``current``.
    /// - Throws: ``PrefsError`` if the value is wrong, the program refuses it, or it cannot be written; nothing is changed
    ///   then. Also what `change` throws.
    public func update(_ change: (inout Value) throws -> Void) async throws {
        if Applying.isUnderWay {
            throw PrefsError(
                .unsupported, reason: "an `apply` closure cannot update the configuration that it applies")
        }
        try await offers.storing {
            let old = current
            // A copy, also of an object.
            var new = try fields.value(of: fields.encoded(old)).get()
            try change(&new)
            if let problem = fields.problem(of: fields.encoded(new), rule) { throw problem }
            return (old, new)
        } _: { old, new in
            let (before, after) = (fields.encoded(old), fields.encoded(new))
            try storage.transaction { transaction in
                for field in fields.fields {
                    let value = after.value(at: field.place[...])
                    if value == before.value(at: field.place[...]) { continue }
                    transaction.setValue(value, forKey: field.key.id)
                }
            }
        }
    }
}

/// Whether the task is in an `apply` closure.
private enum Applying {
    @TaskLocal static var isUnderWay = false
}

extension ConfigurationFields {
    /// Returns what is wrong with a value as a whole.
    fileprivate func problem(of stored: PrefsValue, _ rule: (Value) throws -> Void) -> PrefsError? {
        do {
            try rule(try value(of: stored).get())
            return nil
        } catch {
            return error as? PrefsError ?? PrefsError(.invalid, reason: "\(error)")
        }
    }
}
