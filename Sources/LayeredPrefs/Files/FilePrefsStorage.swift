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
        /// How long after a read further edits are gathered into one read.
        public var burst = Duration.milliseconds(50)
        /// What watches the file.
        public var watcher = FileWatcher.shared
        /// Where problems are reported.
        public var diagnostics = PrefsDiagnostics.shared

        public init() {}
    }

    private struct State {
        /// What the file was when it was last read, good or bad; `nil` when it was missing.
        var signature: FileSignature?
        var document = PrefsDocument.empty
        /// Why the file is not what is in force, while it is not.
        var problem: PrefsError?
        /// When the contents in force were read.
        var lastRead: ContinuousClock.Instant?
    }

    let options: Options
    private let published: PublishedSource
    // Lock order: `reading`, then the published source's. Observers are called under neither.
    private let reading: Lock<State>
    private let watch = Lock<FileWatch?>(nil)

    /// Watches, then reads, the file at `path`; never throws, since a broken file must not stop a program.
    /// ``problem`` tells.
    public init(path: String, options: Options = Options()) {
        self.path = path
        self.options = options
        published = PublishedSource(PrefsSource([:], file: path))
        reading = Lock(State())
        let edits = Coalescer(window: options.burst, label: "prefs-read") { [weak self] in self?.reload(.file) }
        let watch = options.watcher.watch(path) { [weak self] event in
            if event.source == .recheck { self?.reload(.reload) } else { edits.call() }
        }
        self.watch.withLock { $0 = watch }
        reload(.start)
    }

    public var snapshot: PrefsSnapshot { published.snapshot() }

    public var changeSource: PrefsChangeSource? { published.changes }

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
        return [PrefsSourceStatus(file: path, problem: problem, lastGood: lastRead, isWritable: isWritable)]
    }

    func setPrefsValue(_ value: PrefsValue?, at path: PrefsPath) throws {
        try write([(path, value)])
    }
}

extension FilePrefsStorage {
    /// Reads the file if it is not what it was, and puts it in force if it says anything else.
    func reload(_ cause: PrefsChangeCause) {
        enum Outcome { case same, changed(Bool), recovered(PrefsError, Bool), broken(PrefsError) }
        let outcome = reading.withLock { state -> Outcome in
            let before = state.problem
            do throws(PrefsError) {
                guard try read(into: &state) else { return .same }
            } catch {
                if before == error { return .same }
                state.problem = error
                return .broken(error)
            }
            state.problem = nil
            state.lastRead = .now
            let differs = putInForce(state.document, cause)
            return before.map { .recovered($0, differs) } ?? .changed(differs)
        }
        switch outcome {
        case .same: break
        case .changed(let differs): tell(differs)
        case .broken(let error): options.diagnostics.report(.error, error)
        case .recovered(var error, let differs):
            error.reason = "is read again"
            error.origin?.position = nil
            options.diagnostics.report(.recovered, error)
            tell(differs)
        }
    }

    /// Equal content may stand on other lines, which a stack wants to know although no value changed.
    private func tell(_ differs: Bool) {
        if differs { published.changes.advance() } else { published.changes.notify() }
    }

    /// Reads the file into the state; `false` when it is the very file that was read last.
    private func read(into state: inout State) throws(PrefsError) -> Bool {
        guard let signature = FileSignature(path: path) else {
            return try readAgain(into: &state)
        }
        if signature == state.signature { return false }
        return try readAgain(into: &state)
    }

    private func readAgain(into state: inout State) throws(PrefsError) -> Bool {
        let file = try PrefsFileReader.read(path, limits: options.limits, policy: options.policy)
        guard let (bytes, signature) = file else {
            let wasMissing = state.signature == nil && state.problem == nil
            state.signature = nil
            state.document = .empty
            return !wasMissing
        }
        state.signature = signature
        let format = options.format ?? .detecting(bytes: bytes, path: path)
        let document = try format.parse(bytes, path: path, limits: options.limits)
        state.document = document
        for warning in document.warnings { options.diagnostics.report(.warning, warning) }
        return true
    }

    /// Publishes a document; `false` when it says what the one before said.
    private func putInForce(_ document: PrefsDocument, _ cause: PrefsChangeCause) -> Bool {
        let next = PrefsSource(.tree(.node(document.root)), file: path, cause: cause)
        let previous = published.value
        published.replace(next)
        return !previous.root.hasSameContent(as: next.root)
    }
}

extension FilePrefsStorage {
    /// Changes these paths in the file as one durable write, and puts the result in force before it returns.
    func write(_ edits: [(path: PrefsPath, value: PrefsValue?)]) throws {
        guard options.isWritable else {
            let origin = PrefsOrigin(file: path)
            throw PrefsError(.notWritable, key: edits.first?.path.name, origin: origin, reason: "is read-only here")
        }
        let differs = try reading.withLock { state -> Bool in
            let known = state.signature.flatMap { state.problem == nil ? ($0, state.document) : nil }
            let (signature, document) = try PrefsFileWriter.update(
                path, format: options.format, limits: options.limits, policy: options.policy, known: known,
                options: options.writing
            ) { document in
                let format = options.format ?? document?.format ?? .detecting(bytes: [], path: path)
                return try format.edit(document, edits.flatMap { Self.places(for: $0, in: document) })
            }
            state.signature = signature
            state.document = document
            state.problem = nil
            return putInForce(document, .write)
        }
        tell(differs)
    }

    /// Where a path is written: its literal key if the file has that, or if something on the way is not a
    /// dictionary and must not be lost; else nested. Removing removes both spellings.
    private static func places(
        for edit: (path: PrefsPath, value: PrefsValue?), in document: PrefsDocument?
    ) -> [(path: [String], value: PrefsValue?)] {
        let (literal, nested) = ([edit.path.name], edit.path.components)
        guard edit.path.isNested else { return [(literal, edit.value)] }
        guard let value = edit.value else { return [(literal, nil), (nested, nil)] }
        guard let document else { return [(nested, value)] }
        let source = PrefsSource(.tree(.node(document.root)))
        let isBlocked = if case .blocked = source.find(edit.path) { true } else { false }
        return [(document.root[edit.path.name] != nil || isBlocked ? literal : nested, value)]
    }
}

extension PrefsStorage where Self == FilePrefsStorage {
    /// The preferences in the file at `path`.
    public static func file(at path: String) -> FilePrefsStorage { FilePrefsStorage(path: path) }
}
