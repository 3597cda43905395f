import PrefsDocuments
import PrefsSystem

/// The handlers of one configuration, and the values that they have accepted.
///
/// For each handler we know the value that it uses. For a two-phase handler we also know its preparation. The
/// stack's ``ApplyCoordinator`` decides when handlers are called: before a new value becomes active, and whenever
/// a handler does not use the active value.
final class ApplyHandlers<Value: Codable & Sendable>: CandidateDecider {
    /// A registered handler.
    struct Registration: Sendable {
        let number: Int
        let handler: ApplyHandler<Value>
        /// The value that the handler has applied last, or has failed to apply if `failedFrom` is set, with its part.
        var applied: (value: Value, part: PrefsValue?)
        /// The value that a two-phase handler has prepared, until it is committed or aborted.
        var prepared: Prepared?
        /// The value that the program may still use, because the handler has failed to apply the newer one.
        var failedFrom: Value?

        var hasFailed: Bool { failedFrom != nil }

        /// Returns the stored form of the handler's part of a value.
        func part(_ value: Value) -> PrefsValue? { handler.part(value) }

        func uses(_ value: Value) -> Bool { isSettled(at: value) && !hasFailed }

        /// Returns true if the handler uses a value, or has failed to apply it.
        func isSettled(at value: Value) -> Bool { prepared == nil && applied.part == part(value) }

        func accepts(_ value: Value) -> Bool { acceptedPart == part(value) }

        /// The part of the value that the handler has accepted last.
        var acceptedPart: PrefsValue? { prepared.map(\.part) ?? applied.part }
    }

    /// A value that a handler has prepared.
    struct Prepared: Sendable {
        let value: Value
        let part: PrefsValue?
        let preparation: Preparation
    }

    /// A part of a value that a handler has rejected.
    struct RejectedPart: Sendable {
        let registration: Int
        let part: PrefsValue?
        let error: PrefsError
        /// True if a check has rejected the whole value.
        var isOfCheck = false
        /// True if a candidate has had this part since the last decision.
        var isSeen = true
    }

    struct State {
        var registrations: [Registration] = []
        /// The number of changes that are being proposed to the handlers.
        var proposals = 0
        /// True if the configuration has been released.
        var hasEnded = false
        /// The parts that handlers have rejected. They are remembered for as long as the newest contents have them.
        var rejectedParts: [RejectedPart] = []
        /// The number of events that may have left a handler with another value than the active one, and the
        /// number of these events that a review of the handlers has followed.
        var reviews = (requested: 0, done: 0)
        /// The last valid value that was active.
        var valid: Value
        /// The reason why the active value is invalid. Only a change that nothing can reject makes it so.
        var invalidity: ConfigurationInvalidity?

        /// Returns the first rejected part among some parts, and marks all rejected ones as seen.
        mutating func rejectedPart(of parts: [Int: PrefsValue?]) -> RejectedPart? {
            var rejection: RejectedPart?
            for index in rejectedParts.indices
            where parts[rejectedParts[index].registration] == .some(rejectedParts[index].part) {
                rejectedParts[index].isSeen = true
                rejection = rejection ?? rejectedParts[index]
            }
            return rejection
        }

        /// Returns true if handlers have accepted some parts.
        func haveAccepted(_ parts: [Int: PrefsValue?]) -> Bool {
            registrations.allSatisfy { registration in
                parts[registration.number].map { $0 == registration.acceptedPart } ?? true
            }
        }

        /// Forgets that a handler has rejected a part, because it has accepted it now.
        mutating func forgetRejection(of part: PrefsValue?, by number: Int) {
            rejectedParts.removeAll { $0.registration == number && $0.part == part }
        }

        func index(of number: Int) -> Int? { registrations.firstIndex { $0.number == number } }
    }

    let state: Lock<State>
    let fields: ConfigurationFields<Value>
    let patience: Duration
    let coordinator: ApplyCoordinator
    /// Returns the stack; `nil` if it has been released.
    let storage: @Sendable () -> PrefsStack?
    /// The identity of the stack.
    let stack: ObjectIdentifier

    /// - Parameters:
    ///   - fields: The fields of the configuration.
    ///   - storage: The stack.
    ///   - value: The active value.
    ///   - patience: The time after which a handler that is still running is reported.
    init(
        fields: ConfigurationFields<Value>, storage: PrefsStack, active value: Value,
        patience: Duration = .seconds(10)
    ) {
        (self.fields, self.patience) = (fields, patience)
        (coordinator, stack) = (storage.engine.coordinator, ObjectIdentifier(storage))
        state = Lock(State(valid: value))
        self.storage = { [weak storage] in storage }
    }

    /// True if a handler has failed to apply the active value, so that the program may use parts of two values.
    var isInconsistent: Bool { state.withLock { $0.registrations.contains(where: \.hasFailed) } }

    var invalidity: ConfigurationInvalidity? { state.withLock { $0.invalidity } }

    /// The active value, or the last valid one if the active value is invalid.
    var lastValid: Value { state.withLock { $0.valid } }

    /// Sets the active value before there are handlers.
    func start(with value: Value) {
        state.withLockReleasing { state in
            defer { state.valid = value }
            return state.valid
        }
    }

    /// Registers a handler, and returns its number. If a value is being proposed, this handler must accept it, too.
    ///
    /// - Parameter value: The active value, which the program uses.
    func add(_ handler: ApplyHandler<Value>, using value: Value) -> Int {
        let number = coordinator.number()
        let registration = Registration(
            number: number, handler: handler, applied: (value, handler.part(value)))
        state.withLock { state in
            state.reviews.requested += 1
            state.registrations.append(registration)
        }
        return number
    }

    /// Ends the registration of a handler, and aborts its preparation. If only this handler had rejected a change,
    /// the change is proposed again.
    func remove(_ number: Int) {
        let (removed, hasRejected) = state.withLock { state in
            let (before, count) = (state.registrations, state.rejectedParts.count)
            state.registrations.removeAll { $0.number == number }
            state.rejectedParts.removeAll { $0.registration == number }
            return (before.filter { $0.number == number }, state.rejectedParts.count < count)
        }
        coordinator.abort(removed.compactMap(\.prepared?.preparation), in: storage()?.engine)
        guard hasRejected, let storage = storage() else { return }
        _ = storage.engine.composeAgain()
        storage.engine.scheduleCommit()
    }

    /// Ends all registrations, and aborts the handlers' preparations. While a change is being proposed, one-phase
    /// handlers stay registered, so that the job can roll them back.
    func removeAll() {
        let removed = state.withLock { state in
            state.hasEnded = true
            defer { state.registrations.removeAll { state.proposals == 0 || $0.handler.phase != .switching } }
            return state.registrations
        }
        coordinator.abort(removed.compactMap(\.prepared?.preparation), in: storage()?.engine)
    }

    /// Notes the value that a handler uses now.
    ///
    /// - Parameter failedFrom: The value that the program may still use, because the handler has failed to apply `value`.
    func note(_ value: Value, appliedBy number: Int, failedFrom: Value? = nil) {
        guard let registration = registration(number) else { return }
        let part = registration.part(value)
        state.withLockReleasing { state in
            let index = state.index(of: number)
            let before = index.map { state.registrations[$0] }
            if let index {
                (state.registrations[index].applied, state.registrations[index].failedFrom) = (
                    (value, part), failedFrom
                )
                if failedFrom == nil { state.forgetRejection(of: part, by: number) }
            }
            return before
        }
    }

    /// Stores a handler's preparation. Returns false if the handler is no longer registered.
    func keep(_ prepared: Prepared, of number: Int) -> Bool {
        state.withLock { state in
            guard let index = state.index(of: number) else { return false }
            state.registrations[index].prepared = prepared
            state.forgetRejection(of: prepared.part, by: number)
            return true
        }
    }

    /// Takes a handler's preparation in order to commit or abort it; `nil` if there is none, for example because
    /// another thread has taken it.
    func takePrepared(of number: Int) -> Prepared? {
        state.withLock { state in
            state.index(of: number).flatMap { state.registrations[$0].prepared.take() }
        }
    }

    func registration(_ number: Int) -> Registration? {
        state.withLock { $0.registrations.first { $0.number == number } }
    }

    var registrations: [Registration] { state.withLock { $0.registrations } }

    /// Forgets all rejected parts, so that they are proposed again. Returns false if there are none.
    func forgetRejections() -> Bool {
        state.withLock { state in
            defer { state.rejectedParts = [] }
            return !state.rejectedParts.isEmpty
        }
    }
}

extension ApplyHandlers {
    /// Proposes a value that the program wants to store, and stores it, as a job of its own.
    ///
    /// The handlers run in a task of their own, so the caller's cancellation does not stop them. When this returns or
    /// throws, everything that they have prepared has been committed or aborted.
    ///
    /// - Parameters:
    ///   - make: Returns the active value and the value to propose, once earlier updates have ended; `nil` if no handler
    ///     need be asked.
    ///   - place: Returns the error of a handler with the place of the rejected value.
    ///   - store: Stores the value. If it throws, the handlers are rolled back.
    func storing<Result>(
        _ make: () throws -> (old: Value, new: Value)?, locating place: (PrefsError) -> PrefsError = { $0 },
        _ store: () throws -> Result
    ) async throws -> Result {
        try await alone {
            do {
                if let (old, new) = try make() {
                    let proposing = Task.detached { [self] in
                        await coordinator.propose([Proposal(owner: self, old: old, new: new)])
                    }
                    if let error = PrefsError(await proposing.value.map { place($0.error) }) { throw error }
                }
                let result = try coordinator.storing(store)
                if registrations.contains(where: { $0.prepared != nil }) { await settle() }
                return result
            } catch {
                // The value may be stored in spite of the error, for example if only fsync(2) has failed.
                await settle()
                throw error
            }
        }
    }

    /// Makes the handlers use the active value.
    private func settle() async {
        let active = lastValid
        await Task.detached { [self] in
            await coordinator.settle([Proposal(owner: self, old: active, new: active)])
        }.value
    }

    /// Calls `body` while nothing else is being proposed. Edits that are read in the meantime are proposed afterwards.
    func alone<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await coordinator.alone(in: { storage()?.engine }, body)
    }

    /// Calls a new handler for the first time, with the active value, within ``alone(_:)``.
    ///
    /// - Throws: The error of the handler, with the key and the place of the rejected value.
    func start(_ number: Int) async throws {
        guard let registration = registration(number), let snapshot = storage()?.snapshot else { return }
        let value = lastValid
        do {
            if let preparation = try await prepare(registration, nil, value) { await preparation.commit() }
        } catch let error where !(error is CancellationError) {
            throw startProblem(error, of: registration, value, in: snapshot)
        }
        note(value, appliedBy: number)
    }
}
