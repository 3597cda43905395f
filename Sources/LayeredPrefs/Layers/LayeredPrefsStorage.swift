import PrefsDocuments
import PrefsSystem

/// Layers of preferences, each a storage, resolved as one: for every key the highest layer that has an
/// acceptable value is the answer.
///
/// ```swift
/// let storage = LayeredPrefsStorage.standard(domain: "com.example.myd")
/// let port = storage.get(.port)
/// ```
///
/// The stack is a ``PrefsStorage`` itself, so whatever takes a storage takes a stack, another stack included.
/// Whenever a layer changes, by whomever, the stack commits a new ``PrefsSnapshot`` with the next generation,
/// and tells whoever observes a key that the change touches. All of it may be used from any thread.
///
/// **Writes** commit before they return: reading back shows them at once. **Observers** hear of a commit on
/// the delivery thread, in the order of the generations, holding none of the library's locks; as a rule
/// after the write that caused it has returned, and never before its generation can be read.
public final class LayeredPrefsStorage: PrefsStorage {
    /// The layers, from the lowest to the highest.
    public let layers: [PrefsLayer]

    /// Where the stack reports what it refuses.
    public let diagnostics: PrefsDiagnostics

    // Lock order: `writing`, then `committing`, then `published`, then any layer's own. Observers are called
    // under none.
    let writing = WriterGate()
    let deferred = DeferredWrites()
    let committing: Lock<CommitState>
    let published: PublishedSnapshot
    let changes = PrefsChangeSource(isExact: true)
    private let subscriptions = Lock<[PrefsObservation]>([])
    private let sharedBurst: Lock<FileBurst>
    /// Whether every layer says when it changed; otherwise each read looks at all of them anew.
    let isAnnounced: Bool

    /// What belongs to the one commit that may run at a time.
    struct CommitState {
        var observers = ObserverTable<PrefsSubscriber>()
        var rejections = RejectionLog()
        var composition = LayerComposition()
        /// Whether anything beside the layers' states may make the next state another one.
        var hasNewRules = true
        var constraints: [PrefsConstraint] = [] { didSet { hasNewRules = true } }
        /// How many transactions are under way, whose writes come into force together.
        var suspensions = 0
        var locks: [CodeLock] = [] { didSet { hasNewRules = true } }
        var known = KnownKeys() { didSet { hasNewRules = true } }
        var declarations = 0
        var isChecked = false
        var toldUnknown: Set<KnownKeys.Unknown.Place> = []
        var checkedParts: [CheckedPart] = []
        var sources = SourceGenerations()
        /// Commits that nobody but the observers was told of.
        var untold: [Commit] = []
    }

    /// What was unknown in a version of a part, when so many keys were declared.
    struct CheckedPart {
        let layer: String?
        let version: UInt64
        let count: Int
        let unknown: [KnownKeys.Unknown]
    }

    /// A lock that the program made.
    struct CodeLock: Hashable {
        let path: PrefsPath
        let layer: PrefsLayer.Name
    }

    /// A stack of these layers, from the lowest to the highest; it may have none.
    ///
    /// - Parameters:
    ///   - burst: How long after a commit further edits of files are gathered into one; writes of this
    ///     process never wait.
    ///   - settles: Whether even the first edit after quiet waits until none has come for `burst`, so that a
    ///     burst of edits is one change set; otherwise it is at most two, the first of them at once.
    ///   - diagnostics: Where to report values that are refused.
    public init(
        burst: Duration = .milliseconds(50),
        settles: Bool = false,
        diagnostics: PrefsDiagnostics = .shared,
        @PrefsLayerBuilder _ layers: () -> [PrefsLayer]
    ) {
        self.layers = layers()
        self.diagnostics = diagnostics
        let locks = self.layers.flatMap { layer in
            layer.locks.map { CodeLock(path: PrefsPath($0), layer: layer.name) }
        }
        committing = Lock(CommitState(locks: locks))
        isAnnounced = self.layers.allSatisfy { $0.storage.changeSource != nil }
        published = PublishedSnapshot(PrefsSnapshot(parts: []))
        changes.advance(to: PrefsChangeSource.nextGeneration())
        let burst = FileBurst(window: burst, settles: settles)
        sharedBurst = Lock(burst)
        gather(in: burst)
        subscribe()
        committing.withLock { state in
            let empty = PrefsSnapshot(generation: changes.generation, parts: [])
            let first = state.compose(self.layers, after: empty) ?? empty
            published.replace(with: first, dirty: [])
            state.sources.note(first.state.parts, at: first.generation)
        }
    }

    /// A stack that does not start unless some of its layers are sound.
    ///
    /// - Parameter required: The layers whose files, where there are any, must be read without a problem.
    /// - Throws: ``PrefsError``, the first problem of a required layer.
    public convenience init(
        required: Set<PrefsLayer.Name>,
        burst: Duration = .milliseconds(50),
        settles: Bool = false,
        diagnostics: PrefsDiagnostics = .shared,
        @PrefsLayerBuilder _ layers: () -> [PrefsLayer]
    ) throws {
        self.init(burst: burst, settles: settles, diagnostics: diagnostics, layers)
        try require(required)
    }

    public var snapshot: PrefsSnapshot {
        if !isAnnounced { commit() }
        let snapshot = published.snapshot
        return changes.generation == .max ? scoped(snapshot) : snapshot
    }

    /// The snapshot as committed last, without a look at the layers; for use under `committing`.
    var snapshotInForce: PrefsSnapshot { published.snapshot }

    public var changeSource: PrefsChangeSource? { isAnnounced ? changes : nil }

    public var isWritable: Bool { layers.contains { $0.storage.isWritable } }

    public var isPersistent: Bool { writeTarget?.storage.isPersistent ?? false }

    /// Looks at every layer's files again and commits what is new before it returns: what a daemon does on
    /// SIGHUP.
    public func recheck() {
        gathering { for layer in layers { layer.storage.recheck() } }
    }

    /// Makes everything that changes within `body` one generation.
    ///
    /// Other writers wait: their generation, too, would only be committed at the end. What a layer's own
    /// observers write on this thread is part of the same generation.
    func gathering<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
        // Told last of all, once the gate is open again: whoever is told may write. Committed before, or the next
        // writer would hold back what this one is to read.
        defer { tell() }
        try writing.pass { () throws(Failure) in
            committing.withLock { $0.suspensions += 1 }
            defer {
                committing.withLock { $0.suspensions -= 1 }
                commitSilently()
            }
            try body()
        }
    }

    /// Throws the first problem of the named layers: for a program that must not start with a broken file.
    public func require(_ names: Set<PrefsLayer.Name>) throws {
        for layer in layers where names.contains(layer.name) {
            for status in layer.storage.status {
                guard var problem = status.problem else { continue }
                problem.origin?.layer = layer.name.description
                throw problem
            }
        }
    }

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

    /// The layer of a name.
    public func layer(_ name: PrefsLayer.Name) -> PrefsLayer? { layers.first { $0.name == name } }
}

extension LayeredPrefsStorage {
    private func subscribe() {
        let observations = layers.compactMap { layer in
            layer.storage.changeSource?.observe { [weak self, weak storage = layer.storage] in
                if let storage { self?.take(up: storage) }
            }
        }
        subscriptions.withLock { $0 = observations }
    }

    /// Whoever wrote through a layer finds the stack committed; edits by others are gathered, which those of
    /// files in the stack's own burst have been already.
    private func take(up storage: any PrefsStorage) {
        let burst = burst
        if storage.snapshot.wasWritten || storage.fileBurst === burst { return commit() }
        burst.note(self, .file)
        burst.run()
    }

    /// What a commit leaves to be told once the locks are released.
    struct Commit {
        let report: RejectionLog.Report
        let unknown: [PrefsError]
    }

    /// Looks at every layer, publishes a new generation if anything differs, and tells.
    func commit() {
        commitSilently()
        tell()
    }

    /// Tells of what was committed.
    private func tell() {
        let untold = committing.withLock { state in
            defer { state.untold = [] }
            return state.untold
        }
        for commit in untold {
            commit.report.send(to: diagnostics)
            for error in commit.unknown { diagnostics.report(.warning, error) }
        }
        if !untold.isEmpty { changes.notify() }
    }

    /// A commit that is told by the next ``commit()``: a stack around this one, which may be told first of an
    /// edit, finds here what was edited together with it.
    func commitSilently() {
        committing.withLock { state in
            if state.suspensions > 0 { return }
            let old = published.snapshot
            guard let composed = state.compose(layers, after: old) else { return }
            let dirty = PrefsTransition.dirtyPaths(from: old, to: composed)
            guard !dirty.isEmpty else {
                // Equal content, from other lines of the file perhaps: provenance moves on, nothing else.
                published.replace(with: composed, dirty: [])
                state.sources.renew(composed.state.parts)
                return
            }
            let new = composed.with(generation: PrefsChangeSource.nextGeneration())
            published.replace(with: new, dirty: dirty)
            changes.advance(to: new.generation)
            state.sources.note(new.state.parts, at: new.generation)
            let transition = PrefsTransition(
                old: old, new: new, cause: new.cause(since: old), dirty: Array(dirty),
                facts: state.known.facts)
            for observer in state.observers.observers(of: dirty) { observer.post(transition) }
            state.untold.append(
                Commit(
                    report: state.rejections.update(for: transition),
                    unknown: state.unknownKeysIfChecked(in: new)))
        }
    }
}

extension LayeredPrefsStorage.CommitState {
    /// The layers' states as one, if that is not what `old` is.
    mutating func compose(_ layers: [PrefsLayer], after old: PrefsSnapshot) -> PrefsSnapshot? {
        if !composition.update(layers), !hasNewRules { return nil }
        hasNewRules = false
        let composed = PrefsSnapshot(
            generation: old.generation, parts: composition.parts,
            locks: known.spread(composition.locks(layers, and: locks)), claims: known.claims
        )
        .applying(constraints)
        return composed.hasSameSources(as: old) ? nil : composed
    }
}

extension LayeredPrefsStorage: FileBurstStorage, FileBurstMember {
    var burst: FileBurst { sharedBurst.withLock { $0 } }

    func gather(in burst: FileBurst) {
        sharedBurst.withLock { $0 = burst }
        for layer in layers { layer.storage.burstStorage?.gather(in: burst) }
    }

    func refresh(_ cause: PrefsChangeCause) -> (@Sendable () -> Void)? { { [self] in commit() } }
}

extension PrefsStorage {
    fileprivate var burstStorage: (any FileBurstStorage)? { innermost as? any FileBurstStorage }

    fileprivate var fileBurst: FileBurst? { burstStorage?.burst }
}

extension PrefsSnapshot {
    /// The same with other parts.
    func with(parts: [Part]) -> PrefsSnapshot {
        PrefsSnapshot(
            generation: generation, parts: parts, locks: state.locks, refusals: state.refusals,
            claims: state.claims)
    }

    /// Whether the latest version of any source was written by this process.
    fileprivate var wasWritten: Bool {
        state.parts.max { $0.source.version < $1.source.version }?.source.cause == .write
    }

    fileprivate func with(generation: UInt64) -> PrefsSnapshot {
        PrefsSnapshot(
            generation: generation, parts: state.parts, locks: state.locks, refusals: state.refusals,
            claims: state.claims)
    }

    fileprivate func hasSameSources(as other: PrefsSnapshot) -> Bool {
        state.parts.elementsEqual(other.state.parts) { $0.source === $1.source && $0.height == $1.height }
            && state.locks == other.state.locks && state.refusals == other.state.refusals
            && state.claims == other.state.claims
    }

    /// What made the newest source that `other` does not have; a lock when no source differs.
    fileprivate func cause(since other: PrefsSnapshot) -> PrefsChangeCause {
        let known = other.state.parts
        let news = state.parts.filter { part in !known.contains { $0.source === part.source } }
        if let newest = news.max(by: { $0.source.version < $1.source.version }) { return newest.source.cause }
        return state.locks == other.state.locks ? .file : .lock
    }
}
