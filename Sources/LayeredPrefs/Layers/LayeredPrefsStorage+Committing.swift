import PrefsDocuments
import PrefsSystem

extension LayeredPrefsStorage {
    /// Commits what differs in any layer, and notifies.
    ///
    /// - Parameter written: A layer that this thread has written to. A transaction or reload on another
    ///   thread that has suspended the layer's commits does not delay this one, except a transaction that is
    ///   renaming its files.
    func commit(written: PrefsLayer? = nil) {
        commitSilently(written: written)
        notifyObservers()
    }

    /// Commits without notifying observers, which the next ``commit(written:)`` does.
    ///
    /// A stack that contains this one may be notified of an edit first. Committing this stack here lets it
    /// find everything that was edited together.
    func commitSilently(written: PrefsLayer? = nil) {
        // A rule that writes another value whenever it is called would keep this thread here for ever.
        for _ in 0..<8 {
            guard committing.withLock({ $0.begin() }) else { return }
            readForeignLayers()
            if let composed = compose(written) { publish(composed) }
            if !committing.withLock({ $0.end() }) { return }
        }
    }

    private func compose(_ written: PrefsLayer?) -> CommitState.Composed? {
        while true {
            switch committing.withLock({ $0.compose(layers, written: written) }) {
            case .none: return nil
            case .publish(let composed): return composed
            case .wait(let suspension): suspension.wait()
            }
        }
    }

    /// Publishes the first snapshot, unless a layer has changed and been committed since the subscription.
    func publishFirst() {
        readForeignLayers()
        committing.withLock { state in
            guard case .publish(let composed) = state.compose(layers, written: nil) else { return }
            let first = composed.snapshot.with { $0.generation = changes.generation }
            state.notePublished(composed)
            published.replace(with: first, dirty: [])
            state.sources.note(first.state.parts, at: first.generation)
            state.generation = first.generation
            state.notified = NotificationProgress(completed: first.generation)
        }
    }

    /// Reads the layers whose storages run the program's code.
    private func readForeignLayers() {
        if foreignLayers.isEmpty { return }
        for index in foreignLayers { layers[index].stack?.commitSilently() }
        while true {
            let start = committing.withLock { $0.foreign.begin() }
            var reading: [Int: PrefsSnapshot] = [:]
            for index in foreignLayers where layers[index].stack == nil {
                reading[index] = layers[index].storage.snapshot
            }
            if committing.withLock({ $0.foreign.store(reading, begun: start) }) { return }
        }
    }

    private func publish(_ composed: CommitState.Composed) {
        let new = composed.snapshot.applying(composed.constraints)
        var old = published.snapshot
        while true {
            let commit = Commit(from: old, to: new)
            let rival = committing.withLock { state -> PrefsSnapshot? in
                if state.isPublished(composed) { return nil }
                let present = published.snapshot
                guard present.isCopy(of: old) else { return present }
                state.notePublished(composed)
                publish(commit, &state)
                return nil
            }
            guard let rival else { return }
            old = rival
        }
    }

    /// Makes a commit readable, and posts it to the queues from which it is announced.
    private func publish(_ commit: Commit, _ state: inout CommitState) {
        if commit.isSame { return }
        let generation = commit.dirty.isEmpty ? commit.old.generation : PrefsChangeSource.nextGeneration()
        let new = commit.new.with { $0.generation = generation }
        published.replace(with: new, dirty: commit.dirty)
        if commit.dirty.isEmpty { return state.sources.renew(new.state.parts) }
        changes.advance(to: generation)
        state.sources.note(new.state.parts, at: generation)
        state.generation = generation
        let transition = PrefsTransition(
            old: commit.old, new: new, cause: commit.cause, dirty: commit.dirty,
            metadata: state.composition.known.metadata)
        transitions.add(transition)
        if state.hasReports { reports.add { [weak self] in self?.report(transition) } }
    }

    /// Notifies of the commits so far: the observers of keys on the delivery thread, those of the change
    /// source on this thread, and the diagnostics last. A thread that delivers what it commits, such as the
    /// watcher's, reports the diagnostics when the observers of keys have been called.
    func notifyObservers() {
        let generation = committing.withLock { state in
            state.notified.begin(state.generation) ? state.generation : nil
        }
        if let generation {
            transitions.drain()
            changes.notify()
            committing.withLock { $0.notified.end(generation) }
        }
        transitions.drainLast(reports)
    }
}

extension LayeredPrefsStorage {
    /// Makes prepared writes effective as one generation, and notifies the observers of the layers.
    ///
    /// - Parameter writes: The writes, each with the layers that are stored in the written file.
    func commit(_ writes: [(layers: [PrefsLayer], edits: any PreparedEdits)]) throws {
        var written = WrittenEdits()
        defer { for notifyObservers in written.notifications { notifyObservers() } }
        let writtenLayers = writes.flatMap(\.layers)
        if let layer = writtenLayers.first, writtenLayers.count == 1 {
            defer { commit(written: layer) }
            return try written.commit(writes[0].edits)
        }
        let indices = Set(writtenLayers.compactMap { layer in layers.firstIndex { $0.name == layer.name } })
        try suspendingCommits(of: indices) { suspension in
            // Those that run the program's code come first, while no writer waits for the end.
            for write in writes where write.layers[0].contents == nil { try written.commit(write.edits) }
            committing.withLock { $0.hold(suspension, indices) }
            for write in writes where write.layers[0].contents != nil { try written.commit(write.edits) }
            // The other layers of a file read what the first one has written.
            for layer in writes.flatMap({ $0.layers.dropFirst() }) { layer.storage.reload() }
        }
    }

    /// Commits what changes in some layers within `body` as one generation.
    func suspendingCommits(
        of layers: Set<Int>, _ body: (BlockingPromise<Void>) throws -> Void
    ) rethrows {
        let suspension = committing.withLock { $0.suspend(layers) }
        defer {
            committing.withLock { $0.resume(suspension) }
            commitSilently()
            suspension.open(())
            notifyObservers()
        }
        try body(suspension)
    }
}

/// The writes of a transaction that have been made so far.
private struct WrittenEdits {
    var notifications: [PrefsNotification] = []
    private var renamed: [String] = []

    mutating func commit(_ edits: any PreparedEdits) throws {
        do {
            if let notifyObservers = try edits.commit() { notifications.append(notifyObservers) }
            if let file = edits.file { renamed.append(file) }
        } catch var error as PrefsError where !renamed.isEmpty {
            error.reason += "; already replaced: \(renamed.joined(separator: ", "))"
            throw error
        }
    }
}

/// The step from one published snapshot to the next.
private struct Commit {
    let old: PrefsSnapshot
    let new: PrefsSnapshot
    /// True if both are the same versions of the same sources.
    let isSame: Bool
    /// The highest paths at which anything differs. If there are none, the contents are equal, perhaps on
    /// other lines of the file: only origins change, and the generation stays the same.
    let dirty: PathList
    let cause: PrefsChangeCause

    init(from old: PrefsSnapshot, to new: PrefsSnapshot) {
        (self.old, self.new) = (old, new)
        isSame = new.hasSameSources(as: old)
        let sources = isSame ? [] : PrefsTransition.changedSources(from: old, to: new)
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
