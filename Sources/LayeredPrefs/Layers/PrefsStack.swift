import PrefsDocuments
import PrefsSystem
import Synchronization

/// An ordered stack of layers. Every key gets the value of the highest layer that has an acceptable one.
///
/// ```swift
/// let storage = PrefsStack.standard(domain: "com.example.myd")
/// let port = storage.get(.port)
/// ```
///
/// In the following table, the user's value of `http.port` is not an integer, so it is rejected. The value of the
/// layer `system` is effective instead:
///
/// | layer      | `http.port` | `log.level` |
/// |------------|-------------|-------------|
/// | `user`     | `"many"`    |             |
/// | `system`   | 8080        | `"debug"`   |
/// | `defaults` | 80          | `"info"`    |
/// | effective  | 8080        | `"debug"`   |
///
/// A stack is itself a ``PrefsStorage``. You can use it wherever a storage is expected, even as a layer of another
/// stack. All methods are safe to call from any thread.
///
/// When a layer changes, for whatever reason, the stack commits a new ``PrefsSnapshot`` with the next generation.
/// It then notifies the observers of the keys that the change touches.
///
/// **Writes** through the stack are committed before they return. So the next read on any thread returns the new
/// value.
///
/// **Observers** of keys are called on a thread of the event loop, in the order of the generations, while the
/// library holds no mutex. An observer is never called before its generation can be read. It usually runs after
/// the write that caused the commit has returned; ``settled()`` waits for it. Two kinds of observers are called by
/// the thread that commits: observers of ``changeSource``, and observers of schemas that are not isolated to an
/// actor.
public final class PrefsStack: PrefsStorage {
    /// The layers, from the lowest to the highest.
    public let layers: [PrefsLayer]

    /// The stack's number. No other stack in this process has it or had it.
    let number = PrefsChangeSource.nextGeneration()

    /// The receiver of the stack's diagnostics, for example about rejected values.
    public let diagnostics: PrefsDiagnosticHandler

    /// The engine that commits the changes of the layers.
    let engine: CommitEngine
    let published: PublishedSnapshot
    @usableFromInline let changes: PrefsChangeSource
    let loop: EventLoop
    let scheduler: any Scheduler
    let deferred: DeferredWrites
    /// The record of reads, if the program has asked for one.
    let trackedReads = AtomicLazyReference<Reads>()
    private let subscriptions = Lock<[PrefsObservation]>([])
    /// True if every layer announces its changes. Otherwise, each read has to check all layers again.
    let isAnnounced: Bool
    /// The schemas that declare their keys.
    let schemas = Lock(DeclaredSchemas())
    /// The contents that a configuration starts with, unless it names others.
    let startContents = Lock(StartContents.files)
    /// The keepers that save the settings for the next start.
    let startKeepers = Lock<[StartContents: StartKeeper.Reference]>([:])

    /// Creates a stack from layers that you list from the lowest to the highest. A stack may have no layers.
    ///
    /// - Parameters:
    ///   - coalescing: The policy that combines edits of files into one commit if they follow each other closely.
    ///     Writes by this process are never delayed.
    ///   - diagnostics: The receiver of diagnostics, for example about rejected values.
    ///   - layers: The layers, from the lowest to the highest.
    public convenience init(
        coalescing: PrefsCoalescing = .standard,
        diagnostics: PrefsDiagnosticHandler = .shared,
        @PrefsLayer.Builder _ layers: () -> [PrefsLayer]
    ) {
        let (layers, reports) = StartReports.collect(layers)
        self.init(coalescing: coalescing, diagnostics: diagnostics, layers)
        reports.send { file in
            layers.first { $0.storage.status.contains { $0.file == file } }?.name.description
        }
    }

    init(
        coalescing: PrefsCoalescing, diagnostics: PrefsDiagnosticHandler, loop: EventLoop = .shared,
        scheduler: any Scheduler = EventLoop.shared, check: CandidateCheck? = nil,
        deferred: DeferredWrites = DeferredWrites(), _ layers: [PrefsLayer]
    ) {
        self.deferred = deferred
        self.layers = layers
        self.loop = loop
        self.scheduler = scheduler
        changes = PrefsChangeSource(isExact: true, coalescing: coalescing)
        self.diagnostics = diagnostics
        published = PublishedSnapshot(PrefsSnapshot(parts: []))
        engine = CommitEngine(
            layers, check: check, publishing: published, changes, diagnostics: diagnostics, scheduler,
            on: loop)
        isAnnounced = engine.isAnnounced
        changes.advance(to: PrefsChangeSource.nextGeneration())
        subscribe()
        engine.publishFirst()
    }

    /// Creates a stack, and throws if a required layer has a problem.
    ///
    /// - Parameters:
    ///   - required: The names of the required layers. Their files may be missing, but must be readable and valid
    ///     if they exist.
    ///   - coalescing: The policy that combines edits of files into one commit if they follow each other closely.
    ///   - diagnostics: The receiver of diagnostics.
    ///   - layers: The layers, from the lowest to the highest.
    /// - Throws: ``PrefsError``: the first problem of a required layer.
    public convenience init(
        required: Set<PrefsLayer.Name>,
        coalescing: PrefsCoalescing = .standard,
        diagnostics: PrefsDiagnosticHandler = .shared,
        @PrefsLayer.Builder _ layers: () -> [PrefsLayer]
    ) throws {
        self.init(coalescing: coalescing, diagnostics: diagnostics, layers)
        try require(required)
    }

    /// The last committed snapshot.
    ///
    /// Within ``withOverrides(_:_:)``, the snapshot has the overrides above every layer.
    public var snapshot: PrefsSnapshot {
        if !isAnnounced, !CommitLock.isHeldByThisThread { tryCommit() }
        let snapshot = published.snapshot
        return changes.generation == .max ? scoped(snapshot) : snapshot
    }

    /// The last committed snapshot. Unlike ``snapshot``, it checks no layers, and has no overrides of a scope.
    var committedSnapshot: PrefsSnapshot { published.snapshot }

    /// The source of change notifications, or `nil` if a layer does not report its changes.
    public var changeSource: PrefsChangeSource? { isAnnounced ? changes : nil }

    /// A Boolean value that indicates whether any layer is writable.
    public var isWritable: Bool { layers.contains { $0.storage.isWritable } }

    /// A Boolean value that indicates whether writes that name no layer go to a persistent layer.
    public var isPersistent: Bool { writeTarget?.storage.isPersistent ?? false }

    /// Checks the files of every layer again, as a daemon does on SIGHUP, and commits changes before it returns.
    ///
    /// After this call, every thread reads the contents that the files had at the time of the call, or newer
    /// contents. Observers are called soon; ``settled()`` waits for them.
    ///
    /// If a rule over several keys calls this method, the stack commits soon and does not wait. A handler of
    /// ``Live/apply(_:_:)`` over this stack must not call this method, because the call would wait for the
    /// handler's own decision. Such a call reads nothing and reports an error.
    public func reload() {
        if isWithinApply {
            diagnostics.report(
                .error,
                PrefsError(
                    .unsupported,
                    reason: "an `apply` handler cannot reload the files; nothing was read again"))
            return
        }
        let start = changes.reloadDurations.begin()
        defer { changes.reloadDurations.end(start) }
        if CommitLock.isHeldByThisThread { return tryCommit() }
        // All files are read before any observer is notified, so that they are one generation.
        var notifications: [PrefsNotification] = []
        for layer in layers {
            if let own = layer.contents as? any Reloadable {
                if let notifyObservers = own.refresh(.reload) { notifications.append(notifyObservers) }
            } else {
                layer.storage.reload()
            }
        }
        let checks = engine.checks.withLock { $0.all }
        if checks.count(where: { $0.decider?.forgetRejections() == true }) > 0 { _ = engine.composeAgain() }
        commit()
        for notifyObservers in notifications { notifyObservers() }
    }

    /// Throws the first problem of the named layers. Use this if your program must not start with a broken file.
    public func require(_ names: Set<PrefsLayer.Name>) throws {
        for layer in layers where names.contains(layer.name) {
            for status in layer.storage.status {
                guard var problem = status.problem, !status.isOnlyOutOfReach else { continue }
                problem.origin?.layer = layer.name.description
                throw problem
            }
        }
    }

    /// Returns the layer with a name, or `nil` if there is none.
    public func layer(_ name: PrefsLayer.Name) -> PrefsLayer? { layers.first { $0.name == name } }
}

extension PrefsStack {
    /// Commits the differences in all layers, without waiting; see ``CommitEngine``.
    func tryCommit() { engine.tryCommit() }

    /// Commits the differences in all layers before it returns.
    func commit() { engine.commit() }

    /// Makes prepared writes active as one generation.
    func commit(_ writes: [PreparedWrite]) throws { try engine.commit(writes) }

    private func subscribe() {
        let observations = layers.indices.compactMap { index in
            layers[index].storage.changeSource.map { source in
                source.join(changes)
                return source.observe { [weak self] in
                    self?.layerDidChange(index)
                }
            }
        }
        subscriptions.withLock { $0 = observations }
    }

    /// Handles a change of a layer.
    ///
    /// A write by this process through the layer is committed at once, unless another thread is committing, so
    /// that the writer can read it through the stack. Edits by other processes are coalesced. Edits that the
    /// stack's own queue has read are coalesced already.
    ///
    /// A storage of the program may announce a change while it holds a mutex that its `snapshot` takes. So another
    /// thread reads the storage.
    private func layerDidChange(_ index: Int) {
        let layer = layers[index]
        if layer.contents == nil, layer.stack == nil {
            engine.commitQueue.post { [weak self] in self?.commitSoon() }
            return
        }
        let isRead = layer.storage.changeSource?.reloads === changes.reloads
        if isRead || layer.storage.snapshot.wasWritten { tryCommit() } else { commitSoon() }
    }

    /// Commits now, or when the changes that follow closely have been made.
    private func commitSoon() {
        changes.reloads?.note(self, .file)
        changes.reloads?.run()
    }
}

extension PrefsStack: Reloadable {
    func refresh(_ cause: PrefsChangeCause) -> (@Sendable () -> Void)? { { [self] in tryCommit() } }
}

extension PrefsSnapshot {
    /// True if this process has written the newest revision among all sources.
    fileprivate var wasWritten: Bool {
        state.parts.max { $0.source.version < $1.source.version }?.source.cause == .write
    }
}
