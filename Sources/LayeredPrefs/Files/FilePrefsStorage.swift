public import PrefsFiles
public import PrefsDocuments
import PrefsSystem
public import FileWatching

/// Preferences in one file: a property list (XML or binary) or JSON, watched, and written durably.
///
/// An edit by anybody is read as soon as it is complete. A file that is missing is an empty storage, watched
/// for its birth; neither the file nor a folder is made before the first write. A file that cannot be read
/// or parsed leaves the last good contents in force, and is reported once per bad version and once when it
/// recovers.
///
/// A write locks the file against other processes, merges its one key into what the file holds at that
/// moment, and returns when the result is durable. Everything else in the file stays as it is.
public final class FilePrefsStorage: PathWritablePrefsStorage {
    /// Where the file is, or is to be.
    public let path: String

    /// What may be asked of a file storage beside its path.
    public struct Options: Sendable {
        /// The file's format; `nil` detects it from the name and the content.
        public var format: PrefsFileFormat?
        /// How large and how deep a file may be.
        public var limits = PrefsLimits.standard
        /// Which owners and modes are accepted.
        public var policy = PrefsFilePolicy.any
        /// Whether this program may write the file.
        public var isWritable = true
        /// How the file is written: the mode of a new one, how long to wait for other writers, what may be lost.
        public var writing = PrefsFileWriteOptions()
        /// How long after a read further edits are gathered into one read; in a stack, the stack's counts.
        public var burst = Duration.milliseconds(50)
        /// Whether even the first edit after quiet waits until none has come for ``burst``, so that a burst of
        /// edits is one change; otherwise the first is in force at once, and a burst is at most two. In a
        /// stack, the stack's counts.
        public var settles = false
        /// What watches the file.
        public var watcher = FileWatcher.shared
        /// Where problems are reported.
        public var diagnostics = PrefsDiagnostics.shared

        public init() {}
    }

    private struct State {
        /// What the file was when it was last read, good or bad; `nil` when it was missing.
        var signature: FileSignature?
        /// Whether the signature is enough to see an edit; otherwise only reading the file tells.
        var isSettled = false
        var document = PrefsDocument.empty
        /// What this process is putting in the file; the watcher may see it there before the writer returns.
        var expected: Expected?
        /// Why the file is not what is in force, while it is not.
        var problem: PrefsError?
        /// When the contents in force were read.
        var lastRead: ContinuousClock.Instant?
        /// Whether nobody has been told yet of what is in force.
        var isUntold = false
        /// The threads that are telling.
        var tellers: [UInt] = []
    }

    private struct Expected {
        let document: PrefsDocument
        let author: PrefsAuthorship?
    }

    let options: Options
    private let published: PublishedSource
    // Lock order: `reading`, then the published source's. Observers are called under neither.
    private let reading: Lock<State>
    private let watch = Lock<FileWatch?>(nil)
    private let ownBurst: Lock<FileBurst>

    /// Watches, then reads, the file at `path`; never throws, since a broken file must not stop a program.
    /// ``problem`` tells.
    public init(path: String, options: Options = Options()) {
        self.path = path
        self.options = options
        published = PublishedSource(PrefsSource([:], file: path))
        reading = Lock(State())
        ownBurst = Lock(FileBurst(window: options.burst, settles: options.settles))
        let watch = options.watcher.watch(
            path, onEvent: { [weak self] in self?.note($0) }, onRoundEnd: { [weak self] in self?.burst.run() }
        )
        self.watch.withLock { $0 = watch }
        reload(.start)
    }

    public var snapshot: PrefsSnapshot { published.snapshot }

    public var changeSource: PrefsChangeSource? { changes }

    var changes: PrefsChangeSource { published.changes }

    public var isWritable: Bool { options.isWritable }

    public var isPersistent: Bool { true }

    /// Why the contents in force are not the file's, while they are not.
    public var problem: PrefsError? { reading.withLock { $0.problem } }

    public func setPrefsValue(_ value: PrefsValue?, forKey key: String) throws {
        try setPrefsValue(value, at: PrefsPath(key))
    }

    public func recheck() { reload(.reload) }

    public var status: [PrefsSourceStatus] {
        let (problem, lastRead) = reading.withLock { ($0.problem, $0.lastRead) }
        let watching = watch.withLock { $0 }?.status
        return [
            PrefsSourceStatus(
                file: path, problem: problem, lastGood: lastRead, isWritable: isWritable,
                generation: changes.generation, engine: watching?.engine, engineReason: watching?.reason)
        ]
    }

    var writtenFile: String? { path }
}

extension FilePrefsStorage: FileBurstStorage, FileBurstMember {
    var burst: FileBurst { ownBurst.withLock { $0 } }

    func gather(in burst: FileBurst) { ownBurst.withLock { $0 = burst } }

    private func note(_ event: FileEvent) {
        burst.note(self, event.source == .recheck ? .reload : .file)
    }

    /// Reads the file if it is not what it was, puts it in force if it says anything else, and tells.
    func reload(_ cause: PrefsChangeCause) { refresh(cause)?() }

    func refresh(_ cause: PrefsChangeCause) -> (@Sendable () -> Void)? {
        enum Outcome {
            case same
            case changed
            case recovered(PrefsError)
            case broken(PrefsError)
        }
        let outcome = reading.withLock { state -> Outcome in
            let before = state.problem
            do throws(PrefsError) {
                // Whoever looks again must not return before what another thread has read is told.
                guard try read(into: &state) else { return isTold(state) ? .same : .changed }
            } catch {
                if before == error { return .same }
                state.problem = error
                return .broken(error)
            }
            state.problem = nil
            state.lastRead = .now
            let own = state.expected.flatMap { $0.document === state.document ? $0 : nil }
            putInForce(state.document, own == nil ? cause : .write, author: own?.author)
            state.isUntold = true
            return before.map { .recovered($0) } ?? .changed
        }
        switch outcome {
        case .same: return nil
        case .changed: return { [self] in tell() }
        case .broken(let error): return { [self] in options.diagnostics.report(.error, error) }
        case .recovered(let error):
            return { [self] in
                report(recoveryFrom: error, "is read again")
                tell()
            }
        }
    }

    /// Ends the watch of a file that is no longer a layer's.
    func retire() {
        watch.withLock { $0 }?.cancel()
        if let problem { report(recoveryFrom: problem, "is gone") }
    }

    private func report(recoveryFrom problem: PrefsError, _ reason: String) {
        let origin = PrefsOrigin(file: path)
        options.diagnostics.report(.recovered, PrefsError(problem.code, origin: origin, reason: reason))
    }

    /// The generation has moved already, with the contents. Equal content may stand on other lines, which a
    /// stack wants to know although no value changed.
    private func tell() {
        let thread = BackgroundThread.current
        reading.withLock { state in
            state.isUntold = false
            state.tellers.append(thread)
        }
        published.changes.notify()
        reading.withLock { state in
            if let index = state.tellers.firstIndex(of: thread) { state.tellers.remove(at: index) }
        }
    }

    /// Whether everybody but those whom this thread is telling at this moment has been told.
    private func isTold(_ state: State) -> Bool {
        !state.isUntold && (state.tellers.isEmpty || state.tellers.contains(BackgroundThread.current))
    }

    /// Reads the file into the state; `false` when it is the very file that was read last.
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
        let format = options.format ?? .detecting(bytes: bytes, path: path)
        let document = try format.parse(bytes, path: path, limits: options.limits)
        state.document = document
        for warning in document.warnings { options.diagnostics.report(.warning, warning) }
        return true
    }

    /// Publishes a document, and moves the generation if it says anything else than the one before.
    ///
    /// A writer may find its own version read by the watcher's thread, which has told nobody yet. It returns
    /// all the same, so the generation must not wait until somebody is told.
    private func putInForce(
        _ document: PrefsDocument, _ cause: PrefsChangeCause, author: PrefsAuthorship? = nil
    ) {
        let (next, isNews) = published.value.next(.node(document.root), cause: cause, author: author)
        published.replace(next, isNews: isNews)
    }
}

extension FilePrefsStorage {
    /// The file's next version, written beside it and synced; the file stays locked until it is in force or
    /// let go.
    func prepare(_ edits: [PathEdit]) throws -> any PreparedEdits {
        guard options.isWritable else {
            let origin = PrefsOrigin(file: path)
            throw PrefsError(
                .notWritable, key: edits.first?.path.name, origin: origin, reason: "is read-only here")
        }
        return try FileEdits(file: path, storage: self, edits: edits)
    }

    /// Changes of a file on their way.
    private struct FileEdits: PreparedEdits {
        let file: String?
        private let storage: FilePrefsStorage
        private let edits: [PathEdit]
        private let write: PrefsPreparedWrite

        init(file: String, storage: FilePrefsStorage, edits: [PathEdit]) throws {
            self.file = file
            self.storage = storage
            self.edits = edits
            write = try storage.prepareWrite(edits)
        }

        func commit() throws { try storage.commit(write, of: edits) }
    }

    private func prepareWrite(_ edits: [PathEdit]) throws -> PrefsPreparedWrite {
        let known = reading.withLock { state in
            state.signature.flatMap { state.isSettled && state.problem == nil ? ($0, state.document) : nil }
        }
        return try PrefsFileWriter.prepare(
            path, format: options.format, limits: options.limits, policy: options.policy, known: known,
            options: options.writing
        ) { document in
            if document == nil, edits.allSatisfy({ $0.value == nil }) { return nil }
            return try apply(edits, to: document)
        }
    }

    /// Makes the edits one after another, each judged by the result of those before it; writes that have
    /// nothing to do with each other as one.
    private func apply(_ edits: [PathEdit], to document: PrefsDocument?) throws(PrefsError) -> [UInt8] {
        let format = options.format ?? document?.format ?? .detecting(bytes: [], path: path)
        var document = document
        var bytes: [UInt8] = []
        for (index, batch) in PathEdit.independentBatches(of: edits).enumerated() {
            if index > 0 { document = try format.parse(bytes, path: path, limits: options.limits) }
            bytes = try format.edit(document, batch.flatMap { Self.places(for: $0, in: document) })
        }
        return bytes
    }

    /// Puts a prepared version in force, on disk and here.
    private func commit(_ write: PrefsPreparedWrite, of edits: [PathEdit]) throws {
        let author = ObserverScope.authorship { edits.map(\.path) }
        reading.withLock { $0.expected = Expected(document: write.document, author: author) }
        defer {
            reading.withLock { if $0.expected?.document === write.document { $0.expected = nil } }
        }
        let (signature, document) = try write.commit()
        adopt(signature, document, author: author)
    }

    /// Puts in force here what this process wrote.
    ///
    /// The file's lock is free again by now: another writer's version, which must not give way to this older
    /// one, may be in force on disk and here.
    func adopt(_ signature: FileSignature?, _ document: PrefsDocument, author: PrefsAuthorship? = nil) {
        let isLatest = reading.withLock { state in
            guard FileSignature(path: path) == signature else { return false }
            state.isSettled = signature.map { $0.showsChanges(since: $0.changed) } ?? false
            state.signature = signature
            state.document = document
            state.problem = nil
            state.lastRead = .now
            putInForce(document, .write, author: author)
            state.isUntold = true
            return true
        }
        if isLatest { tell() } else { reload(.write) }
    }

    /// Where a path is written: its literal key if the file has that, or if something on the way is not a
    /// dictionary and must not be lost; else nested. Removing removes both spellings.
    private static func places(
        for edit: PathEdit, in document: PrefsDocument?
    ) -> [(path: [String], value: PrefsValue?)] {
        let (literal, nested) = ([edit.path.name], edit.path.components)
        guard edit.path.isNested else { return [(literal, edit.value)] }
        guard let value = edit.value else {
            return [(literal, nil), (document?.root.emptied(byRemoving: nested) ?? nested, nil)]
        }
        guard let document else { return [(nested, value)] }
        let source = PrefsSource(.tree(.node(document.root)))
        let isBlocked = if case .blocked = source.find(edit.path) { true } else { false }
        return [(document.root[edit.path.name] != nil || isBlocked ? literal : nested, value)]
    }
}

extension FilePrefsStorage: TransitionSource {
    func observeTransitions(
        of keys: [any PersistentKeyProtocol], _ body: @escaping @Sendable (PrefsTransition) -> Void
    ) -> TransitionObservation? {
        published.observeTransitions(of: keys, body)
    }
}

extension PrefsNode {
    /// The highest place that removing what lies at a path would leave as an empty dictionary: what is to be
    /// removed then.
    fileprivate func emptied(byRemoving path: [String]) -> [String] {
        var dictionaries: [PrefsNode] = [self]
        for key in path.dropLast() {
            guard let child = dictionaries[dictionaries.count - 1][key], child.kind == .dictionary else {
                return path
            }
            dictionaries.append(child)
        }
        guard dictionaries.last?[path[path.count - 1]] != nil else { return path }
        var depth = path.count
        while depth > 1, dictionaries[depth - 1].count == 1 { depth -= 1 }
        return Array(path.prefix(depth))
    }
}

extension PrefsStorage where Self == FilePrefsStorage {
    /// The preferences in the file at `path`.
    public static func file(at path: String) -> FilePrefsStorage { FilePrefsStorage(path: path) }
}
