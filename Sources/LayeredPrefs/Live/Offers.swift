import PrefsDocuments
import PrefsSystem

/// The values that are offered to the program before they are committed: it takes one, or refuses it.
///
/// One value at a time is offered; of later edits the newest waits, and updates wait in order. Until the program has
/// accepted a value, the versions that lead to it are refused. Of each closure the value is known that it has accepted
/// last: whenever the stack has decided on something else, it is called with that.
final class Offers<Value: Codable & Sendable>: CandidateDecider {
    typealias Body = @Sendable (_ old: Value, _ new: Value) async throws -> Void

    /// A closure that is asked about a part of the value.
    struct Taker: Sendable {
        let number: Int
        /// Returns the stored form of the part that the closure is asked about.
        let part: @Sendable (Value) -> PrefsValue?
        let body: Body
        /// The value that the closure has accepted last, and its part.
        var applied: (value: Value, part: PrefsValue?)
        /// True if the closure could not apply that.
        var hasFailed = false

        func uses(_ value: Value) -> Bool { applied.part == part(value) }
    }

    /// A part that a closure has refused.
    struct Refusal: Sendable {
        let taker: Int
        let part: PrefsValue?
        let error: PrefsError
        /// True if a candidate has had the part since the last decision.
        var isSeen = true
    }

    struct State {
        var takers: [Taker] = []
        var count = 0
        /// What closures have refused, as long as it is among the newest contents.
        var refusals: [Refusal] = []
        /// True while closures are being called, or may be called next by the first update that waits.
        var isBusy = false
        /// True if that is because updates wait.
        var isReserved = false
        /// True while an update is being stored that closures have accepted.
        var isStoring = false
        /// The number of looks at what was read while closures were called, which have not ended.
        var looks = 0
        /// The composition of the stack from which on a decision takes into account what closures have accepted.
        var composition: UInt64 = 0
        /// The number of reasons for which a closure may use something else than what is in force, and how many of them
        /// have been looked into.
        var doubts = (all: 0, settled: 0)
        /// The updates that wait for the end of the present offer, in order.
        var updates = Fifo<AsyncStream<Void>.Continuation>()
        /// The callers that wait until nothing is being offered.
        var others: [AsyncStream<Never>.Continuation] = []
        /// The last valid value that was in force.
        var valid: Value
        /// The reason for which what is in force is no valid value: a change that nothing can refuse.
        var invalidity: ConfigurationInvalidity?

        var isUndecided: Bool { isBusy || looks > 0 }

        /// True while closures are being called, which may still refuse what some of them have accepted.
        var isCalling: Bool { isBusy && !isReserved && !isStoring }

        /// Returns the reason for which one of some parts was refused.
        mutating func refusal(of parts: [Int: PrefsValue?]) -> PrefsError? {
            var error: PrefsError?
            for index in refusals.indices where parts[refusals[index].taker] == .some(refusals[index].part) {
                refusals[index].isSeen = true
                error = error ?? refusals[index].error
            }
            return error
        }

        /// Returns true if closures have accepted some parts.
        func areApplied(_ parts: [Int: PrefsValue?]) -> Bool {
            takers.allSatisfy { taker in parts[taker.number].map { $0 == taker.applied.part } ?? true }
        }
    }

    let state: Lock<State>
    let fields: ConfigurationFields<Value>
    let patience: Duration
    /// The stack, as long as there is one.
    let storage: @Sendable () -> LayeredPrefsStorage?

    /// - Parameters:
    ///   - fields: The fields of the configuration.
    ///   - storage: The stack.
    ///   - value: The value in force.
    ///   - patience: The time after which a closure that still runs is reported.
    init(
        fields: ConfigurationFields<Value>, storage: LayeredPrefsStorage, inForce value: Value,
        patience: Duration = .seconds(10)
    ) {
        (self.fields, self.patience) = (fields, patience)
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

    /// Registers a closure; returns its number. If a value is being offered, the closure is asked, too, before that is
    /// put in force.
    ///
    /// - Parameter value: The value in force, which the program uses.
    func add(
        using value: Value, _ part: @escaping @Sendable (Value) -> PrefsValue?, _ body: @escaping Body
    ) -> Int {
        let applied = part(value)
        return state.withLock { state in
            state.count += 1
            state.doubts.all += 1
            state.takers.append(
                Taker(number: state.count, part: part, body: body, applied: (value, applied)))
            return state.count
        }
    }

    /// Ends the registration of a closure; what only that had refused is offered again.
    func remove(_ number: Int) {
        let (removed, hasRefused) = state.withLock { state in
            let (before, count) = (state.takers, state.refusals.count)
            state.takers.removeAll { $0.number == number }
            state.refusals.removeAll { $0.taker == number }
            return (before, state.refusals.count < count)
        }
        withExtendedLifetime(removed) {}
        guard hasRefused, let storage = storage() else { return }
        _ = storage.composeAgain()
        storage.postLook()
    }

    /// Notes the value that a closure uses now. What it has accepted it refuses no longer.
    ///
    /// - Parameter hasFailed: True if it could not apply that.
    func note(_ value: Value, appliedBy number: Int, hasFailed: Bool = false) {
        guard let taker = taker(number) else { return }
        let part = taker.part(value)
        state.withLockReleasing { state in
            let index = state.takers.firstIndex { $0.number == number }
            let before = index.map { state.takers[$0] }
            if let index {
                (state.takers[index].applied, state.takers[index].hasFailed) = ((value, part), hasFailed)
                if !hasFailed { state.refusals.removeAll { $0.taker == number && $0.part == part } }
            }
            return before
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
    /// Offers a value that the program itself wants to store, and stores it; the only one that is being offered.
    ///
    /// The closures run in a task of their own: once they are being called, the caller's cancellation ends nothing.
    ///
    /// - Parameters:
    ///   - make: Returns the value that is to take the place of the present one, after those that waited before it; `nil`
    ///     if there is nothing to ask about.
    ///   - place: Returns the error of a closure with the place of what it has refused.
    ///   - store: Stores the value. If that fails, the closures are called back.
    func storing<Result>(
        _ make: () throws -> (old: Value, new: Value)?, locating place: (PrefsError) -> PrefsError = { $0 },
        _ store: () throws -> Result
    ) async throws -> Result {
        try await alone {
            do {
                if let (old, new) = try make() {
                    let offering = Task.detached { [self] in await offer(new, replacing: old) }
                    if let refusal = await offering.value { throw place(refusal.error) }
                }
                return try storingAccepted(store)
            } catch {
                // It may be stored in spite of the error, although perhaps not on disk.
                let inForce = lastValid
                await Task.detached { [self] in await settle(on: inForce) }.value
                throw error
            }
        }
    }

    private func storingAccepted<Result>(_ store: () throws -> Result) rethrows -> Result {
        state.withLock { $0.isStoring = true }
        defer { state.withLock { $0.isStoring = false } }
        return try store()
    }

    /// Calls `body` while nothing is being offered; what is read meanwhile is offered after it.
    func alone<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await begin()
        defer { end() }
        return try await body()
    }

    private func begin() async throws {
        try Task.checkCancellation()
        let (turn, waiter) = AsyncStream<Void>.makeStream()
        let isFirst = state.withLock { state in
            if state.isUndecided {
                state.updates.append(waiter)
                return false
            }
            state.isBusy = true
            return true
        }
        if isFirst { return }
        for await _ in turn { return }
        throw CancellationError()
    }

    /// Ends an offer: what was read meanwhile is looked at, and then the next update follows.
    func end() {
        let storage = storage()
        let composition = storage?.composeAgain() ?? 0
        state.withLock { state in
            state.composition = composition
            state.looks += 1
            state.isReserved = !state.updates.isEmpty
            state.isBusy = state.isReserved
        }
        guard let storage else { return noteLook() }
        storage.looks.post {
            storage.commit()
            self.noteLook()
        }
    }

    /// Notes the end of a look: the next update follows, or those go on who wait for the decision.
    private func noteLook() {
        typealias Waiters = (
            update: AsyncStream<Void>.Continuation?, others: [AsyncStream<Never>.Continuation]
        )
        let (update, others) = state.withLock { state -> Waiters in
            state.looks -= 1
            let isFree = !state.isBusy || state.isReserved
            if state.looks == 0, isFree, let update = state.updates.popFirst() {
                (state.isBusy, state.isReserved) = (true, false)
                return (update, [])
            }
            if state.isUndecided { return (nil, []) }
            defer { state.others = [] }
            return (nil, state.others)
        }
        for waiter in others { waiter.finish() }
        if let update { resume(update) }
    }

    /// Resumes an update, or the first one behind it whose task has not been cancelled.
    private func resume(_ update: AsyncStream<Void>.Continuation) {
        var next = update
        while case .terminated = next.yield() {
            guard let following = state.withLock({ $0.updates.popFirst() }) else { return end() }
            next = following
        }
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
