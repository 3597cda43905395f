import PrefsDocuments
import PrefsFiles
import PrefsSystem

extension PrefsStack {
    /// Commits what differs in any layer, and notifies of it.
    ///
    /// Never waits: if another thread is committing, that one has the stack looked at again.
    func look() {
        if CommitTurn.isTakenByThisThread {
            if !turn.mark() { postLook() }
            return
        }
        lookAtInnerStacks()
        if turn.beginOrMark() { finishTurn() }
    }

    /// Looks at the stack soon, on another thread.
    func postLook() { looks.post { [weak self] in self?.look() } }

    /// Commits what differs in any layer before it returns, also what another thread has begun to commit.
    ///
    /// A thread that is in a turn cannot wait for another one; it only has the stack looked at again. If the turns of
    /// other threads take too long, this is reported.
    func commit() {
        if CommitTurn.isTakenByThisThread { return look() }
        lookAtInnerStacks()
        if turn.begin(within: Self.turnTimeout) { return finishTurn() }
        if !turn.mark() { postLook() }
        diagnostics.report(.error, turn.busy(after: Self.turnTimeout))
    }

    /// The time for which a writer waits for the commits of others.
    static var turnTimeout: Duration { PrefsFileWriteOptions().lockTimeout }

    /// Has the stacks commit that are layers of this one and are not notified of their own layers' changes.
    private func lookAtInnerStacks() {
        if isAnnounced { return }
        for layer in layers { layer.stack?.look() }
    }

    /// Publishes the first snapshot, in a turn: what a layer announces meanwhile is looked at afterwards.
    func publishFirst() {
        guard turn.begin(within: Self.turnTimeout) else { return }
        defer { endTurn() }
        turn.takeMark()
        let states = readLayers()
        committing.withLock { state in
            // At the start every version takes effect, whatever its values are.
            guard let candidate = state.compose(layers, states, inForce: committedSnapshot) else { return }
            _ = state.decide(on: candidate, [:])
            let first = candidate.newest.with { $0.generation = changes.generation }
            published.replace(with: first, dirty: [])
            let parts = first.state.parts
            state.sources.note(parts.map { (.empty, $0.source) }, in: parts, at: first.generation)
        }
    }

    /// Commits in the turn that this thread has, and ends it.
    ///
    /// - Parameter checked: The versions that need no other check.
    private func finishTurn(_ checked: CheckedVersions = CheckedVersions()) {
        let didChange = commitInTurn(checked)
        endTurn()
        notifyObservers(ofChange: didChange)
    }

    /// Composes the layers' contents, checks them, applies the rules and publishes what differs. The calling thread has
    /// the turn.
    private func commitInTurn(_ checked: CheckedVersions) -> Bool {
        turn.takeMark()
        let (states, inForce) = (readLayers(), committedSnapshot)
        let candidate = committing.withLock { $0.compose(layers, states, inForce: inForce) }
        guard let candidate else {
            noteDecision(on: inForce, of: nil, [])
            return false
        }
        let isChecked =
            candidate.refused.all.isEmpty && checked.areAll(between: inForce, and: candidate.newest)
        let refusals =
            !isChecked && needsCheck
            ? candidate.refusals(by: check(), rejectionScope: rejectionScope(of:)) : [:]
        let accepted = candidate.newest.refusing(refusals, inForce: inForce)
        let recovered = candidate.refused.recovered(by: refusals)
        let wrong = recovered.isEmpty ? [] : filesWithNewProblems(in: accepted, since: inForce)
        let (news, constraints) = committing.withLock { state in
            (state.decide(on: candidate, refusals, wrong: wrong), state.composition.constraints)
        }
        reportRefusals(news)
        decisions.post(to: reports)
        let new = accepted.applying(constraints) { callInTurn($0, $1) }
        let commit = Commit(from: inForce, to: new)
        defer { noteDecision(on: new, of: candidate.newest, commit.dirty) }
        return commit.isSame ? false : committing.withLock { publish(commit, &$0) }
    }

    /// Puts contents in force whatever the sources hold, of which some versions are refused, and ends the turn, which the
    /// calling thread has.
    ///
    /// - Parameter isRight: Returns false to leave everything as it is. It may run code of the program.
    /// - Returns: False if everything was left as it is.
    func putInForce(
        _ contents: PrefsSnapshot, refusing refusals: [RefusedVersions.Name: RefusedVersions.Refusal],
        if isRight: (PrefsSnapshot) -> Bool
    ) -> Bool {
        let constraints = committing.withLock { $0.composition.constraints }
        let new = contents.applying(constraints) { callInTurn($0, $1) }
        guard callInTurn("the check of the last accepted settings", { isRight(new) }) else {
            endTurn()
            return false
        }
        let commit = Commit(from: committedSnapshot, to: new)
        let news = committing.withLock { state in
            state.decide(on: state.lastComposed(inForce: commit.old), refusals)
        }
        reportRefusals(news)
        decisions.post(to: reports)
        let didChange = commit.isSame ? false : committing.withLock { publish(commit, &$0) }
        // The program has refused nothing of it, and what it had refused before is still refused.
        noteDecision(on: commit.new, of: nil, commit.dirty)
        endTurn()
        notifyObservers(ofChange: didChange)
        return true
    }

    /// Calls code of the program in the turn, and reports it if it takes long.
    func callInTurn<Result>(_ name: String, _ body: () -> Result) -> Result {
        let patience = Self.turnTimeout
        let timer = loop.setTimer(at: loop.now + patience) { [diagnostics] in
            { diagnostics.report(.error, CommitTurn.takesLong(name, patience)) }
        }
        defer { loop.cancel(timer) }
        return turn.call(name, body)
    }

    /// The newest contents of all layers. The calling thread has the turn.
    var newestContents: PrefsSnapshot {
        let (states, inForce) = (readLayers(), committedSnapshot)
        return committing.withLock { state in
            _ = state.compose(layers, states, inForce: inForce)
            return state.composition.last
        }
    }

    /// Returns the contents of the layers. Other modules' storages run the program's code.
    private func readLayers() -> [PrefsSnapshot] {
        layers.map { layer in
            layer.contents?.snapshot ?? layer.stack?.committedSnapshot
                ?? callInTurn("the snapshot of the layer “\(layer.name)”") { layer.storage.snapshot }
        }
    }

    private func endTurn() { if turn.end() { postLook() } }

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
        if state.hasReports { reports.add { [weak self] in self?.report(transition) } }
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
        transitions.drainLast(reports)
    }
}

extension PrefsStack {
    /// A prepared write, and the layers that are stored in the written file.
    typealias PreparedWrite = (layers: [PrefsLayer], edits: any PreparedEdits)

    /// Makes prepared writes effective as one generation, and notifies the observers of the layers.
    ///
    /// The writes of storages that run the program's code, and of stacks, are checked with the others, but are not part of
    /// the turn, because these have turns of their own. Files are written before what is only in memory, which cannot fail.
    ///
    /// - Throws: The error of the first write that fails. What was written before is committed all the same; the error
    ///   lists its files. `notDurable` if everything is committed, but perhaps not on disk. If something is stored but not
    ///   active, because another file is wrong: its problem.
    func commit(_ writes: [PreparedWrite]) throws {
        if CommitTurn.isTakenByThisThread { throw CommitTurn.writesInTurn }
        var written = WrittenEdits()
        do {
            try commit(writes, &written)
        } catch {
            // The error of the write counts, whatever the disk does with the others.
            try? written.finish()
            throw written.listingFiles(in: error)
        }
        try written.finish()
        try requireActive(writes)
    }

    /// Throws if what was written is refused all the same, because another file has become wrong since it was checked.
    private func requireActive(_ writes: [PreparedWrite]) throws(PrefsError) {
        let refused = committing.withLock { $0.refused.all }
        if refused.isEmpty { return }
        for layer in writes.flatMap(\.layers) {
            let name = RefusedVersions.Name(layer: layer.writtenName, file: layer.writtenFile)
            guard let refusal = refused[name], refusal.refusesVersion, !refusal.isOffered,
                var error = refusal.errors.first?.located(in: name)
            else { continue }
            error.reason =
                "\(layer.writtenFile ?? "the value") is stored, but not active until this is fixed: \(error.reason)"
            throw error
        }
    }

    private func commit(_ writes: [PreparedWrite], _ written: inout WrittenEdits) throws {
        let foreign = writes.filter { $0.layers[0].contents == nil }
        if foreign.isEmpty { return try commitInTurns(writes, &written) }
        try checkBefore(writes)
        let layers = foreign.map(\.layers[0])
        let numbers = committing.withLock { state in layers.map { state.foreignWrites.begin(in: $0.name) } }
        defer {
            committing.withLock { state in layers.forEach { state.foreignWrites.end(in: $0.name) } }
        }
        var claims: [(layer: PrefsLayer, edits: [PathEdit], number: Int?)] = []
        for (write, number) in zip(foreign, numbers) {
            claims.append((write.layers[0], try written.commit(write)?.claimed ?? [], number))
        }
        try commitInTurns(writes.filter { $0.layers[0].contents != nil }, &written)
        let newest = committing.withLock { state in
            claims.removeAll { !state.foreignWrites.isOnly($0.number, in: $0.layer.name) }
            return state.composition.last
        }
        for claim in claims { try claim.layer.checkHolds(claim.edits, in: newest) }
    }

    /// Makes the writes to storages that take part in the turn, and commits.
    private func commitInTurns(_ writes: [PreparedWrite], _ written: inout WrittenEdits) throws {
        var left = writes.filter { $0.edits.file != nil } + writes.filter { $0.edits.file == nil }
        for attempt in 1...PrefsFileWriter.attempts {
            // A process that does not lock a file has changed it since; its next version is prepared out of turn.
            if attempt > 1 { left = try left.map { ($0.layers, try $0.edits.preparedAgain()) } }
            left = try commitOnce(left, &written)
            if left.isEmpty { return }
        }
        throw PrefsFileWriter.keepsChanging(left[0].edits.file ?? "")
    }

    /// Throws what is wrong with the contents that some writes lead to, before any of them is made.
    private func checkBefore(_ writes: [PreparedWrite]) throws {
        lookAtInnerStacks()
        guard turn.begin(within: Self.turnTimeout) else { throw turn.busy(after: Self.turnTimeout) }
        defer { finishTurn() }
        _ = try check(writes)
    }

    /// Returns the contents that a write leads to, and discards the write.
    ///
    /// - Parameters:
    ///   - decider: What is to ask the program about the contents.
    ///   - prepare: Returns the write, and the paths that it changes.
    /// - Throws: ``PrefsError`` if something else is wrong with the contents.
    func contents(
        offeredBy decider: any CandidateDecider, _ prepare: () throws -> (PreparedWrite, paths: [PrefsPath])
    ) throws -> PrefsSnapshot {
        try makeDeferredWrites()
        let (write, paths) = try prepare()
        lookAtInnerStacks()
        guard turn.begin(within: Self.turnTimeout) else { throw turn.busy(after: Self.turnTimeout) }
        defer { finishTurn() }
        // No observer is called while a file is locked.
        defer { write.edits.discard() }
        let offer = OfferedWrites(decider: decider, paths: paths)
        return try check([write], for: offer).contents ?? committedSnapshot
    }

    /// Makes writes effective in one turn; returns those that have to be prepared again.
    private func commitOnce(
        _ writes: [PreparedWrite], _ written: inout WrittenEdits
    ) throws -> [PreparedWrite] {
        lookAtInnerStacks()
        guard turn.begin(within: Self.turnTimeout) else { throw turn.busy(after: Self.turnTimeout) }
        var checked = CheckedVersions()
        defer { finishTurn(checked) }
        // No observer is called while a file is locked: if one write fails, the others are still prepared.
        defer { for write in writes { write.edits.discard() } }
        checked = try check(writes)
        var isWaiting = false
        return try writes.filter { write in
            // What is only in memory changes only if all files have been written.
            if isWaiting, write.edits.file == nil { return true }
            guard try written.commit(write) != nil else {
                isWaiting = true
                return true
            }
            // The other layers of a file read what the first one has written.
            for layer in write.layers.dropFirst() { written.add(layer.paths?.refresh(.write)) }
            return false
        }
    }
}

/// The writes that have been made so far.
private struct WrittenEdits {
    private var notifications: [PrefsNotification] = []
    private var synchronizations: [() throws(PrefsError) -> Void] = []
    private var files: [String] = []

    /// Returns `nil` if the write has to be prepared again.
    mutating func commit(_ write: PrefsStack.PreparedWrite) throws -> CommittedEdits? {
        guard let commit = try write.edits.commit() else { return nil }
        add(commit.notifyObservers)
        if let synchronize = commit.synchronize { synchronizations.append(synchronize) }
        if let file = write.edits.file { files.append(file) }
        return commit
    }

    /// Returns an error with the files that have been replaced in spite of it.
    func listingFiles(in error: any Error) -> any Error {
        guard var error = error as? PrefsError, !files.isEmpty else { return error }
        error.reason += "; these files were already written: \(files.joined(separator: ", "))"
        return error
    }

    /// Notifies the layers' observers, and waits until everything is on disk; throws the first error after all of it.
    func finish() throws(PrefsError) {
        for notifyObservers in notifications { notifyObservers() }
        var failure: PrefsError?
        for synchronize in synchronizations {
            do throws(PrefsError) { try synchronize() } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    mutating func add(_ notification: PrefsNotification?) {
        if let notification { notifications.append(notification) }
    }
}

/// The writes that are being made to storages of other modules, which are no part of a turn.
struct ForeignWrites {
    private var layers: [PrefsLayer.Name: (active: Int, count: Int)] = [:]

    /// Begins a write; returns its number in the layer, or `nil` if another one is being made.
    mutating func begin(in layer: PrefsLayer.Name) -> Int? {
        layers[layer, default: (0, 0)].active += 1
        layers[layer, default: (0, 0)].count += 1
        return layers[layer].flatMap { $0.active == 1 ? $0.count : nil }
    }

    mutating func end(in layer: PrefsLayer.Name) { layers[layer]?.active -= 1 }

    /// Returns true if no other write of a layer has been made since a write began: its contents then are those that the
    /// write has left.
    func isOnly(_ number: Int?, in layer: PrefsLayer.Name) -> Bool {
        number != nil && layers[layer]?.count == number
    }
}

extension PrefsLayer {
    /// Throws if the layer's storage, of another module, has accepted edits, but shows values otherwise: the values
    /// themselves are not compared.
    ///
    /// - Parameter newest: The contents of all layers after the write.
    fileprivate func checkHolds(_ edits: [PathEdit], in newest: PrefsSnapshot) throws(PrefsError) {
        let sources = newest.state.parts.filter {
            $0.layer == name.description || $0.layer?.hasPrefix("\(name).") == true
        }.map(\.source)
        for (index, edit) in edits.enumerated() {
            // What a later edit of the same write concerns as well is its business.
            let later = edits[(index + 1)...]
            if later.contains(where: { $0.path.contains(edit.path) || edit.path.contains($0.path) }) {
                continue
            }
            let isMissing =
                holdsNames
                ? storage._candidates(forKey: edit.path.literalKey).isEmpty
                : !sources.contains { $0.tree.hasContent(at: edit.path) }
            // Of several sources, such as those of a stack within the storage, others may have a value.
            let mayRemain = holdsNames || sources.count > 1
            if edit.value == nil ? isMissing || mayRemain : !isMissing { continue }
            throw PrefsError(
                .unconfirmed, key: edit.path.name, origin: PrefsOrigin(layer: name.description),
                reason: edit.value == nil
                    ? "stored, but the storage still has a value at or below this removed key"
                    : "stored, but the storage has no value of this key")
        }
    }
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
