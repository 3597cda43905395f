import PrefsDocuments
import PrefsFiles
import PrefsSystem

/// Decides which contents of a stack's layers are active, and publishes them.
///
/// Whatever may change a value comes here: an edit that a storage has read, a write by the program, a key lock, a rule, the
/// answer of an ``Live/apply(_:_:)`` handler. One function, `commitLocked`, takes it from the layers to the observers:
///
///     compose    the newest contents of all layers are the candidate, under the newest key locks
///     validate   ``LayerDecision`` chooses what of it has no problem that the active contents do not have
///     ask        what handlers have to accept first is offered to them, and waits
///     publish    the snapshot that is read is replaced, and its generation is the next one
///     notify     the observers of the keys that differ are called, and the reports are made
///
/// **Writes** enter at *compose*, see `commit(_:)`. Their candidate is the active contents with what they lead to; of a file,
/// that is a version that stands beside it and has not been renamed. If something is wrong with it, the write throws, and
/// nothing has changed on disk or in memory. Otherwise the file is renamed, and the commit that follows takes the candidate
/// for active, so what was validated is what is published. What others have edited meanwhile is decided on beside it.
///
/// **Rejected contents** are not remembered: each commit starts from the newest contents of all layers, so they are tried
/// again whenever anything changes. Only the ``Reporter`` and the status know them, so that each problem is reported once.
///
/// **Handlers** are asked by the ``ApplyCoordinator``, on tasks of their own. No commit waits for them. When they have
/// answered, the coordinator has the stack commit again, and the candidate that they have accepted has no problem then.
///
/// **The commit lock.** One thread at a time commits. Writers wait for the lock in the order in which they came, ten seconds
/// at most. Who must not wait, such as the event loop or a storage that announces a change, marks the stack dirty, and the
/// thread that holds the lock has it commit once more. A thread with a commit lock cannot write, and waits for no other one.
/// See ``CommitLock``.
///
/// **Mutexes.** `state` is held while contents are composed and while a snapshot is published. No code of the program runs
/// then: validators, rules and the snapshots of other modules' storages are called with the commit lock and no mutex held.
/// A rule or a snapshot that takes longer than ten seconds is reported by name. The order is `state`, then the mutex of
/// `published`, `transitions`, the reporter or a layer's storage. Readers take no commit lock.
///
/// **Failures.** A commit throws nothing. What cannot be read or is wrong leaves the active contents as they are, and is
/// reported.
final class CommitEngine: Sendable {
    /// The layers, from the lowest to the highest.
    let layers: [PrefsLayer]
    let diagnostics: PrefsDiagnosticHandler
    let state: Lock<CommitState>
    let lock = CommitLock()
    let published: PublishedSnapshot
    let changes: PrefsChangeSource
    /// The commits of which the observers of keys have not been notified.
    let transitions: TransitionFanOut
    let reporter: Reporter
    /// Those who are told of decisions on new contents.
    let decisions = DecisionObservers()
    /// The commits that are made soon, by another thread.
    let commitQueue: ObserverQueue
    /// The checks of candidates, beside that of the declared keys.
    let checks: Lock<CheckList>
    /// What asks the handlers of all configurations before a change takes effect.
    let coordinator = ApplyCoordinator()
    private let loop: EventLoop
    /// True if every layer notifies of its changes.
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

    /// Returns what is accepted or rejected as one of a layer, by its name in a snapshot.
    func rejectionScope(of layer: String?) -> RejectionScope {
        layers.first { $0.name.description == layer }?.rejectionScope ?? .key
    }

    /// The status of every layer's sources, from the lowest layer to the highest, without what is rejected of them.
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
    /// Commits what differs in the layers from what is active. The calling thread holds the commit lock.
    ///
    /// - Parameter written: What writes have led to under the same lock, with nothing wrong in it.
    /// - Returns: True if there is something to notify of.
    private func commitLocked(_ written: PrefsSnapshot?) -> Bool {
        lock.clearDirty()
        let active = active
        guard let newest = compose() else {
            noteDecision(on: active, of: nil, [])
            return false
        }
        // Nothing takes away what has been written.
        let decision = decide(on: newest, over: written ?? active)
        if let offer = decision.offer { coordinator.begin(offer, in: self) }
        let commit = Commit(from: active, to: decision.contents)
        report(decision, commit)
        defer { noteDecision(on: decision.contents, of: newest, commit.dirty) }
        return commit.isSame ? false : state.withLock { publish(commit, &$0) }
    }

    /// Returns the newest contents of all layers; `nil` if they are those that were decided on last.
    private func compose() -> PrefsSnapshot? {
        let contents = readLayers()
        return state.withLock { $0.compose(layers, contents) }
    }

    /// What a commit makes active.
    private struct Decision {
        let contents: PrefsSnapshot
        var rejections: [RejectedRevisions.Name: RejectedRevisions.Rejection] = [:]
        /// What handlers are to be asked about; `nil` if nothing waits for them.
        var offer: [any ApplyProposal]?
    }

    /// Returns what of new contents becomes active.
    private func decide(on newest: PrefsSnapshot, over active: PrefsSnapshot) -> Decision {
        let (decided, refused) = state.withLock { ($0.decidedContents, $0.rejected.all) }
        if let decided, newest.hasSameValues(as: decided) {
            return Decision(contents: newest.keepingDifferences(of: active), rejections: refused)
        }
        if !needsCheck || newest.hasSameSources(as: active) { return Decision(contents: newest) }
        let decision = LayerDecision(on: newest, over: active, by: check(), scope: rejectionScope)
        return Decision(
            contents: decision.contents, rejections: decision.rejections, offer: decision.offer)
    }

    /// Has it reported what is rejected now and was not before, what is no longer rejected, and which rules are violated.
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

    /// Makes a commit readable, and posts it to the queues from which it is announced.
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

    /// Notifies of the commits so far: the observers of keys on a thread of the loop, those of the change source on
    /// this thread, and the diagnostics last. A thread that delivers what it commits, such as the watcher's, reports
    /// the diagnostics when the observers of keys have been called.
    private func notifyObservers(ofChange didChange: Bool) {
        if didChange {
            transitions.drain()
            changes.notify()
        }
        transitions.drainLast(reporter.queue)
    }

    /// Notifies those who ask the program of what the stack has decided on. The calling thread holds the commit lock.
    ///
    /// - Parameters:
    ///   - newest: The newest contents; `nil` if there was nothing new to decide on.
    ///   - dirty: The highest paths at which the active contents differ from those before.
    private func noteDecision(on active: PrefsSnapshot, of newest: PrefsSnapshot?, _ dirty: PathList) {
        let deciders = checks.withLock { $0.deciders }
        if deciders.isEmpty { return }
        let decision = state.withLock { state in
            CandidateDecision(
                inForce: active, newest: newest ?? active, dirty: dirty, count: state.composition.count,
                isNew: newest != nil, isPending: state.rejected.all.values.contains(where: \.isOffered))
        }
        coordinator.note(decision, to: deciders, of: self)
    }
}

// MARK: - The commit lock

extension CommitEngine {
    /// Commits what differs in any layer, and notifies of it, unless another thread is committing: then that one commits
    /// once more.
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

    /// Commits what differs in any layer before it returns, also what another thread has begun to commit.
    ///
    /// A thread that holds a commit lock cannot wait for another one, so it only has the stack commit once more. If the
    /// commits of other threads take too long, this is reported.
    func commit() {
        if CommitLock.isHeldByThisThread { return tryCommit() }
        commitInnerStacks()
        if lock.acquire(within: Self.lockTimeout) { return commitAndRelease() }
        if !lock.markDirty() { scheduleCommit() }
        diagnostics.report(.error, lock.busy(after: Self.lockTimeout))
    }

    /// The time for which a writer waits for the commits of others.
    static var lockTimeout: Duration { PrefsFileWriteOptions().lockTimeout }

    /// Has the stacks commit that are layers of this one and are not notified of their own layers' changes.
    func commitInnerStacks() {
        if isAnnounced { return }
        for layer in layers { layer.stack?.tryCommit() }
    }

    /// Publishes the first snapshot. What a layer announces meanwhile is committed afterwards.
    func publishFirst() {
        guard lock.acquire(within: Self.lockTimeout) else { return }
        defer { release() }
        lock.clearDirty()
        let states = readLayers()
        state.withLock { state in
            // At the start every version takes effect, whatever its values are.
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
    /// - Parameter written: As of ``commitLocked(_:)``.
    func commitAndRelease(_ written: PrefsSnapshot? = nil) {
        let didChange = commitLocked(written)
        release()
        notifyObservers(ofChange: didChange)
    }

    /// Makes contents active whatever the sources hold, some of which is rejected, and releases the commit lock, which the
    /// calling thread holds.
    ///
    /// - Parameter isRight: Returns false to leave everything as it is. It may run code of the program.
    /// - Returns: False if everything was left as it is.
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
        // The program has rejected nothing of it, and what it had rejected before still is.
        noteDecision(on: commit.new, of: nil, commit.dirty)
        release()
        notifyObservers(ofChange: didChange)
        return true
    }

    /// Calls code of the program, and reports it if it takes long. The calling thread holds the commit lock.
    func callUserCode<Result>(_ name: String, _ body: () -> Result) -> Result {
        let patience = Self.lockTimeout
        let timer = loop.setTimer(at: loop.now + patience) { [diagnostics] in
            { diagnostics.report(.error, CommitLock.takesLong(name, patience)) }
        }
        defer { loop.cancel(timer) }
        return lock.call(name, body)
    }

    /// The newest contents of all layers. The calling thread holds the commit lock.
    var newestContents: PrefsSnapshot {
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

    /// Calls a closure while no thread commits.
    func whileLocked(_ body: () -> Void) {
        guard lock.acquire(within: Self.lockTimeout) else {
            return diagnostics.report(.error, lock.busy(after: Self.lockTimeout))
        }
        body()
        release()
        reporter.queue.drain()
    }

    /// Has the newest contents checked again by the next commit, although they have not changed; returns the number of that
    /// composition.
    func composeAgain() -> UInt64 {
        state.withLock { state in
            state.composition.composeAgain()
            return state.composition.count + 1
        }
    }

    private func release() { if lock.release() { scheduleCommit() } }
}

/// The step from one published snapshot to the next.
private struct Commit {
    let old: PrefsSnapshot
    let new: PrefsSnapshot
    /// True if both are the same versions of the same sources.
    let isSame: Bool
    /// The sources that differ, each with the one before.
    let sources: [PrefsTransition.ChangedSource]
    /// The highest paths at which anything differs. If there are none, the contents are equal, perhaps on
    /// other lines of the file: only origins change, and the generation stays the same.
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
    /// Returns the cause of the newest source that `other` lacks, or `.lock` if only locks differ.
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
