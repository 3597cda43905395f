import Dispatch
import PrefsDocuments
import PrefsSystem
import Synchronization

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
/// **Writes** are committed before they return, so the next read on any thread returns the new value.
/// **Observers** of keys are notified of a commit on a delivery thread, in the order of the generations,
/// while the library holds no mutex. This is usually after the write that caused the commit has returned, and
/// never before its generation can be read. Observers of ``changeSource`` and of schemas that are not isolated
/// to an actor have been called when the write returns.
public final class LayeredPrefsStorage: PrefsStorage {
    /// The layers, from the lowest to the highest.
    public let layers: [PrefsLayer]

    /// The destination of the stack's diagnostics, such as those of rejected values.
    public let diagnostics: PrefsDiagnostics

    // Mutex order: `committing`, then that of `published`, `transitions`, `reports`, `reported` or a layer's
    // storage. While one is held no code of the program is called and no other process is waited for.
    let committing: Lock<CommitState>
    let published: PublishedSnapshot
    @usableFromInline let changes: PrefsChangeSource
    let delivery: DeliveryQueue
    /// The commits of which the observers of keys have not been notified.
    let transitions: TransitionFanOut
    /// The checks of values and keys that follow each commit, one after another.
    let reports = ObserverQueue()
    let reported = ReportedContents()
    let scheduler: any Scheduler
    let deferred = DeferredWrites()
    /// The record of reads; `nil` unless the program asked for one.
    let trackedReads = Lock<Reads?>(nil)
    /// True if there is one.
    let tracksReads = Atomic(false)
    private let subscriptions = Lock<[PrefsObservation]>([])
    /// True if every layer notifies of its changes; otherwise each read has to check all layers again.
    let isAnnounced: Bool
    /// The indices of the layers whose storages run the program's code when asked for a snapshot.
    let foreignLayers: [Int]

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
        scheduler: any Scheduler = DispatchScheduler(queue: .global()), _ layers: [PrefsLayer]
    ) {
        self.layers = layers
        self.delivery = delivery
        self.scheduler = scheduler
        transitions = TransitionFanOut(on: delivery)
        changes = PrefsChangeSource(isExact: true, coalescing: coalescing)
        self.diagnostics = diagnostics
        let locks = self.layers.flatMap { layer in
            layer.locks.map { CodeLock(path: PrefsPath($0), layer: layer.name) }
        }
        committing = Lock(CommitState(locks: locks))
        isAnnounced = self.layers.allSatisfy { $0.storage.changeSource != nil }
        foreignLayers = self.layers.indices.filter { layers[$0].contents == nil }
        published = PublishedSnapshot(PrefsSnapshot(parts: []))
        changes.advance(to: PrefsChangeSource.nextGeneration())
        subscribe()
        publishFirst()
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
    ///
    /// When it returns, every thread reads the files' contents as they were when it was called, or later ones,
    /// and observers have been notified as after a write, even if another thread has read the files.
    public func reload() {
        let measurement = reloadDurations.begin()
        defer { extendLifetime(measurement) }
        suspendingCommits(of: Set(layers.indices)) { _ in
            for layer in layers { layer.storage.reload() }
        }
    }

    /// Throws the first problem of the named layers, for programs that must not start with a broken file.
    public func require(_ names: Set<PrefsLayer.Name>) throws {
        for layer in layers where names.contains(layer.name) {
            for status in layer.storage.status {
                guard var problem = status.problem, !status.isOnlyOutOfReach else { continue }
                problem.origin?.layer = layer.name.description
                throw problem
            }
        }
    }

    /// The status of every layer's sources, from the lowest layer to the highest.
    public var status: [PrefsSourceStatus] {
        let generations = committing.withLock { $0.sources }.all
        return layers.flatMap { layer in
            layer.storage.status.map { status in
                var status = status
                status.layer = status.layer.map { "\(layer.name).\($0)" } ?? layer.name.description
                status.generation = generations[.init(layer: status.layer, file: status.file)]
                return status
            }
        }
    }

    /// Returns the layer with a name; `nil` if there is none.
    public func layer(_ name: PrefsLayer.Name) -> PrefsLayer? { layers.first { $0.name == name } }
}

extension LayeredPrefsStorage {
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
    /// A write by this process through the layer is committed at once, so that the writer can read it through
    /// the stack. Edits by other processes are coalesced; those of files that the stack's own queue reads
    /// already have been.
    private func layerDidChange(_ index: Int) {
        let storage = layers[index].storage
        if storage.snapshot.wasWritten { return commit(written: layers[index]) }
        let reloads = changes.reloads
        if storage.changeSource?.reloads === reloads { return commit() }
        reloads?.note(self, .file)
        reloads?.run()
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
}
