import PrefsDocuments
import PrefsFiles
import PrefsSystem

/// Decides which contents of a stack's layers are active, and publishes them.
///
/// Everything that may change a value enters here: an edited file that a storage has read, a write by the program,
/// a key lock, a new rule, the answer of an ``Live/apply(_:_:)`` handler. There are five stages. The function
/// `commitLocked` contains the first four. The last one follows when the commit lock has been released:
///
///     compose    the newest contents of all layers, under the newest key locks, become the candidate
///     validate   ``LayerDecision`` chooses the part of the candidate that adds no problem
///     ask        changes that handlers must accept are proposed to them, and wait
///     publish    the snapshot is replaced, and gets the next generation
///     notify     observers of changed keys are called, and reports are made
///
/// **Writes** enter at *compose*; see `commit(_:)`. Their candidate is the active snapshot with the written
/// values. By then, the new file has been written beside the old one, but not renamed. If the candidate has a new
/// problem, the write throws, and nothing has changed on disk or in memory. Otherwise the file is renamed, and the
/// same candidate is published. Edits by others are decided on in the same commit.
///
/// **Rejected contents** are not an input of a decision. Each decision starts from the newest contents of all
/// layers, so rejected contents are tried again whenever anything changes. ``CommitState`` keeps the last
/// rejections for reports, for the status and for the checks of writes. If no value has changed since the last
/// decision, a commit reuses its rejections.
///
/// **Handlers** are called by the ``ApplyCoordinator``, in tasks of their own. No commit waits for them. When they
/// have answered, the coordinator has the stack commit again, and then the accepted candidate has no problem.
///
/// **The commit lock.** One thread at a time commits. Writers wait for the lock in order, for at most ten seconds.
/// The event loop, and a storage that announces a change, must not wait: they set the stack's dirty flag instead.
/// When the lock is released, the next waiting writer reads the layers anyway; without one, another thread commits
/// once more. A thread that holds a commit lock cannot write, and waits for no other commit lock. See
/// ``CommitLock``.
///
/// **Mutexes.** `state` is held while contents are composed and while a snapshot is published. None of the
/// program's code runs then. A commit calls validators, rules and the snapshots of other modules' storages with
/// the commit lock held, and no mutex. A rule over several keys, or a snapshot, that takes longer than ten seconds
/// is reported by name. The order is `state`, then the mutex of `published`, `transitions`, the reporter or a
/// layer's storage. Readers never wait for the commit lock. If a layer does not announce its changes, a read
/// commits first, provided that the lock is free.
///
/// **Failures.** A commit of edits never throws. A rejected source, or key, keeps its active contents, and the
/// problem is reported. A commit of writes throws.
final class CommitEngine: Sendable {
    /// The layers, from the lowest to the highest.
    let layers: [PrefsLayer]
    let diagnostics: PrefsDiagnosticHandler
    let state: Lock<CommitState>
    let lock = CommitLock()
    let published: PublishedSnapshot
    let changes: PrefsChangeSource
    /// The commits that observers of keys have not been notified of yet.
    let transitions: TransitionFanOut
    let reporter: Reporter
    /// The observers of decisions on new contents.
    let decisions = DecisionObservers()
    /// The commits that are made soon, by another thread.
    let commitQueue: ObserverQueue
    /// The checks of candidates, in addition to the check of declared keys.
    let checks: Lock<CheckList>
    /// Asks the handlers of all configurations before a change becomes active.
    let coordinator = ApplyCoordinator()
    private let loop: EventLoop
    /// True if every layer announces its changes.
    let isAnnounced: Bool

    init(
        _ layers: [PrefsLayer], check: CandidateCheck?, publishing published: PublishedSnapshot,
        _ changes: PrefsChangeSource, diagnostics: PrefsDiagnosticHandler, _ scheduler: any Scheduler,
        on loop: EventLoop
    ) {
        (self.layers, self.published, self.changes) = (layers, published, changes)
        (self.diagnostics, self.loop) = (diagnostics, loop)
        let locks = layers.flatMap { layer in
            layer.locks.map { CodeLock(path: PrefsPath($0), layer: layer.name) }
        }
        state = Lock(CommitState(locks: locks))
        checks = Lock(CheckList([check].compactMap(\.self)))
        transitions = TransitionFanOut(on: loop)
        commitQueue = ObserverQueue(on: loop)
        reporter = Reporter(diagnostics, scheduler)
        isAnnounced = layers.allSatisfy { $0.storage.changeSource != nil }
    }

    /// The active contents.
    var active: PrefsSnapshot { published.snapshot }

    /// The declared keys.
    var declared: KnownKeys { state.withLock { $0.composition.known } }

    /// Returns the rejection scope of a layer. The layers of an inner stack have the scope of its layer in this
    /// stack.
    ///
    /// - Parameter layer: The name of the layer in a snapshot.
    func rejectionScope(of layer: String?) -> RejectionScope {
        guard let layer else { return .key }
        let found =
            layers.first { $0.name.description == layer } ?? layers.first { layer.hasPrefix("\($0.name).") }
        return found?.rejectionScope ?? .key
    }

    /// The status of every layer's sources, from the lowest layer to the highest, without rejections.
    var sourceStatus: [PrefsSourceStatus] {
        let (sources, parts) = state.withLock { ($0.sources, active.state.parts) }
        let generations = sources.byName(in: parts)
        return layers.flatMap { layer in
            layer.storage.status.map { status in
                var status = status
                status.layer = layer.name.qualifying(status.layer)
                status.generation =
                    generations[RejectedRevisions.Name(layer: status.layer, file: status.file)]
                return status
            }
        }
    }
}

// MARK: - The commit

extension CommitEngine {
    /// Commits the differences between layers and active contents. The calling thread holds the commit lock.
    ///
    /// - Parameter written: The snapshot after writes that were made under the same lock, if it was validated.
    /// - Returns: True if observers must be notified.
    private func commitLocked(_ written: PrefsSnapshot?) -> Bool {
        lock.clearDirty()
        let active = active
        guard let newest = compose() else {
            noteDecision(on: active, of: nil, [])
            return false
        }
        // The writes were validated and stored, so they become active even if edits by others are rejected.
        let decision = decide(on: newest, over: written ?? active)
        if let proposals = decision.proposals { coordinator.begin(proposals, in: self) }
        let commit = Commit(from: active, to: decision.contents)
        report(decision, commit)
        defer { noteDecision(on: decision.contents, of: newest, commit.dirty) }
        return commit.isSame ? false : state.withLock { publish(commit, &$0) }
    }

    /// Returns the newest contents of all layers; `nil` if they are the same as at the last decision.
    private func compose() -> PrefsSnapshot? {
        let contents = readLayers()
        return state.withLock { $0.compose(layers, contents) }
    }

    /// The outcome of *validate*.
    private struct Decision {
        let contents: PrefsSnapshot
        var rejections: [RejectedRevisions.Name: RejectedRevisions.Rejection] = [:]
        /// The changes that handlers must accept first; `nil` if there are none.
        var proposals: [any ApplyProposal]?
    }

    /// Returns the part of new contents that becomes active.
    private func decide(on newest: PrefsSnapshot, over active: PrefsSnapshot) -> Decision {
        let (decided, rejections) = state.withLock { ($0.decidedContents, $0.rejected.all) }
        if let decided, newest.hasSameValues(as: decided) {
            return Decision(contents: newest.keepingDifferences(of: active), rejections: rejections)
        }
        if !needsCheck || newest.hasSameSources(as: active) { return Decision(contents: newest) }
        let decision = LayerDecision(on: newest, over: active, by: makeCheck(), scope: rejectionScope)
        return Decision(
            contents: decision.contents, rejections: decision.rejections, proposals: decision.proposals)
    }

    /// Records a decision, and posts reports of new rejections, of recoveries, and of violated rules.
    private func report(_ decision: Decision, _ commit: Commit) {
        let (news, constraints) = state.withLock {
            ($0.decide(decision.rejections), $0.composition.constraints)
        }
        if !news.isEmpty { reporter.post(news) { [weak self] in self?.state.withLock { $0.rejected } } }
        decisions.post(to: reporter.queue)
        let areLockedAlike = commit.old.state.rules.locks === commit.new.state.rules.locks
        let isRight = decision.rejections.isEmpty && areLockedAlike
        reporter.post(violations(of: constraints, in: commit.new, changedAt: commit.dirty, unless: isRight))
    }

    /// Replaces the snapshot that readers see, and posts the commit to the queues of its observers.
    private func publish(_ commit: Commit, _ state: inout CommitState) -> Bool {
        let generation = commit.dirty.isEmpty ? commit.old.generation : PrefsChangeSource.nextGeneration()
        let new = commit.new.with { $0.generation = generation }
        published.replace(with: new, dirty: commit.dirty)
        state.sources.note(
            commit.sources, in: new.state.parts, at: commit.dirty.isEmpty ? nil : generation)
        if commit.dirty.isEmpty { return false }
        changes.advance(to: generation)
        let transition = PrefsTransition(
            old: commit.old, new: new, cause: commit.cause, dirty: commit.dirty,
            restarts: state.composition.known.restarts)
        transitions.add(transition)
        if state.hasReports {
            reporter.queue.add { [weak self] in
                guard let self else { return }
                reporter.report(transition, against: declared)
            }
        }
        return true
    }

    /// Notifies the observers of the commits so far: first observers of keys, on a thread of the loop, then
    /// observers of the change source, on this thread. Diagnostics come last. A thread that calls the observers of
    /// keys itself, such as the watcher's, reports the diagnostics afterwards.
    private func notifyObservers(ofChange didChange: Bool) {
        if didChange {
            transitions.drain()
            changes.notify()
        }
        transitions.drainLast(reporter.queue)
    }

    /// Notifies the configurations with handlers of a decision. The calling thread holds the commit lock.
    ///
    /// - Parameters:
    ///   - newest: The newest contents; `nil` if there was nothing new to decide on.
    ///   - dirty: The highest paths that have changed in the active contents.
    private func noteDecision(on active: PrefsSnapshot, of newest: PrefsSnapshot?, _ dirty: PathList) {
        let deciders = checks.withLock { $0.deciders }
        if deciders.isEmpty { return }
        let decision = state.withLock { state in
            CandidateDecision(
                active: active, newest: newest ?? active, dirty: dirty, count: state.composition.count,
                isNew: newest != nil, isPending: state.rejected.all.values.contains(where: \.isProposed))
        }
        coordinator.note(decision, to: deciders, of: self)
    }
}

// MARK: - The commit lock

extension CommitEngine {
    /// Commits the differences in all layers, and notifies observers. If another thread is committing, this
    /// function only marks the stack dirty.
    func tryCommit() {
        if CommitLock.isHeldByThisThread {
            if !lock.markDirty() { scheduleCommit() }
            return
        }
        commitInnerStacks()
        if lock.acquireOrMarkDirty() { commitAndRelease() }
    }

    /// Commits soon, on another thread.
    func scheduleCommit() { commitQueue.post { [weak self] in self?.tryCommit() } }

    /// Commits the differences in all layers before it returns, even if another thread has begun to commit them.
    ///
    /// A thread that holds a commit lock must not wait for another one, so it only sets the dirty flag. If the
    /// commits of other threads take longer than ``lockTimeout``, this function sets the dirty flag, too, and
    /// reports an error.
    func commit() {
        if CommitLock.isHeldByThisThread { return tryCommit() }
        commitInnerStacks()
        if lock.acquire(within: Self.lockTimeout) { return commitAndRelease() }
        if !lock.markDirty() { scheduleCommit() }
        diagnostics.report(.error, lock.delayedReload(after: Self.lockTimeout))
    }

    /// The longest time that a writer waits for the commits of other threads.
    static var lockTimeout: Duration { PrefsFileWriteOptions().lockTimeout }

    /// Makes the inner stacks commit, unless every layer announces its changes.
    func commitInnerStacks() {
        if isAnnounced { return }
        for layer in layers { layer.stack?.tryCommit() }
    }

    /// Publishes the first snapshot. Changes that layers announce in the meantime are committed afterwards.
    func publishFirst() {
        guard lock.acquire(within: Self.lockTimeout) else { return }
        defer { release() }
        lock.clearDirty()
        let states = readLayers()
        state.withLock { state in
            // At the start every revision becomes active, whatever its values.
            guard let newest = state.compose(layers, states) else { return }
            _ = state.decide([:])
            let first = newest.with { $0.generation = changes.generation }
            published.replace(with: first, dirty: [])
            let parts = first.state.parts
            state.sources.note(parts.map { (.empty, $0.source) }, in: parts, at: first.generation)
        }
    }

    /// Commits, and releases the commit lock, which the calling thread holds.
    ///
    /// - Parameter written: See ``commitLocked(_:)``.
    func commitAndRelease(_ written: PrefsSnapshot? = nil) {
        let didChange = commitLocked(written)
        release()
        notifyObservers(ofChange: didChange)
    }

    /// Makes contents active that are not the newest ones, and releases the commit lock of the calling thread.
    ///
    /// - Parameters:
    ///   - rejections: The files whose newest contents are rejected.
    ///   - isRight: Returns false to change nothing. It may run the program's code.
    /// - Returns: False if nothing was changed.
    func activate(
        _ contents: PrefsSnapshot,
        rejecting rejections: [RejectedRevisions.Name: RejectedRevisions.Rejection],
        if isRight: (PrefsSnapshot) -> Bool
    ) -> Bool {
        guard callUserCode("the check of the last accepted settings", { isRight(contents) }) else {
            release()
            return false
        }
        let commit = Commit(from: active, to: contents)
        report(Decision(contents: contents, rejections: rejections), commit)
        let didChange = commit.isSame ? false : state.withLock { publish(commit, &$0) }
        // The program was not asked about these contents. Its earlier rejections stay.
        noteDecision(on: commit.new, of: nil, commit.dirty)
        release()
        notifyObservers(ofChange: didChange)
        return true
    }

    /// Calls the program's code, and reports it if it takes longer than ``lockTimeout``. The calling thread holds
    /// the commit lock.
    func callUserCode<Result>(_ name: String, _ body: () -> Result) -> Result {
        let patience = Self.lockTimeout
        let timer = loop.setTimer(at: loop.now + patience) { [diagnostics] in
            { diagnostics.report(.error, CommitLock.takesLong(name, patience)) }
        }
        defer { loop.cancel(timer) }
        return lock.call(name, body)
    }

    /// Composes the newest contents of all layers. The calling thread holds the commit lock.
    func composeNewest() -> PrefsSnapshot {
        let states = readLayers()
        return state.withLock { state in
            _ = state.compose(layers, states)
            return state.composition.last
        }
    }

    /// Returns the contents of the layers. Other modules' storages run the program's code.
    private func readLayers() -> [PrefsSnapshot] {
        layers.map { layer in
            layer.contents?.snapshot ?? layer.stack?.committedSnapshot
                ?? callUserCode("the snapshot of the layer “\(layer.name)”") { layer.storage.snapshot }
        }
    }

    /// Makes the next commit check the newest contents again, even if they have not changed. Returns the number of
    /// its composition.
    func composeAgain() -> UInt64 {
        state.withLock { state in
            state.composition.composeAgain()
            return state.composition.count + 1
        }
    }

    func release() { if lock.release() { scheduleCommit() } }
}

/// The step from one published snapshot to the next.
private struct Commit {
    let old: PrefsSnapshot
    let new: PrefsSnapshot
    /// True if both have the same revisions of the same sources.
    let isSame: Bool
    /// The changed sources, each with its previous revision.
    let sources: [PrefsTransition.ChangedSource]
    /// The highest paths whose contents differ. If there are none, only places have changed, such as line numbers,
    /// and the generation stays the same.
    let dirty: PathList
    let cause: PrefsChangeCause

    init(from old: PrefsSnapshot, to new: PrefsSnapshot) {
        (self.old, self.new) = (old, new)
        isSame = new.hasSameSources(as: old)
        sources = isSame ? [] : PrefsTransition.changedSources(from: old, to: new)
        dirty = isSame ? [] : PrefsTransition.dirtyPaths(from: old, to: new, sources)
        cause = dirty.isEmpty ? .write : new.cause(since: old, sources)
    }
}

extension PrefsSnapshot {
    /// Returns the cause of the newest source that `other` lacks, or `.lock` if only key locks differ.
    fileprivate func cause(
        since other: PrefsSnapshot, _ changed: [PrefsTransition.ChangedSource]
    ) -> PrefsChangeCause {
        let newest = changed.lazy.filter { $0.after !== PrefsSource.empty }.max {
            $0.after.version < $1.after.version
        }
        if let newest { return newest.after.cause }
        return state.rules.locks == other.state.rules.locks ? .file : .lock
    }
}
