import PrefsDocuments
import PrefsSystem

/// The handlers of one configuration, and what each of them has accepted.
///
/// Of each handler the value is known that it uses, and for a two-phase handler what it has prepared. The
/// ``ApplyCoordinator`` of the stack decides when they are called: until the program has accepted a value, the versions
/// that lead to it are refused, and whenever the stack has decided on something else, the handlers are called with that.
final class Offers<Value: Codable & Sendable>: CandidateDecider {
    /// A registered handler.
    struct Taker: Sendable {
        let number: Int
        let handler: ApplyHandler<Value>
        /// The value that the program uses, as far as the handler is concerned, and its part.
        var applied: (value: Value, part: PrefsValue?)
        /// What a two-phase handler has prepared, and neither committed nor aborted.
        var prepared: Prepared?
        /// The value that the program may use instead, because the handler has failed to apply that.
        var failedFrom: Value?

        var hasFailed: Bool { failedFrom != nil }

        /// Returns the stored form of the part that the handler is asked about.
        func part(_ value: Value) -> PrefsValue? { handler.part(value) }

        func uses(_ value: Value) -> Bool { isSettled(at: value) && !hasFailed }

        /// Returns true if the handler uses a value, or has failed to apply just that.
        func isSettled(at value: Value) -> Bool { prepared == nil && applied.part == part(value) }

        func accepts(_ value: Value) -> Bool { acceptedPart == part(value) }

        /// The part that the handler has accepted last.
        var acceptedPart: PrefsValue? { prepared.map(\.part) ?? applied.part }
    }

    /// What a handler has prepared for a value.
    struct Prepared: Sendable {
        let value: Value
        let part: PrefsValue?
        let preparation: Preparation
    }

    /// A part that a closure has refused.
    struct Refusal: Sendable {
        let taker: Int
        let part: PrefsValue?
        let error: PrefsError
        /// True if the whole is refused by a check.
        var isOfCheck = false
        /// True if a candidate has had the part since the last decision.
        var isSeen = true
    }

    struct State {
        var takers: [Taker] = []
        /// The number of changes that are being proposed to the handlers.
        var proposals = 0
        /// True if the configuration has been released.
        var hasEnded = false
        /// What closures have refused, as long as it is among the newest contents.
        var refusals: [Refusal] = []
        /// The number of reasons for which a closure may use something else than what is in force, and how many of them
        /// have been looked into.
        var doubts = (all: 0, settled: 0)
        /// The last valid value that was in force.
        var valid: Value
        /// The reason for which what is in force is no valid value: a change that nothing can refuse.
        var invalidity: ConfigurationInvalidity?

        /// Returns the reason for which one of some parts was refused.
        mutating func refusal(of parts: [Int: PrefsValue?]) -> Refusal? {
            var refusal: Refusal?
            for index in refusals.indices where parts[refusals[index].taker] == .some(refusals[index].part) {
                refusals[index].isSeen = true
                refusal = refusal ?? refusals[index]
            }
            return refusal
        }

        /// Returns true if handlers have accepted some parts.
        func haveAccepted(_ parts: [Int: PrefsValue?]) -> Bool {
            takers.allSatisfy { taker in parts[taker.number].map { $0 == taker.acceptedPart } ?? true }
        }

        /// Has a part no longer rejected that a handler has accepted.
        mutating func forgetRefusal(of part: PrefsValue?, by number: Int) {
            refusals.removeAll { $0.taker == number && $0.part == part }
        }

        func index(of number: Int) -> Int? { takers.firstIndex { $0.number == number } }
    }

    let state: Lock<State>
    let fields: ConfigurationFields<Value>
    let patience: Duration
    let coordinator: ApplyCoordinator
    /// The stack, as long as there is one.
    let storage: @Sendable () -> PrefsStack?
    /// The identity of the stack.
    let stack: ObjectIdentifier

    /// - Parameters:
    ///   - fields: The fields of the configuration.
    ///   - storage: The stack.
    ///   - value: The value in force.
    ///   - patience: The time after which a closure that still runs is reported.
    init(
        fields: ConfigurationFields<Value>, storage: PrefsStack, inForce value: Value,
        patience: Duration = .seconds(10)
    ) {
        (self.fields, self.patience) = (fields, patience)
        (coordinator, stack) = (storage.engine.coordinator, ObjectIdentifier(storage))
        state = Lock(State(valid: value))
        self.storage = { [weak storage] in storage }
    }

    /// True if a closure has failed to apply what is in force, so that the program's state is not that of any version.
    var isInconsistent: Bool { state.withLock { $0.takers.contains(where: \.hasFailed) } }

    var invalidity: ConfigurationInvalidity? { state.withLock { $0.invalidity } }

    /// The value in force; the last valid one if a change that could not be refused has made that invalid.
    var lastValid: Value { state.withLock { $0.valid } }

    /// Notes the value in force, before there are closures.
    func start(with value: Value) {
        state.withLockReleasing { state in
            defer { state.valid = value }
            return state.valid
        }
    }

    /// Registers a handler; returns its number. If a value is being proposed, the handler is asked, too, before that is
    /// put in force.
    ///
    /// - Parameter value: The value in force, which the program uses.
    func add(_ handler: ApplyHandler<Value>, using value: Value) -> Int {
        let number = coordinator.number()
        let taker = Taker(number: number, handler: handler, applied: (value, handler.part(value)))
        state.withLock { state in
            state.doubts.all += 1
            state.takers.append(taker)
        }
        return number
    }

    /// Ends the registration of a handler, and aborts what it has prepared; what only that had refused is offered again.
    func remove(_ number: Int) {
        let (removed, hasRefused) = state.withLock { state in
            let (before, count) = (state.takers, state.refusals.count)
            state.takers.removeAll { $0.number == number }
            state.refusals.removeAll { $0.taker == number }
            return (before.filter { $0.number == number }, state.refusals.count < count)
        }
        coordinator.abort(removed.compactMap(\.prepared?.preparation), in: storage()?.engine)
        guard hasRefused, let storage = storage() else { return }
        _ = storage.engine.composeAgain()
        storage.engine.scheduleCommit()
    }

    /// Ends the registrations of all handlers, and aborts what they have prepared. One-phase handlers remain until the job
    /// has ended in which they may have switched: it calls them back.
    func removeAll() {
        let removed = state.withLock { state in
            state.hasEnded = true
            defer { state.takers.removeAll { state.proposals == 0 || $0.handler.phase != .switching } }
            return state.takers
        }
        coordinator.abort(removed.compactMap(\.prepared?.preparation), in: storage()?.engine)
    }

    /// Notes the value that a handler uses now. What it has accepted it refuses no longer.
    ///
    /// - Parameter failedFrom: The value that the program may use instead, because the handler has failed to apply this
    ///   one.
    func note(_ value: Value, appliedBy number: Int, failedFrom: Value? = nil) {
        guard let taker = taker(number) else { return }
        let part = taker.part(value)
        state.withLockReleasing { state in
            let index = state.index(of: number)
            let before = index.map { state.takers[$0] }
            if let index {
                (state.takers[index].applied, state.takers[index].failedFrom) = ((value, part), failedFrom)
                if failedFrom == nil { state.forgetRefusal(of: part, by: number) }
            }
            return before
        }
    }

    /// Keeps what a handler has prepared; returns false if the handler is no longer registered.
    func keep(_ prepared: Prepared, of number: Int) -> Bool {
        state.withLock { state in
            guard let index = state.index(of: number) else { return false }
            state.takers[index].prepared = prepared
            state.forgetRefusal(of: prepared.part, by: number)
            return true
        }
    }

    /// Takes what a handler has prepared, for the one call that it gets; `nil` if another thread has taken it.
    func takePrepared(of number: Int) -> Prepared? {
        state.withLock { state in
            state.index(of: number).flatMap { state.takers[$0].prepared.take() }
        }
    }

    func taker(_ number: Int) -> Taker? {
        state.withLock { $0.takers.first { $0.number == number } }
    }

    var takers: [Taker] { state.withLock { $0.takers } }

    /// Forgets that a value was refused, so that it is offered again; returns false if none was.
    func forgetRefusal() -> Bool {
        state.withLock { state in
            defer { state.refusals = [] }
            return !state.refusals.isEmpty
        }
    }
}

extension Offers {
    /// Proposes a value that the program itself wants to store, and stores it, as a job of its own.
    ///
    /// The handlers run in a task of their own: once they are being called, the caller's cancellation ends nothing. What
    /// they had prepared has been committed or aborted when this returns or throws.
    ///
    /// - Parameters:
    ///   - make: Returns the value that is to take the place of the present one, after those that waited before it; `nil`
    ///     if there is nothing to ask about.
    ///   - place: Returns the error of a handler with the place of what it has refused.
    ///   - store: Stores the value. If that fails, the handlers are called back.
    func storing<Result>(
        _ make: () throws -> (old: Value, new: Value)?, locating place: (PrefsError) -> PrefsError = { $0 },
        _ store: () throws -> Result
    ) async throws -> Result {
        try await alone {
            do {
                if let (old, new) = try make() {
                    let proposing = Task.detached { [self] in
                        await coordinator.propose([Proposal(offers: self, old: old, new: new)])
                    }
                    if let error = PrefsError(await proposing.value.map { place($0.error) }) { throw error }
                }
                let result = try coordinator.storing(store)
                if takers.contains(where: { $0.prepared != nil }) { await settle() }
                return result
            } catch {
                // It may be stored in spite of the error, although perhaps not on disk.
                await settle()
                throw error
            }
        }
    }

    /// Brings the handlers to what is in force.
    private func settle() async {
        let inForce = lastValid
        await Task.detached { [self] in
            await coordinator.settle([Proposal(offers: self, old: inForce, new: inForce)])
        }.value
    }

    /// Calls `body` while nothing is being proposed; what is read meanwhile is proposed after it.
    func alone<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await coordinator.alone(in: { storage()?.engine }, body)
    }

    /// Has a handler apply the value in force before it has applied any, within ``alone(_:)``.
    ///
    /// - Throws: The error of the handler, with the key and the place of what it has rejected.
    func start(_ number: Int) async throws {
        guard let taker = taker(number), let snapshot = storage()?.snapshot else { return }
        let value = lastValid
        do {
            if let preparation = try await prepare(taker, nil, value) { await preparation.commit() }
        } catch let error where !(error is CancellationError) {
            throw startProblem(error, of: taker, value, in: snapshot)
        }
        note(value, appliedBy: number)
    }
}
