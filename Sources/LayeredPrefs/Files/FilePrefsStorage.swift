public import PrefsFiles
public import PrefsDocuments
import PrefsSystem
public import FileWatching
import Dispatch

/// Preferences in one file: a property list (XML or binary) or JSON, watched, and written durably.
///
/// An edit by any process is read as soon as it is complete. A missing file is an empty storage, watched for
/// its creation; neither the file nor its folder is created before the first write. If the file cannot be
/// read or parsed, the last good contents stay effective; this is reported once per bad version, and once
/// when the file recovers.
///
/// A write takes the file lock, which excludes other processes, merges its one key into the file's contents
/// at that moment, and returns when the result is durable. Everything else in the file stays as it is.
public final class FilePrefsStorage: PathWritablePrefsStorage {
    /// The path of the file, which need not exist.
    public let path: String

    /// Options of a file storage.
    public struct Options: Sendable {
        /// The file's format; `nil` detects it from the name and the content.
        public var format: PrefsFileFormat?
        /// The largest accepted size and nesting depth.
        public var limits = PrefsLimits.standard
        /// The accepted owners and modes.
        public var policy = PrefsFilePolicy.any
        /// A Boolean value that indicates whether this program may write the file.
        public var isWritable = true
        /// Options for writing: the mode of a new file, the time to wait for other writers, the attributes
        /// that may be lost.
        public var writing = PrefsFileWriteOptions()
        /// The way in which edits that follow each other closely are combined into one change. In a stack,
        /// the stack's setting applies.
        public var coalescing = PrefsCoalescing.standard
        /// The watcher that reports edits of the file.
        public var watcher = FileWatcher.shared
        /// The receiver of problem reports.
        public var diagnostics = PrefsDiagnostics.shared
        /// The source of time for repeating failed reads.
        var scheduler: any Scheduler = DispatchScheduler(queue: .global(qos: .utility))

        /// Creates the default options.
        public init() {}
    }

    private struct State {
        /// The file's signature when it was last read, good or bad; `nil` if it was missing.
        var signature: FileSignature?
        /// True if the signature suffices to detect an edit; otherwise the file must be read.
        var isSettled = false
        var document = PrefsDocument.empty
        /// The contents that this process is about to commit; the watcher may see them before the writer
        /// returns.
        var expected: Expected?
        /// The reason why the effective contents are not those of the file; `nil` if they are.
        var problem: PrefsError?
        /// The time at which the effective contents were read.
        var lastRead: ContinuousClock.Instant?
        var notifications = NotificationsInProgress()
    }

    private struct Expected {
        let document: PrefsDocument
        let author: PrefsAuthorship?
    }

    let options: Options
    private let published: PublishedSource
    // Lock order: `reading`, then the published source's mutex. Observers are called under neither.
    private let reading: Lock<State>
    private let watch = Lock<FileWatch?>(nil)
    private let retries: RetryTimer
    /// The diagnostics, in the order of the file's versions; added under `reading`, sent under no mutex.
    private let reports = ObserverQueue()

    /// Starts watching the file at `path`, then reads it.
    ///
    /// Never throws, since a broken file must not stop a program; see ``problem``.
    public init(path: String, options: Options = Options()) {
        self.path = path
        self.options = options
        published = PublishedSource(PrefsSource([:], file: path), coalescing: options.coalescing)
        reading = Lock(State())
        retries = RetryTimer(options.scheduler)
        let watch = options.watcher.watch(
            path, onEvent: { [weak self] in self?.note($0) },
            onRoundEnd: { [weak self] in self?.changes.runReloadsOnWatcher() })
        self.watch.withLock { $0 = watch }
        reload(.start)
    }

    /// The file's contents, or the last good ones.
    public var snapshot: PrefsSnapshot { published.snapshot }

    /// The current version of the contents.
    var source: PrefsSource { published.value }

    /// Announces changes of the file's contents.
    public var changeSource: PrefsChangeSource? { changes }

    var changes: PrefsChangeSource { published.changes }

    /// True unless ``Options/isWritable`` is false.
    public var isWritable: Bool { options.isWritable }

    /// Always true: a written value outlives the process.
    public var isPersistent: Bool { true }

    /// The reason why the effective contents are not those of the file; `nil` if they are.
    public var problem: PrefsError? { reading.withLock { $0.problem } }

    /// Sets or, with `nil`, removes a key's value; returns when the file is durable.
    ///
    /// - Throws: ``PrefsError``.
    @discardableResult
    public func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        try setValue(value, at: PrefsPath(key))
        return .effective
    }

    /// Checks the file for changes and, if it changed, reads it before returning.
    public func reload() { reload(.reload) }

    /// The state of the file and of its watch.
    public var status: [PrefsSourceStatus] {
        let (problem, lastRead, signature) = reading.withLock { ($0.problem, $0.lastRead, $0.signature) }
        let watching = watch.withLock { $0 }?.status
        var status = PrefsSourceStatus(
            file: path, problem: problem, lastGood: lastRead, isWritable: isWritable,
            generation: changes.generation, engine: watching?.engine, engineReason: watching?.reason)
        status.isBehind = FileSignature(path: path) != signature
        return [status]
    }

    /// The receiver of problem reports that ``Options/diagnostics`` names.
    public var diagnostics: PrefsDiagnostics { options.diagnostics }

    var writtenFile: String? { path }
}

extension FilePrefsStorage: Reloadable {
    private func note(_ event: FileEvent) {
        changes.reloads?.note(self, event.source == .recheck ? .reload : .file)
    }

    /// Repeats a read that failed.
    private func retry() {
        changes.reloads?.note(self, .file)
        changes.runReloads()
    }

    private func noteOutcome(_ error: PrefsError?) {
        retries.note(error) { [weak self] in self?.retry() }
    }

    /// Reads the file if it changed, makes its contents effective if they differ, and notifies observers.
    func reload(_ cause: PrefsChangeCause) { refresh(cause)?() }

    func refresh(_ cause: PrefsChangeCause) -> (@Sendable () -> Void)? {
        enum Outcome {
            case same
            case changed
            case broken
        }
        let outcome = reading.withLock { state -> Outcome in
            let before = state.problem
            do throws(PrefsError) {
                // A re-check must not return before observers are notified of what another thread has read.
                guard try read(into: &state) else { return state.notifications.areDone ? .same : .changed }
            } catch {
                noteOutcome(error)
                if before == error { return .same }
                if Mutant.isActive(.brokenFileEmptied) { publish(.empty, cause, author: nil) }
                state.problem = error
                add(.error, error)
                return .broken
            }
            noteOutcome(nil)
            state.problem = nil
            state.lastRead = .now
            if let before, !Mutant.isActive(.recoverySilent) { add(recoveryFrom: before, "readable again") }
            let own = state.expected.flatMap { $0.document === state.document ? $0 : nil }
            publish(state.document, own == nil ? cause : .write, author: own?.author)
            state.notifications.isPending = true
            return .changed
        }
        switch outcome {
        case .same: return nil
        case .broken: return { [self] in reports.drain() }
        case .changed:
            return { [self] in
                reports.drain()
                notifyObservers()
            }
        }
    }

    /// Stops watching a file that no longer belongs to a layer.
    func retire() {
        watch.withLock { $0 }?.cancel()
        noteOutcome(nil)
        guard let problem else { return }
        add(recoveryFrom: problem, "no longer part of this layer")
        reports.drain()
    }

    private func add(recoveryFrom problem: PrefsError, _ reason: String) {
        add(.recovered, PrefsError(problem.code, origin: PrefsOrigin(file: path), reason: reason))
    }

    /// Adds a diagnostic to those that are sent once no mutex is held.
    private func add(_ severity: PrefsDiagnostic.Severity, _ error: PrefsError) {
        reports.add { [diagnostics = options.diagnostics] in diagnostics.report(severity, error) }
    }

    /// Notifies observers. The generation has already advanced with the contents.
    ///
    /// Equal contents may have moved to other lines, which a stack needs to know although no value changed.
    private func notifyObservers() {
        reading.withLock { $0.notifications.begin() }
        published.changes.notify()
        reading.withLock { $0.notifications.end() }
    }

    /// Reads the file into the state; returns false if it is the version that was read last.
    private func read(into state: inout State) throws(PrefsError) -> Bool {
        if state.isSettled, let signature = FileSignature(path: path), signature == state.signature {
            return false
        }
        state.isSettled = false
        let start = FileSignature.now
        let file = try PrefsFileReader.read(path, limits: options.limits, policy: options.policy)
        guard let (bytes, signature) = file else {
            let wasMissing = state.signature == nil && state.problem == nil
            state.signature = nil
            state.document = .empty
            return !wasMissing
        }
        let wasRead = signature == state.signature && state.problem == nil
        state.signature = signature
        state.isSettled = signature.showsChanges(since: start)
        if wasRead, state.document.isStored(as: bytes) { return false }
        if let expected = state.expected?.document, expected.isStored(as: bytes) {
            state.document = expected
            return true
        }
        return try parse(bytes, into: &state)
    }

    private func parse(_ bytes: [UInt8], into state: inout State) throws(PrefsError) -> Bool {
        let document = try PrefsDocument(
            parsing: bytes, as: options.format, path: path, limits: options.limits)
        state.document = document
        for warning in document.warnings { add(.warning, warning) }
        return true
    }

    /// Publishes a document, and advances the generation if its contents differ from the previous ones.
    ///
    /// A writer may find that the watcher's thread has already read the writer's version but has not notified
    /// observers yet. The writer returns all the same, so the generation must not wait for the notification.
    private func publish(
        _ document: PrefsDocument, _ cause: PrefsChangeCause, author: PrefsAuthorship? = nil
    ) {
        let (next, didChange) = published.value.next(.node(document.root), cause: cause, author: author)
        published.replace(next, didChange: didChange)
        changes.noteInContainer(didChange: didChange)
    }
}

extension FilePrefsStorage {
    /// A writer of the file that need not read the version that is effective here.
    var writer: PrefsFileWriter {
        let known = reading.withLock { state in
            state.signature.flatMap { state.isSettled && state.problem == nil ? ($0, state.document) : nil }
        }
        return PrefsFileWriter(
            path, format: options.format, limits: options.limits, policy: options.policy, known: known,
            options: options.writing)
    }

    /// A version that is on disk and effective.
    struct WrittenVersion {
        /// Notifies observers; `nil` if there is nothing to notify of.
        let notify: PrefsNotification?
    }

    /// Commits a prepared version to disk and to this storage; returns `nil` if the file changed since it was
    /// prepared, so that another attempt is worthwhile.
    func commitIfUnchanged(
        _ write: PrefsPreparedWrite, of paths: [PrefsPath]
    ) throws -> WrittenVersion? {
        let author = ObserverScope.authorship { paths }
        reading.withLock { $0.expected = Expected(document: write.document, author: author) }
        defer {
            reading.withLock { if $0.expected?.document === write.document { $0.expected = nil } }
        }
        guard let (signature, document) = try write.commitIfUnchanged() else { return nil }
        return WrittenVersion(notify: adopt(signature, document, author: author))
    }

    /// Makes the contents that this process wrote effective in this storage.
    ///
    /// The file lock has been released by now, so another writer's newer version may already be effective, on
    /// disk and here; this older one must not replace it.
    ///
    /// - Returns: A closure that notifies observers; `nil` if there is nothing to notify of.
    func adopt(
        _ signature: FileSignature?, _ document: PrefsDocument, author: PrefsAuthorship? = nil
    ) -> PrefsNotification? {
        let isLatest = reading.withLock { state in
            guard FileSignature(path: path) == signature else { return false }
            state.isSettled = signature.map { $0.showsChanges(since: $0.changed) } ?? false
            state.signature = signature
            state.document = document
            noteOutcome(nil)
            state.problem = nil
            state.lastRead = .now
            publish(document, .write, author: author)
            state.notifications.isPending = true
            return true
        }
        guard isLatest else { return refresh(.write) }
        return { [self] in notifyObservers() }
    }
}

extension FilePrefsStorage: TransitionSource {
    func observeTransitions(
        of keys: [any PersistentKeyProtocol], keepsEveryStep: Bool,
        _ body: @escaping @Sendable (PrefsTransition) -> Void
    ) -> TransitionObservation? {
        published.observeTransitions(of: keys, keepsEveryStep: keepsEveryStep, body)
    }
}

extension PrefsStorage where Self == FilePrefsStorage {
    /// Returns a storage for the preferences in the file at `path`.
    public static func file(at path: String) -> FilePrefsStorage { FilePrefsStorage(path: path) }
}
