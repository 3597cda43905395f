import PrefsDocuments
import PrefsSystem

/// Coordinates the handlers of all configurations of a stack: one serial queue of jobs, in each of which handlers accept
/// or reject one change.
///
/// **Jobs.** A commit that finds a candidate with changed parts does not wait for the program. It begins a job, and the
/// versions that lead to the candidate wait, see ``LayerDecision``. When the job has ended, the
/// stack commits again: if all handlers have accepted, the same candidate has no problem now. While a job runs, candidates
/// only wait, so that of several edits the newest is next. An update is a job of its own; updates wait in order.
///
/// **Order.** A job calls the checks, then lets the two-phase handlers prepare, then calls the one-phase handlers, across
/// all configurations, each group in order of registration. If one of them throws, the handlers before it are taken back
/// in reverse order: one-phase handlers are called with what is active, and what was prepared is aborted.
///
/// **After publication** what was prepared is committed, in order, by another job: ``note(_:to:of:)`` begins it in the
/// commit that publishes the change. The same job brings every handler to what is active if the change was not published
/// after all, because a newer edit has superseded it, or if nothing could reject a change, such as that of a lock.
///
/// **Exactly once.** What a handler has prepared is kept with the handler. Whoever commits or aborts it first takes it from
/// there, with the mutex of ``Offers`` held, so no other thread can do so again. It is taken by jobs, at the end of a
/// registration, and at the end of the configuration. If the registration has ended while the handler prepared, the
/// job aborts what it returns. If the configuration has ended, the job asks no further handler of it, and calls back the
/// one-phase handlers that have switched.
///
/// **Failures.** If a handler cannot go back to what is active, the configuration is inconsistent. Every later job
/// of that configuration calls the handler again, before it asks about something else.
///
/// **The end of the program.** ``stop(_:)`` cancels what is being prepared, and proposes nothing more.
///
/// The mutex is a leaf. No code of the program is called while it is held.
final class ApplyCoordinator: Sendable {
    private struct State {
        /// The number of handlers that were ever registered.
        var handlers = 0
        /// The number of jobs that have begun.
        var jobs = 0
        /// True while handlers are being called, or may be called next by the first update that waits.
        var isBusy = false
        /// True if that is because updates wait.
        var isReserved = false
        /// True while an update is being stored that handlers have accepted.
        var isStoring = false
        /// The number of commits of what was read while handlers were called, and of calls beside the queue, which have not
        /// ended.
        var commits = 0
        /// True if the program is about to end, so that nothing is proposed.
        var isStopped = false
        /// The present call of a handler that may throw.
        var asking: Task<ApplyRefusal?, Never>?
        /// The composition of the stack from which on a decision takes into account what handlers have accepted.
        var composition: UInt64 = 0
        /// The updates that wait for the end of the present job, in order.
        var updates = Fifo<AsyncStream<Void>.Continuation>()
        /// The callers that wait until nothing is being proposed.
        var others: [AsyncStream<Never>.Continuation] = []

        var isUndecided: Bool { isBusy || commits > 0 }

        /// True while handlers are being called, which may still reject what some of them have accepted.
        var isCalling: Bool { isBusy && !isReserved && !isStoring }

        /// True if the job of an edit may begin. An edit comes before the updates that wait, which are stored on top of it.
        var isFree: Bool { !isBusy || isReserved }

        mutating func begin() {
            (isBusy, isReserved) = (true, false)
            jobs += 1
        }

        /// Notes the call of a handler; returns true if the program is about to end.
        mutating func begin(_ call: Task<ApplyRefusal?, Never>) -> Bool {
            asking = call
            return isStopped
        }
    }

    private let state = Lock(State())

    /// Returns a number for a handler, larger than those of the handlers that were registered before.
    func number() -> Int {
        state.withLock { state in
            state.handlers += 1
            return state.handlers
        }
    }
}

// MARK: - Decisions of the stack

extension ApplyCoordinator {
    /// Returns what the handlers have said about a candidate.
    ///
    /// - Parameter deciders: The configurations whose handlers are asked.
    func answer(
        to candidate: PrefsSnapshot, since inForce: PrefsSnapshot, _ dirty: PathList,
        by deciders: [any CandidateDecider]
    ) -> ApplyAnswer {
        let jobs = state.withLock { $0.jobs }
        let proposals = deciders.compactMap { $0.proposal(of: candidate, since: inForce, dirty) }
        if proposals.isEmpty { return .accepted }
        let refusals = proposals.compactMap(\.refusal)
        if !refusals.isEmpty { return .refused(refusals) }
        let areAccepted = proposals.allSatisfy(\.isAccepted)
        return state.withLock { state in
            // A handler that is cancelled may return as if it had accepted. What was accepted before a job that has begun
            // meanwhile may have been taken back.
            let holds = areAccepted && !state.isStopped && !state.isCalling && state.jobs == jobs
            return holds ? .accepted : .waiting(proposals)
        }
    }

    /// Begins to propose a change, unless handlers are being called: the stack then commits again when these have answered.
    func begin(_ proposals: [any ApplyProposal], in engine: CommitEngine) {
        let begins = state.withLock { state in
            if state.isStopped || !state.isFree { return false }
            state.begin()
            return true
        }
        if !begins { return }
        // Not within the overrides of the task that commits.
        Task.detached { [self, weak engine] in
            for refusal in await propose(proposals) { refusal.remember() }
            end(engine)
        }
    }

    /// The errors of a write that does not wait for the program, of each key that it would change.
    static func undecided(
        _ dirty: PathList, by deciders: [any CandidateDecider], _ candidate: PrefsSnapshot,
        _ inForce: PrefsSnapshot
    ) -> [PrefsError] {
        // A transaction may also change keys that no handler is asked about.
        let keys = dirty.prefix(PrefsLimits.reports).filter { path in
            deciders.contains { $0.proposal(of: candidate, since: inForce, [path]) != nil }
        }.map { Optional($0.name) }
        return (keys.isEmpty ? [nil] : keys).map { key in
            PrefsError(
                .undecided, key: key,
                reason: """
                    not written because the program's `apply` handlers must accept the value first, and a single \
                    write does not wait for them; edit the file, or store the value with `Live.update`
                    """)
        }
    }

    /// Notes what the stack has decided on, and brings the handlers to it that use or have prepared something else, or
    /// have prepared exactly that. The calling thread holds the commit
    /// lock.
    func note(
        _ decision: CandidateDecision, to deciders: [any CandidateDecider], of engine: CommitEngine
    ) {
        for decider in deciders { decider.note(decision) }
        let mayBegin = state.withLock { state in
            (!decision.isPending || state.isStopped) && decision.count >= state.composition && state.isFree
        }
        if !mayBegin { return }
        let unsettled = deciders.compactMap { $0.unsettled() }
        if unsettled.isEmpty { return }
        let begins = state.withLock { state in
            // An update brings handlers to what is active itself, but for what they have prepared for that.
            let mustBegin = !state.isReserved || unsettled.contains(where: \.proposal.hasPreparations)
            guard state.isFree, mustBegin, decision.count >= state.composition else { return false }
            state.begin()
            return true
        }
        if !begins { return }
        for configuration in unsettled { configuration.proposal.noteSettled(configuration.doubts) }
        Task.detached { [self, weak engine] in
            await settle(unsettled.map(\.proposal))
            end(engine)
        }
    }
}

// MARK: - Calls of handlers

extension ApplyCoordinator {
    /// Has the handlers of some configurations prepare or apply new values. If one of them throws, those that had accepted
    /// are taken back in reverse order; returns the refusals: of all checks, or of the first other handler that throws.
    ///
    /// Those that have accepted the same part already, of a value that is not in force yet, are not asked again.
    func propose(_ proposals: [any ApplyProposal]) async -> [ApplyRefusal] {
        for proposal in proposals { proposal.noteBegin() }
        await settle(proposals, unlessProposed: true)
        var refusals: [ApplyRefusal] = []
        for step in steps(of: proposals) where refusals.isEmpty || step.phase == .checking {
            if step.proposal.hasEnded { continue }
            if let refusal = await ask(step) { refusals.append(refusal) }
        }
        await settle(refusals.isEmpty ? proposals.filter(\.hasEnded) : proposals)
        for proposal in proposals { proposal.noteEnd() }
        return refusals
    }

    /// Asks a handler, in a task of its own, which is cancelled if the program is about to end.
    private func ask(_ step: Step) async -> ApplyRefusal? {
        let asking = Task { await step.proposal.ask(step.number) }
        if state.withLock({ $0.begin(asking) }) { asking.cancel() }
        let refusal = await asking.value
        let isStopped = state.withLock { state in
            state.asking = nil
            return state.isStopped
        }
        return isStopped ? ApplyRefusal(error: Self.stopped) {} : refusal
    }

    /// The error of a change that was being proposed when the program was about to end.
    private static var stopped: PrefsError {
        PrefsError(.busy, reason: "the program is shutting down; nothing was changed")
    }

    /// Brings the handlers of some configurations to what is active: those that use something else are called, in reverse
    /// order; then what was prepared for it is committed, in order, and what was prepared for something else has been
    /// aborted.
    ///
    /// - Parameter unlessProposed: True to leave alone what has been accepted of the new values.
    func settle(_ proposals: [any ApplyProposal], unlessProposed: Bool = false) async {
        let steps = steps(of: proposals)
        for step in steps.reversed() {
            // What a program has applied that is about to end need not be taken back.
            if step.phase == .switching, state.withLock({ $0.isStopped }) { continue }
            await step.proposal.takeBack(step.number, unlessProposed: unlessProposed)
        }
        for step in steps { await step.proposal.complete(step.number, unlessProposed: unlessProposed) }
    }

    /// The call of one handler.
    private struct Step {
        let phase: ApplyPhase
        let number: Int
        let proposal: any ApplyProposal
    }

    private func steps(of proposals: [any ApplyProposal]) -> [Step] {
        proposals.flatMap { proposal in
            proposal.handlers.map { Step(phase: $0.phase, number: $0.number, proposal: proposal) }
        }.sorted { ($0.phase, $0.number) < ($1.phase, $1.number) }
    }

    /// Aborts what handlers had prepared that are no longer registered.
    func abort(_ preparations: [Preparation], in engine: CommitEngine?) {
        if preparations.isEmpty { return }
        state.withLock { $0.commits += 1 }
        Task.detached { [self, weak engine] in
            for preparation in preparations.reversed() { await preparation.abort() }
            noteCommit(of: engine)
        }
    }
}

// MARK: - The end of the program

extension ApplyCoordinator {
    /// Proposes nothing more, and cancels what is being prepared. When this returns, everything that was prepared has been
    /// committed if it is active, and otherwise aborted. Ends early if the task is cancelled.
    func stop(_ engine: CommitEngine) async {
        let asking = state.withLock { state in
            state.isStopped = true
            return state.asking
        }
        asking?.cancel()
        await decided()
        _ = engine.composeAgain()
        engine.commit()
        await decided()
    }

    /// Proposes changes again.
    func resume(_ engine: CommitEngine) {
        let wasStopped = state.withLock { state in
            defer { state.isStopped = false }
            return state.isStopped
        }
        if !wasStopped { return }
        _ = engine.composeAgain()
        engine.scheduleCommit()
    }
}

// MARK: - The queue

extension ApplyCoordinator {
    /// Calls `body` while nothing is being proposed; what is read meanwhile is proposed after it.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits.
    func alone<Result>(
        in engine: @Sendable () -> CommitEngine?, _ body: () async throws -> Result
    ) async throws -> Result {
        try await begin()
        defer { end(engine()) }
        return try await body()
    }

    private func begin() async throws {
        try Task.checkCancellation()
        let (start, waiter) = AsyncStream<Void>.makeStream()
        let isFirst = state.withLock { state in
            if state.isUndecided {
                state.updates.append(waiter)
                return false
            }
            state.begin()
            return true
        }
        if isFirst { return }
        for await _ in start { return }
        throw CancellationError()
    }

    /// Stores what handlers have accepted.
    func storing<Result>(_ store: () throws -> Result) rethrows -> Result {
        state.withLock { $0.isStoring = true }
        defer { state.withLock { $0.isStoring = false } }
        return try store()
    }

    /// Ends a job: what was read meanwhile is looked at, and then the next update follows.
    private func end(_ engine: CommitEngine?) {
        let composition = engine?.composeAgain() ?? 0
        state.withLock { state in
            state.composition = composition
            state.commits += 1
            state.isReserved = !state.updates.isEmpty
            state.isBusy = state.isReserved
        }
        guard let engine else { return noteCommit(of: nil) }
        engine.commitQueue.post {
            engine.commit()
            self.noteCommit(of: engine)
        }
    }

    /// Notes the end of a commit: the next update follows, or those go on who wait for the decision.
    private func noteCommit(of engine: CommitEngine?) {
        typealias Waiters = (
            update: AsyncStream<Void>.Continuation?, others: [AsyncStream<Never>.Continuation]
        )
        let (update, others) = state.withLock { state -> Waiters in
            state.commits -= 1
            if state.commits == 0, state.isFree, let update = state.updates.popFirst() {
                state.begin()
                return (update, [])
            }
            if state.isUndecided { return (nil, []) }
            defer { state.others = [] }
            return (nil, state.others)
        }
        for waiter in others { waiter.finish() }
        if let update { resume(update, in: engine) }
    }

    /// Resumes an update, or the first one behind it whose task has not been cancelled.
    private func resume(_ update: AsyncStream<Void>.Continuation, in engine: CommitEngine?) {
        var next = update
        while case .terminated = next.yield() {
            guard let following = state.withLock({ $0.updates.popFirst() }) else { return end(engine) }
            next = following
        }
    }

    /// True if something is being proposed or committed, or if another job may be next.
    var isBusy: Bool { state.withLock { $0.isUndecided } }

    /// Waits until nothing is being proposed or committed, or until the task is cancelled.
    func decided() async {
        let (decision, waiter) = AsyncStream<Never>.makeStream()
        let waits = state.withLock { state in
            if state.isUndecided { state.others.append(waiter) }
            return state.isUndecided
        }
        if waits { for await _ in decision {} }
    }
}

/// The order in which handlers are called, of one phase in the order of registration.
enum ApplyPhase: Int, Comparable, Sendable {
    /// The check of a configuration as a whole.
    case checking
    /// A two-phase handler, which prepares.
    case preparing
    /// A one-phase handler, which switches.
    case switching

    static func < (first: ApplyPhase, second: ApplyPhase) -> Bool { first.rawValue < second.rawValue }
}

/// What a two-phase handler has prepared. It gets exactly one of the two calls.
struct Preparation: Sendable {
    let commit: @Sendable () async -> Void
    let abort: @Sendable () async -> Void
}
