import PrefsDocuments
import PrefsSystem

/// Coordinates the handlers of all configurations of a stack. The coordinator is a serial queue of jobs. In each
/// job, handlers accept or reject one change.
///
/// **Jobs.** A commit does not wait for handlers. If its candidate changes parts with handlers, it begins a job,
/// and the changed sources wait; see ``LayerDecision``. When the job has ended, the stack commits again. If all
/// handlers have accepted, the same candidate now has no problem. While a job runs, no other edit is proposed, so
/// of several edits only the newest is next. An update is a job of its own; updates wait in order.
///
/// **Order.** A job calls the checks, then has the two-phase handlers prepare, then calls the one-phase handlers:
/// across all configurations, and each group in order of registration. If one of them throws, the handlers before
/// it are rolled back in reverse order. This calls one-phase handlers with the active value, and aborts prepared
/// values.
///
/// **After publication** another job commits the prepared values, in order. ``note(_:to:of:)`` begins it in the
/// commit that publishes the change. The same job calls handlers with the active value if the change was not
/// published after all, for example because of a newer edit, or if nothing could reject the change, such as a key
/// lock.
///
/// **Exactly once.** A prepared value is stored with its handler. A job, the end of a registration or the end of a
/// configuration takes the value from there, with the mutex of ``ApplyHandlers`` held, before it commits or aborts
/// the value. So nothing else can do so again. If a registration ends while its handler prepares, the job aborts
/// the result. If a configuration ends, the job calls no further handlers of it, and rolls back its one-phase
/// handlers.
///
/// **Failures.** If a handler cannot go back to the active value, the configuration is inconsistent. Each later
/// job of that configuration calls the handler again before anything else.
///
/// **Shutdown.** ``stop(_:)`` cancels the running call of a handler that may throw, and no edit is proposed any
/// more. An update is rejected, although its first handler may be called, in a cancelled task.
///
/// The mutex is a leaf. The program's code is never called while it is held.
final class ApplyCoordinator: Sendable {
    private struct State {
        /// The number of handlers that were ever registered.
        var handlers = 0
        /// The number of jobs that have begun.
        var jobs = 0
        /// True while a job runs, or while the next job is reserved for a waiting update.
        var isBusy = false
        /// True while the next job is reserved for a waiting update.
        var isReserved = false
        /// True while an accepted update is being stored.
        var isStoring = false
        /// The number of unfinished commits that follow jobs, and of unfinished calls outside the queue.
        var commits = 0
        /// True if the program is shutting down, so that no edit is proposed.
        var isStopped = false
        /// The running call of a handler that may throw.
        var asking: Task<ApplyRejection?, Never>?
        /// The number of the first composition that is decided on with the handlers' latest answers.
        var composition: UInt64 = 0
        /// The updates that wait for the end of the running job, in order.
        var updates = Fifo<AsyncStream<Void>.Continuation>()
        /// The callers that wait until nothing is being proposed.
        var others: [AsyncStream<Never>.Continuation] = []

        var isUndecided: Bool { isBusy || commits > 0 }

        /// True while handlers are being called, and may still reject a change that others have accepted.
        var isCalling: Bool { isBusy && !isReserved && !isStoring }

        /// True if the job of an edit may begin. Edits come before waiting updates, because an update is stored on
        /// top of them.
        var isFree: Bool { !isBusy || isReserved }

        mutating func begin() {
            (isBusy, isReserved) = (true, false)
            jobs += 1
        }

        /// Records the call of a handler. Returns true if the program is shutting down.
        mutating func begin(_ call: Task<ApplyRejection?, Never>) -> Bool {
            asking = call
            return isStopped
        }
    }

    private let state = Lock(State())

    /// Returns a number for a new handler, larger than the numbers of all handlers before it.
    func number() -> Int {
        state.withLock { state in
            state.handlers += 1
            return state.handlers
        }
    }
}

// MARK: - Decisions of the stack

extension ApplyCoordinator {
    /// Returns the handlers' answer to a candidate.
    ///
    /// - Parameter deciders: The configurations with handlers.
    func answer(
        to candidate: PrefsSnapshot, since active: PrefsSnapshot, _ dirty: PathList,
        by deciders: [any CandidateDecider]
    ) -> ApplyAnswer {
        let jobs = state.withLock { $0.jobs }
        let proposals = deciders.compactMap { $0.proposal(of: candidate, since: active, dirty) }
        if proposals.isEmpty { return .accepted }
        let rejections = proposals.compactMap(\.rejection)
        if !rejections.isEmpty { return .rejected(rejections) }
        let areAccepted = proposals.allSatisfy(\.isAccepted)
        return state.withLock { state in
            // A cancelled handler may return as if it had accepted. And if a job has begun in the meantime, it may
            // have rolled back values that were accepted before.
            let holds = areAccepted && !state.isStopped && !state.isCalling && state.jobs == jobs
            return holds ? .accepted : .waiting(proposals)
        }
    }

    /// Begins to propose a change. If handlers are being called already, the stack commits again after their
    /// answers.
    func begin(_ proposals: [any ApplyProposal], in engine: CommitEngine) {
        let begins = state.withLock { state in
            if state.isStopped || !state.isFree { return false }
            state.begin()
            return true
        }
        if !begins { return }
        // Detached, so that the task-local overrides of the committing task do not apply.
        Task.detached { [self, weak engine] in
            for rejection in await propose(proposals) { rejection.remember() }
            end(engine)
        }
    }

    /// Returns the errors of a write that would have to wait for handlers, one for each key that it changes.
    static func undecided(
        _ dirty: PathList, by deciders: [any CandidateDecider], _ candidate: PrefsSnapshot,
        _ active: PrefsSnapshot
    ) -> [PrefsError] {
        // A transaction may also change keys that no handler is asked about.
        let keys = dirty.prefix(PrefsLimits.reports).filter { path in
            deciders.contains { $0.proposal(of: candidate, since: active, [path]) != nil }
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

    /// Notes a decision of the stack. Begins a job for the handlers that use another value than the active one, or
    /// have prepared a value. The calling thread holds the commit lock.
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
            // A waiting update reviews the handlers itself, but does not commit their prepared values.
            let mustBegin = !state.isReserved || unsettled.contains(where: \.proposal.hasPreparations)
            guard state.isFree, mustBegin, decision.count >= state.composition else { return false }
            state.begin()
            return true
        }
        if !begins { return }
        for configuration in unsettled { configuration.proposal.noteReviewed(configuration.reviews) }
        Task.detached { [self, weak engine] in
            await settle(unsettled.map(\.proposal))
            end(engine)
        }
    }
}

// MARK: - Calls of handlers

extension ApplyCoordinator {
    /// Has the handlers of some configurations prepare or apply new values. If one of them throws, the others are
    /// rolled back in reverse order. Returns the rejections of all checks that throw. If no check throws, returns
    /// the rejection of the first other handler that throws, and calls no handler after it.
    ///
    /// Handlers that have accepted the same value before, which is not active yet, are not called again.
    func propose(_ proposals: [any ApplyProposal]) async -> [ApplyRejection] {
        for proposal in proposals { proposal.noteBegin() }
        await settle(proposals, unlessProposed: true)
        var rejections: [ApplyRejection] = []
        for step in steps(of: proposals) where rejections.isEmpty || step.phase == .checking {
            if step.proposal.hasEnded { continue }
            if let rejection = await ask(step) { rejections.append(rejection) }
        }
        await settle(rejections.isEmpty ? proposals.filter(\.hasEnded) : proposals)
        for proposal in proposals { proposal.noteEnd() }
        return rejections
    }

    /// Asks a handler in a task of its own, which is cancelled when the program shuts down.
    private func ask(_ step: Step) async -> ApplyRejection? {
        let asking = Task { await step.proposal.ask(step.number) }
        if state.withLock({ $0.begin(asking) }) { asking.cancel() }
        let rejection = await asking.value
        let isStopped = state.withLock { state in
            state.asking = nil
            return state.isStopped
        }
        return isStopped ? ApplyRejection(error: Self.stopped) {} : rejection
    }

    /// The error of a change that was being proposed when the program began to shut down.
    private static var stopped: PrefsError {
        PrefsError(.busy, reason: "the program is shutting down; nothing was changed")
    }

    /// Makes the handlers of some configurations use the active value. First, in reverse order, one-phase handlers
    /// that use another value are called, and two-phase handlers abort what they have prepared for any other
    /// value. Then, in order, two-phase handlers that use another value prepare the active one, unless they have
    /// done so already, and commit it.
    ///
    /// - Parameter unlessProposed: True to leave handlers alone that have accepted the new values.
    func settle(_ proposals: [any ApplyProposal], unlessProposed: Bool = false) async {
        let steps = steps(of: proposals)
        for step in steps.reversed() {
            // A program that is shutting down need not switch back.
            if step.phase == .switching, state.withLock({ $0.isStopped }) { continue }
            await step.proposal.rollBack(step.number, unlessProposed: unlessProposed)
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

    /// Aborts the prepared values of handlers that are no longer registered.
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
    /// Stops proposing changes, and cancels the running handler. When this returns, every prepared value has been
    /// committed or aborted. Returns early if the task is cancelled.
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

    /// Resumes proposing changes.
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
    /// Calls `body` while nothing else is being proposed. Edits that are read meanwhile are proposed afterwards.
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

    /// Stores a value that handlers have accepted.
    func storing<Result>(_ store: () throws -> Result) rethrows -> Result {
        state.withLock { $0.isStoring = true }
        defer { state.withLock { $0.isStoring = false } }
        return try store()
    }

    /// Ends a job. The stack commits the changes that were read in the meantime, and then the next update follows.
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
            // Again, because a commit may have decided while the job still ran, without the handlers' answers.
            _ = engine.composeAgain()
            engine.commit()
            self.noteCommit(of: engine)
        }
    }

    /// Notes the end of a commit. The next update follows, or else the callers of ``decided()`` go on.
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

    /// Resumes an update, or the next one whose task has not been cancelled.
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

/// The phases of a job. Handlers of one phase are called in order of registration.
enum ApplyPhase: Int, Comparable, Sendable {
    /// The check of a configuration as a whole.
    case checking
    /// A two-phase handler, which prepares.
    case preparing
    /// A one-phase handler, which switches.
    case switching

    static func < (first: ApplyPhase, second: ApplyPhase) -> Bool { first.rawValue < second.rawValue }
}

/// A value that a two-phase handler has prepared. Exactly one of the two functions is called, once.
struct Preparation: Sendable {
    let commit: @Sendable () async -> Void
    let abort: @Sendable () async -> Void
}
