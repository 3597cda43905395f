public import PrefsFiles
public import PrefsDocuments
import PrefsSystem
public import FileWatching
import Synchronization

/// Preferences in one file: a property list (XML or binary), JSON, TOML or YAML, watched, and written durably.
///
/// An edit by any process is read as soon as it is complete. A missing file is an empty storage, watched for
/// its creation; neither the file nor its folder is created before the first write. If the file cannot be
/// read or parsed, the last good contents stay effective; this is reported once per bad version, and once
/// when the file recovers.
///
/// A write takes the file lock, which excludes other processes, merges its one key into the file's contents
/// at that moment, and returns when the result is durable. Everything else in the file stays as it is.
public final class FilePrefsStorage: PathWritablePrefsStorage {
    /// The path of the file, which need not exist; with ``Options/acceptsOtherFormats``, that of the format in
    /// use.
    public var path: String { place.withLock { $0 } }

    /// Options of a file storage.
    public struct Options: Sendable {
        /// The file's format; `nil` detects it from the name and the content.
        public var format: PrefsFileFormat?
        /// A Boolean value that indicates whether a file of the same name in another format may take the place
        /// of the file: `myd.json`, `myd.toml` or, with the trait `YAML`, `myd.yaml` that of `myd.plist`.
        ///
        /// A new file is created at the given path. If there are several, this is reported, nothing is
        /// written, and the contents that were read last stay effective; at start those of the first of the
        /// given path, `.plist`, `.json`, `.toml`, `.yaml` and `.yml`. Ignored if ``format`` is not `nil`.
        public var acceptsOtherFormats = false
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
        var scheduler: any Scheduler = EventLoop.shared

        /// Creates the default options.
        public init() {}
    }

    private struct State {
        var choice: FormatChoice
        /// The path that was read last.
        var readPath: String
        /// The file's signature when it was last read, good or bad; `nil` if it was missing.
        var signature: FileSignature?
        /// True if the signature suffices to detect an edit; otherwise the file must be read.
        var isSettled = false
        var document = PrefsDocument.empty
        /// The contents that this process is about to commit; the watcher may see them before the writer
        /// returns.
        var expected: PrefsDocument?
        /// The reason why the effective contents are not those of the file; `nil` if they are.
        var problem: PrefsError?
        /// The time at which the effective contents were read.
        var lastRead: ContinuousClock.Instant?

        init(_ paths: [String]) {
            choice = FormatChoice(paths)
            readPath = choice.path
        }
    }

    let options: Options
    private let published: PublishedSource
    // Lock order: `reading`, then `place` or the published source's mutex. Observers are called under none.
    private let reading: Lock<State>
    /// The path in use, which can be read while the file is.
    private let place: Lock<String>
    /// True if a file in another format may have appeared.
    private let othersChanged = Atomic(false)
    private let watches = Lock<[String: FileWatch]>([:])
    private let retries: RetryTimer
    /// The diagnostics, in the order of the file's versions; added under `reading`, sent under no mutex.
    private let reports = ObserverQueue()

    /// Starts watching the file at `path`, then reads it.
    ///
    /// Never throws, since a broken file must not stop a program; see ``problem``. A relative path is resolved
    /// against the working directory at the time of the call.
    public convenience init(path: String, options: Options = Options()) {
        let path = options.diagnostics.absolutePath(of: path)
        let acceptsOthers = options.acceptsOtherFormats && options.format == nil
        self.init(anyOf: acceptsOthers ? FormatChoice.paths(for: path) : [path], options: options)
    }

    /// Creates a storage of the one file that exists of several, the preferred one first.
    ///
    /// - Parameter paths: At least one; all are absolute.
    init(anyOf paths: [String], options: Options) {
        self.options = options
        let state = State(paths)
        place = Lock(state.choice.path)
        published = PublishedSource(
            PrefsSource([:], file: state.choice.path), coalescing: options.coalescing)
        reading = Lock(state)
        retries = RetryTimer(options.scheduler)
        watch(paths)
        reload(.start)
    }

    private func watch(_ paths: [String]) {
        let new = watches.withLock { known in paths.filter { known[$0] == nil } }
        for path in new {
            let watch = options.watcher.watch(
                path, onEvent: { [weak self] in self?.note($0, at: path) },
                onRoundEnd: { [weak self] in self?.changes.runReloads() })
            watches.withLock { $0[path] = watch }
        }
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
        try checkWritable(key)
        try setValue(value, at: PrefsPath(key))
        return .effective
    }

    /// Checks the file for changes and, if it changed, reads it before returning.
    public func reload() { reload(.reload) }

    /// The state of the file and of its watch.
    public var status: [PrefsSourceStatus] {
        let (problem, lastRead, signature) = reading.withLock { ($0.problem, $0.lastRead, $0.signature) }
        let path = path
        let watching = watches.withLock { $0[path] }?.status
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
    private func note(_ event: FileEvent, at path: String) {
        if path != self.path { othersChanged.store(true, ordering: .releasing) }
        changes.reloads?.note(self, event.source == .recheck ? .reload : .file)
    }

    /// Repeats a read that failed, or a decision that had to wait.
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
            let (before, lastRead) = (state.problem, state.lastRead)
            do throws(PrefsError) {
                guard try read(into: &state, cause) else { return .same }
            } catch {
                noteOutcome(error)
                if before == error { return .same }
                state.problem = error
                add(.error, error)
                return state.lastRead == lastRead ? .broken : .changed
            }
            noteOutcome(nil)
            state.problem = nil
            state.lastRead = .now
            if let before { add(recoveryFrom: before, "readable again") }
            let isOwn = state.expected === state.document
            publish(state.document, in: state.readPath, isOwn ? .write : cause)
            return .changed
        }
        switch outcome {
        case .same: return nil
        case .broken: return { [self] in reports.drain() }
        case .changed:
            return { [self] in
                reports.drain()
                published.changes.notify()
            }
        }
    }

    /// Changes the set of files of which one may exist, and reads it if it is another one.
    func choose(anyOf paths: [String], _ cause: PrefsChangeCause) -> (@Sendable () -> Void)? {
        watch(paths)
        reading.withLock { $0.choice.paths = paths }
        othersChanged.store(true, ordering: .releasing)
        return refresh(cause)
    }

    /// Reads the same places now, into a storage that reports no problem and does not watch them.
    func reopened() -> FilePrefsStorage {
        FilePrefsStorage(anyOf: reading.withLock { $0.choice.paths }, options: options.unwatched)
    }

    /// Stops watching a file that no longer belongs to a layer.
    func retire() {
        for watch in watches.withLock({ $0.values }) { watch.cancel() }
        noteOutcome(nil)
        guard let problem else { return }
        add(recoveryFrom: problem, "no longer part of this layer")
        reports.drain()
    }

    private func add(recoveryFrom problem: PrefsError, _ reason: String) {
        let file = problem.origin?.file ?? path
        add(.recovered, PrefsError(problem.code, origin: PrefsOrigin(file: file), reason: reason))
    }

    /// Adds a diagnostic to those that are sent once no mutex is held.
    private func add(_ severity: PrefsDiagnostic.Severity, _ error: PrefsError) {
        reports.add { [diagnostics = options.diagnostics] in diagnostics.report(severity, error) }
    }

    /// Reads the file into the state; returns false if it is the version that was read last.
    private func read(into state: inout State, _ cause: PrefsChangeCause) throws(PrefsError) -> Bool {
        guard try choose(&state, cause) else { return false }
        let path = state.choice.path
        let isOther = path != state.readPath
        if state.isSettled, !isOther, let signature = FileSignature(path: path), signature == state.signature
        {
            return false
        }
        state.isSettled = false
        let start = FileSignature.now
        let file = try PrefsFileReader.read(path, limits: options.limits, policy: options.policy)
        state.readPath = path
        guard let (bytes, signature) = file else {
            let wasMissing = state.signature == nil && state.problem == nil
            state.signature = nil
            state.document = .empty
            return !wasMissing
        }
        let wasRead = signature == state.signature && !isOther && state.problem == nil
        state.signature = signature
        state.isSettled = signature.showsChanges(since: start)
        if wasRead, state.document.isStored(as: bytes) { return false }
        if let expected = state.expected, expected.isStored(as: bytes) {
            state.document = expected
            return true
        }
        return try parse(bytes, into: &state)
    }

    /// Decides which file to read; returns false if that has to wait.
    private func choose(_ state: inout State, _ cause: PrefsChangeCause) throws(PrefsError) -> Bool {
        guard state.choice.paths != [state.choice.path] else { return true }
        let isUnchanged = !othersChanged.exchange(false, ordering: .acquiring)
        // An edit of the file in use, by far the most frequent event, says nothing about the others.
        if cause == .file, isUnchanged, state.problem == nil, Self.isPresent(state.choice.path) {
            return true
        }
        switch decide(&state, isFinal: cause != .file) {
        case .read: return true
        case .wait:
            options.scheduler.run(after: FormatChoice.patience) { [weak self] in
                self?.othersChanged.store(true, ordering: .releasing)
                self?.retry()
            }
            return false
        case .conflict(let error):
            state.isSettled = false
            if state.lastRead == nil { readOne(into: &state, cause) }
            throw error
        }
    }

    private func decide(_ state: inout State, isFinal: Bool) -> FormatChoice.Decision {
        let decision = state.choice.decide(
            present: state.choice.paths.filter(Self.isPresent), isFinal: isFinal, at: options.scheduler.now)
        place.withLock { $0 = state.choice.path }
        return decision
    }

    /// Returns false only if there is certainly no file: one that cannot be reached may be policy.
    private static func isPresent(_ path: String) -> Bool {
        var status = stat()
        let isFound = unsafe path.withCString { unsafe stat($0, &status) } == 0
        return isFound || (errno != ENOENT && errno != ENOTDIR)
    }

    /// Makes the contents of one of several files effective, although there should be one only: without any,
    /// the settings would be those of a program that has no policy.
    private func readOne(into state: inout State, _ cause: PrefsChangeCause) {
        let path = state.choice.path
        guard let file = try? PrefsFileReader.read(path, limits: options.limits, policy: options.policy),
            (try? parse(file.bytes, into: &state)) == true
        else { return }
        (state.signature, state.readPath, state.lastRead) = (file.signature, path, .now)
        publish(state.document, in: path, cause)
    }

    private func parse(_ bytes: [UInt8], into state: inout State) throws(PrefsError) -> Bool {
        let document = try PrefsDocument(
            parsing: bytes, replacing: state.document, as: options.format, path: state.choice.path,
            limits: options.limits)
        state.document = document
        for warning in document.warnings { add(.warning, warning) }
        return true
    }

    /// Publishes a document, and advances the generation if its contents differ from the previous ones.
    ///
    /// A writer may find that the watcher's thread has already read the writer's version but has not notified
    /// observers yet. The writer returns all the same, so the generation must not wait for the notification.
    private func publish(_ document: PrefsDocument, in path: String, _ cause: PrefsChangeCause) {
        let (next, didChange) = published.value.next(.node(document.root), in: path, cause: cause)
        // What this process writes keeps the spellings that it found.
        let warnings = cause == .write ? nil : next.literalTree?.warnings(in: path)
        for warning in warnings ?? [] { add(.warning, warning) }
        published.replace(next, didChange: didChange)
        changes.noteInContainer(didChange: didChange)
    }
}

extension FilePrefsStorage {
    /// Decides which file to write, at this moment: other processes may have converted it.
    func writtenPath() throws(PrefsError) -> String {
        let decision = reading.withLock { state -> FormatChoice.Decision in
            state.choice.paths != [state.choice.path] ? decide(&state, isFinal: true) : .read
        }
        if case .conflict(let error) = decision { throw error }
        return path
    }

    /// Returns a writer of the file that need not read the version that is effective here.
    func writer(of path: String) -> PrefsFileWriter {
        let known = reading.withLock { state in
            let isKnown = state.isSettled && state.problem == nil && state.readPath == path
            return state.signature.flatMap { isKnown ? ($0, state.document) : nil }
        }
        return PrefsFileWriter(
            path, format: options.format, limits: options.limits, policy: options.policy, known: known,
            options: options.writing
        ) { [self] copy in
            add(
                .warning,
                PrefsError(
                    .broken, origin: PrefsOrigin(file: path),
                    reason: "the broken contents are kept as \(copy)"))
        }
    }

    /// Commits a prepared version to disk and to this storage; returns `nil` if the file changed since it was
    /// prepared, so that another attempt is worthwhile.
    func commitIfUnchanged(_ prepared: Prepared) throws -> CommittedEdits? {
        let write = prepared.write
        reading.withLock { $0.expected = write.document }
        defer {
            reading.withLock { if $0.expected === write.document { $0.expected = nil } }
        }
        guard let (signature, document) = try write.commitIfUnchanged() else { return nil }
        return CommittedEdits(notifyObservers: adopt(signature, document, at: prepared.file))
    }

    /// Makes the contents that this process wrote effective in this storage.
    ///
    /// The file lock has been released by now, so another writer's newer version may already be effective, on
    /// disk and here; this older one must not replace it.
    ///
    /// - Returns: A closure that notifies observers; `nil` if there is nothing to notify of.
    func adopt(
        _ signature: FileSignature?, _ document: PrefsDocument, at path: String
    ) -> PrefsNotification? {
        let isLatest = reading.withLock { state in
            guard state.choice.path == path, FileSignature(path: path) == signature else { return false }
            state.readPath = path
            state.isSettled = signature.map { $0.showsChanges(since: $0.changed) } ?? false
            state.signature = signature
            state.document = document
            noteOutcome(nil)
            state.problem = nil
            state.lastRead = .now
            publish(document, in: path, .write)
            return true
        }
        guard isLatest else { return refresh(.write) }
        return { [self] in
            reports.drain()
            published.changes.notify()
        }
    }
}

extension FilePrefsStorage: TransitionSource {
    public var _capabilities: _PrefsStorageCapabilities {
        _PrefsStorageCapabilities(self, paths: self, contents: self, transitions: self)
    }

    func observeTransitions(
        of keys: [ObservedKey], keepsEveryStep: Bool,
        _ body: @escaping @Sendable (PrefsTransition) -> Void
    ) -> TransitionObservation? {
        published.observeTransitions(of: keys, keepsEveryStep: keepsEveryStep, body)
    }
}

extension PrefsStorage where Self == FilePrefsStorage {
    /// Returns a storage for the preferences in the file at `path`.
    public static func file(at path: String) -> FilePrefsStorage { FilePrefsStorage(path: path) }
}
