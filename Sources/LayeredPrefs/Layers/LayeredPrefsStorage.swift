import PrefsDocuments
import PrefsSystem

/// A stack of layers, each a storage: for every key, the value of the highest layer that has an acceptable
/// one is effective.
///
/// ```swift
/// let storage = LayeredPrefsStorage.standard(domain: "com.example.myd")
/// let port = storage.get(.port)
/// ```
///
/// The stack is a ``PrefsStorage`` itself, so it can be used wherever a storage can, including as a layer of
/// another stack. When a layer changes, for whatever reason, the stack commits a new ``PrefsSnapshot`` with
/// the next generation and notifies the observers of the keys that the change touches. All methods are safe
/// to call from any thread.
///
/// | layer      | `http.port` | `log.level` |
/// |------------|-------------|-------------|
/// | `user`     | `"many"`    |             |
/// | `system`   | 8080        | `"debug"`   |
/// | `defaults` | 80          | `"info"`    |
/// | effective  | 8080: the user's value is no integer and is rejected | `"debug"` |
///
/// **Writes** are committed before they return, so the next read returns the new value. **Observers** are
/// notified of a commit on the delivery thread, in the order of the generations, while the library holds no
/// mutex. This is usually after the write that caused the commit has returned, and never before its
/// generation can be read.
public final class LayeredPrefsStorage: PrefsStorage {
    /// The layers, from the lowest to the highest.
    public let layers: [PrefsLayer]

    /// The destination of the stack's diagnostics, such as those of rejected values.
    public let diagnostics: PrefsDiagnostics

    // Lock order: `writing`, then `committing`, then `published`, then any layer's own mutex. Observers are
    // called while none of them is held.
    let writing = RecursiveMutex()
    let deferred = DeferredWrites()
    let committing: Lock<CommitState>
    let published: PublishedSnapshot
    let changes: PrefsChangeSource
    let delivery: DeliveryQueue
    private let subscriptions = Lock<[PrefsObservation]>([])
    /// True if every layer notifies of its changes; otherwise each read has to check all layers again.
    let isAnnounced: Bool

    /// The state of the commit, of which only one runs at a time.
    struct CommitState {
        var observers = PathTrie<TransitionObserver>()
        var composition: SnapshotComposition
        var rejections = RejectionLog()
        var unknownKeys = UnknownKeyReporter()
        var sources = SourceGenerations()
        /// The number of nested `withSingleCommit` calls in progress; commits wait until it is zero.
        var suspensions = 0
        /// The diagnostics of the commits of which `changes` has not been notified.
        var pendingReports: [Report] = []
    }

    /// The diagnostics of a commit, to be reported once the mutexes are released.
    struct Report {
        let rejections: RejectionLog.Report
        let unknownKeys: [PrefsError]
    }

    /// Creates a stack of layers, listed from the lowest to the highest; it may have none.
    ///
    /// - Parameters:
    ///   - coalescing: The way in which edits of files that follow each other closely are combined into one
    ///     commit. Writes by this process are never delayed.
    ///   - diagnostics: The destination of diagnostics, such as those of rejected values.
    ///   - layers: The layers, from the lowest to the highest.
    public convenience init(
        coalescing: PrefsCoalescing = .standard,
        diagnostics: PrefsDiagnostics = .shared,
        @PrefsLayerBuilder _ layers: () -> [PrefsLayer]
    ) {
        self.init(coalescing: coalescing, diagnostics: diagnostics, delivery: .shared, layers())
    }

    init(
        coalescing: PrefsCoalescing, diagnostics: PrefsDiagnostics, delivery: DeliveryQueue,
        _ layers: [PrefsLayer]
    ) {
        self.layers = layers
        self.delivery = delivery
        changes = PrefsChangeSource(isExact: true, coalescing: coalescing)
        self.diagnostics = diagnostics
        let locks = self.layers.flatMap { layer in
            layer.locks.map { CodeLock(path: PrefsPath($0), layer: layer.name) }
        }
        committing = Lock(CommitState(composition: SnapshotComposition(locks: locks)))
        isAnnounced = self.layers.allSatisfy { $0.storage.changeSource != nil }
        published = PublishedSnapshot(PrefsSnapshot(parts: []))
        changes.advance(to: PrefsChangeSource.nextGeneration())
        subscribe()
        committing.withLock { state in
            let empty = PrefsSnapshot(generation: changes.generation, parts: [])
            let first = state.composition.next(of: self.layers, after: empty) ?? empty
            published.replace(with: first, dirty: [])
            state.sources.note(first.state.parts, at: first.generation)
        }
    }

    /// Creates a stack, and throws if a required layer has a problem.
    ///
    /// - Parameters:
    ///   - required: The layers whose files, if they exist, must be readable and valid.
    ///   - coalescing: The way in which edits of files that follow each other closely are combined.
    ///   - diagnostics: The destination of diagnostics.
    ///   - layers: The layers, from the lowest to the highest.
    /// - Throws: ``PrefsError``: the first problem of a required layer.
    public convenience init(
        required: Set<PrefsLayer.Name>,
        coalescing: PrefsCoalescing = .standard,
        diagnostics: PrefsDiagnostics = .shared,
        @PrefsLayerBuilder _ layers: () -> [PrefsLayer]
    ) throws {
        self.init(coalescing: coalescing, diagnostics: diagnostics, layers)
        try require(required)
    }

    /// The last committed snapshot; within ``withOverrides(_:_:)``, with its overrides above every layer.
    public var snapshot: PrefsSnapshot {
        if !isAnnounced { commit() }
        let snapshot = published.snapshot
        return changes.generation == .max ? scoped(snapshot) : snapshot
    }

    /// The last committed snapshot, without checking the layers; for use while `committing` is held.
    var committedSnapshot: PrefsSnapshot { published.snapshot }

    /// The source of change notifications; `nil` if a layer does not notify of its changes.
    public var changeSource: PrefsChangeSource? { isAnnounced ? changes : nil }

    /// A Boolean value that indicates whether any layer is writable.
    public var isWritable: Bool { layers.contains { $0.storage.isWritable } }

    /// A Boolean value that indicates whether any layer is both writable and persistent.
    public var isPersistent: Bool { writeTarget?.storage.isPersistent ?? false }

    /// Checks every layer's files again, as a daemon does on SIGHUP, and commits changes before returning.
    public func reload() {
        withSingleCommit { for layer in layers { layer.storage.reload() } }
    }

    /// Commits everything that changes within `body` as one generation.
    ///
    /// Other writers wait, because their changes could not be committed before the end either. Writes that a
    /// layer's own observers make on this thread are part of the same generation.
    func withSingleCommit<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
        // Commit while still holding the writer lock, so that this writer can read its own change; notify
        // after releasing it, because observers may write.
        defer { notifyObservers() }
        try writing.pass { () throws(Failure) in
            committing.withLock { $0.suspensions += 1 }
            defer {
                committing.withLock { $0.suspensions -= 1 }
                commitSilently()
            }
            try body()
        }
    }

    /// Throws the first problem of the named layers, for programs that must not start with a broken file.
    public func require(_ names: Set<PrefsLayer.Name>) throws {
        for layer in layers where names.contains(layer.name) {
            for status in layer.storage.status {
                guard var problem = status.problem else { continue }
                problem.origin?.layer = layer.name.description
                throw problem
            }
        }
    }

    /// The status of every layer's sources, from the lowest layer to the highest.
    public var status: [PrefsSourceStatus] {
        let sources = committing.withLock { $0.sources }
        return layers.flatMap { layer in
            layer.storage.status.map { status in
                var status = status
                status.layer = status.layer.map { "\(layer.name).\($0)" } ?? layer.name.description
                status.generation = sources.generation(of: status)
                return status
            }
        }
    }

    /// Returns the layer with a name; `nil` if there is none.
    public func layer(_ name: PrefsLayer.Name) -> PrefsLayer? { layers.first { $0.name == name } }
}

extension LayeredPrefsStorage {
    private func subscribe() {
        let observations = layers.compactMap { layer in
            layer.storage.changeSource.map { source in
                source.join(changes)
                return source.observe { [weak self, weak storage = layer.storage] in
                    if let storage { self?.layerDidChange(storage) }
                }
            }
        }
        subscriptions.withLock { $0 = observations }
    }

    /// Handles a change of a layer.
    ///
    /// A write by this process through the layer is committed at once, so that the writer can read it through
    /// the stack. Edits by other processes are coalesced; those of files that the stack's own queue reads
    /// already have been.
    private func layerDidChange(_ storage: any PrefsStorage) {
        if storage.snapshot.wasWritten { return commit() }
        let reloads = changes.reloads
        if storage.changeSource?.reloads === reloads { return commit() }
        reloads?.note(self, .file)
        reloads?.run()
    }

    /// Checks every layer, publishes a new generation if anything differs, and notifies.
    func commit() {
        commitSilently()
        notifyObservers()
    }

    /// Reports the diagnostics of the commits so far and notifies `changes`.
    private func notifyObservers() {
        let pendingReports = committing.withLock { state in
            defer { state.pendingReports = [] }
            return state.pendingReports
        }
        for report in pendingReports {
            report.rejections.send(to: diagnostics)
            for error in report.unknownKeys { diagnostics.report(.warning, error) }
        }
        if !pendingReports.isEmpty { changes.notify() }
    }

    /// Commits and leaves the notification to the next ``commit()``.
    ///
    /// A stack that contains this one may be notified of an edit first. Committing this stack here lets it
    /// find everything that was edited together.
    func commitSilently() {
        committing.withLock { state in
            guard state.suspensions == 0, let commit = state.makeCommit(of: layers, after: published.snapshot)
            else { return }
            publish(commit, &state)
            if !commit.dirty.isEmpty { state.post(commit) }
        }
    }

    /// Makes a commit readable.
    private func publish(_ commit: Commit, _ state: inout CommitState) {
        published.replace(with: commit.new, dirty: commit.dirty)
        if commit.dirty.isEmpty {
            state.sources.renew(commit.new.state.parts)
        } else {
            changes.advance(to: commit.new.generation)
            state.sources.note(commit.new.state.parts, at: commit.new.generation)
        }
    }
}

/// The step from one published snapshot to the next.
private struct Commit {
    let old: PrefsSnapshot
    let new: PrefsSnapshot
    /// The highest paths at which anything differs. If there are none, the contents are equal, perhaps on
    /// other lines of the file: only origins change, and the generation stays the same.
    let dirty: Set<PrefsPath>
}

extension LayeredPrefsStorage.CommitState {
    /// Composes the layers' current states; `nil` if none differs from the published snapshot.
    fileprivate mutating func makeCommit(of layers: [PrefsLayer], after old: PrefsSnapshot) -> Commit? {
        guard let new = composition.next(of: layers, after: old) else { return nil }
        let dirty = PrefsTransition.dirtyPaths(from: old, to: new)
        if dirty.isEmpty { return Commit(old: old, new: new, dirty: dirty) }
        return Commit(
            old: old, new: new.with { $0.generation = PrefsChangeSource.nextGeneration() }, dirty: dirty)
    }

    /// Posts a commit to the observers that it touches, and collects its diagnostics.
    fileprivate mutating func post(_ commit: Commit) {
        let (old, new) = (commit.old, commit.new)
        let transition = PrefsTransition(
            old: old, new: new, cause: new.cause(since: old), dirty: Array(commit.dirty),
            metadata: composition.known.metadata)
        for observer in observers.observers(of: commit.dirty) { observer.post(transition) }
        pendingReports.append(
            LayeredPrefsStorage.Report(
                rejections: rejections.update(for: transition),
                unknownKeys: unknownKeys.checkAgain(new, against: composition.known)))
    }
}

extension LayeredPrefsStorage: Reloadable {
    func refresh(_ cause: PrefsChangeCause) -> (@Sendable () -> Void)? { { [self] in commit() } }
}

extension PrefsSnapshot {
    /// True if the most recent version among all sources was written by this process.
    fileprivate var wasWritten: Bool {
        state.parts.max { $0.source.version < $1.source.version }?.source.cause == .write
    }

    /// Returns the cause of the newest source that `other` lacks, or `.lock` if only locks differ.
    fileprivate func cause(since other: PrefsSnapshot) -> PrefsChangeCause {
        let news = PrefsTransition.changedSources(from: other, to: self).map(\.after)
        let newest = news.filter { $0 !== PrefsSource.empty }.max { $0.version < $1.version }
        if let newest { return newest.cause }
        return state.rules.locks == other.state.rules.locks ? .file : .lock
    }
}
