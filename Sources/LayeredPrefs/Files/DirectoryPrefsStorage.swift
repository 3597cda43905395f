public import FileWatching
import PrefsDocuments
public import PrefsFiles
import PrefsSystem

/// A directory whose files are preferences: the file's name is the key, its contents are the value, as text that
/// the key's type parses. Kubernetes Secrets and ConfigMaps, Docker secrets and systemd credentials have this
/// form.
///
/// ```swift
/// let storage = LayeredPrefsStorage {
///     PrefsLayer("config", .directory(at: "/etc/myd/config"))
///     PrefsLayer("secrets", .directory(at: "/run/secrets"))
/// }
/// ```
///
/// - One newline at the end of a file is dropped. The text must be UTF-8.
/// - A dot in a name separates a path, as in any key: the file `http.port` is `port` in `http`.
/// - Names that begin with a dot are ignored, among them the `..data` of Kubernetes, and so are folders. Links
///   to files are followed.
/// - Files that take effect together, as when `..data` is pointed to another folder, are one change.
/// - A file that cannot be read, is too large or is not text keeps its last good value, or has none, and is
///   reported to ``diagnostics`` once; so is its recovery. The same holds for a pipe, a socket or a device, and
///   for a folder that takes the place of a file. A directory that does not exist is empty, and is watched for
///   its creation.
///
/// It is read-only.
public final class DirectoryPrefsStorage: SelfContainedPrefsStorage {
    /// Options for reading.
    public struct Options: Sendable {
        /// The largest number of bytes in a file; 1 MiB, the limit of a Kubernetes Secret.
        public var fileSize = 1 << 20
        /// The largest number of files; further ones, in byte order of the names, are ignored and reported.
        public var fileCount = 10_000
        /// The accepted owners and modes of the files; with ``/PrefsFiles/PrefsFilePolicy/trusted``, a file that
        /// another user may write keeps its last good value, or has none, and is reported.
        public var policy = PrefsFilePolicy.any
        /// The way in which edits that follow each other closely are combined into one change. In a stack,
        /// the stack's setting applies.
        public var coalescing = PrefsCoalescing.standard
        /// The watcher that reports edits.
        public var watcher = FileWatcher.shared
        /// The receiver of problem reports.
        public var diagnostics = PrefsDiagnostics.shared

        /// Creates the default options.
        public init() {}
    }

    /// The path of the directory.
    public let path: String
    private let options: Options
    private let changes: PrefsChangeSource
    // Mutex order: `reading`, then that of `contents`. Files are watched and observers called with neither held.
    private let reading = Lock(State())
    private let contents = Lock(PrefsSnapshot(candidates: [:]))
    private let watches = FileWatches()
    /// The diagnostics, in the order of the versions; added under `reading`, sent under no mutex.
    private let reports = ObserverQueue()

    private struct State {
        var scan = DirectoryScan()
        var lastRead: ContinuousClock.Instant?
    }

    /// Starts watching a directory, then reads it.
    ///
    /// Never throws, since a missing directory must not stop a program; see ``status``. A relative path is resolved
    /// against the working directory at the time of the call.
    public init(at path: String, options: Options = Options()) {
        let path = options.diagnostics.absolutePath(of: path)
        self.path = path
        self.options = options
        changes = PrefsChangeSource(isExact: true, coalescing: options.coalescing)
        _ = watches.follow([path], watch)
        reload()
    }

    /// The files' contents, or the last good ones.
    public var snapshot: PrefsSnapshot { contents.withLock { $0 } }

    /// Announces changes of the files' contents.
    public var changeSource: PrefsChangeSource? { changes }

    /// The destination of problem reports.
    public var diagnostics: PrefsDiagnostics { options.diagnostics }

    /// One source, with the first problem of the directory or its files.
    public var status: [PrefsSourceStatus] {
        let (problem, lastRead) = reading.withLock { state in
            let problems = state.scan.files.sorted { $0.key < $1.key }.lazy.compactMap(\.value.problem)
            return (state.scan.problem ?? problems.first, state.lastRead)
        }
        let watching = watches[path]?.status
        return [
            PrefsSourceStatus(
                file: path, problem: problem, lastGood: lastRead, generation: changes.generation,
                engine: watching?.engine, engineReason: watching?.reason)
        ]
    }

    /// Reads the directory and those of its files that have changed.
    public func reload() { refresh(.reload)?() }
}

extension DirectoryPrefsStorage: Reloadable {
    func refresh(_ cause: PrefsChangeCause) -> (@Sendable () -> Void)? {
        var outcome = Outcome()
        // A new file is watched, then read once more: it may have been edited before it was watched. If files
        // appear all the time, their watches cause the next refresh.
        for _ in 0..<4 {
            read(&outcome)
            guard watchNewFiles() else { break }
        }
        guard outcome.needsNotifying || outcome.needsReporting else { return nil }
        return { [self, outcome] in
            reports.drain()
            if outcome.needsNotifying { changes.notify() }
        }
    }

    private struct Outcome {
        var needsReporting = false
        var needsNotifying = false
    }

    /// Reads the directory and publishes its contents if they differ.
    private func read(_ outcome: inout Outcome) {
        // One thread at a time, so that an older reading never replaces a newer one.
        reading.withLock { state in
            let scan = DirectoryScan(
                of: path, keeping: state.scan.files, fileCount: options.fileCount,
                TextFile.Limits(fileSize: options.fileSize, policy: options.policy))
            for report in scan.reports(after: state.scan) {
                outcome.needsReporting = true
                reports.add { [diagnostics = options.diagnostics] in
                    diagnostics.report(report.severity, report.error)
                }
            }
            let edits = scan.changes(from: state.scan.files, in: path)
            state.scan = scan
            if scan.problem == nil { state.lastRead = .now }
            if edits.isEmpty { return }
            outcome.needsNotifying = true
            publish(edits)
        }
    }

    /// Publishes the next contents together with their generation, so that another thread, which finds nothing
    /// more to read, returns from ``reload()`` with both.
    private func publish(_ edits: [String: PrefsCandidate?]) {
        contents.withLock { contents in
            contents = contents.replacing(edits)
            changes.advance(to: contents.generation)
        }
        changes.noteInContainer(didChange: true)
    }

    /// Watches each file, because an edit in place does not change the directory, and returns true if any of
    /// them was not watched before. Ends the watches of files that are gone.
    private func watchNewFiles() -> Bool {
        let names = reading.withLock { Array($0.scan.files.keys) }
        return watches.follow(Set(names.map { "\(path)/\($0)" }).union([path]), watch)
    }

    private func watch(_ path: String) -> FileWatch {
        options.watcher.watch(
            path, onEvent: { [weak self] in self?.note($0) },
            onRoundEnd: { [weak self] in self?.changes.runReloads() })
    }

    private func note(_ event: FileEvent) {
        changes.reloads?.note(self, event.source == .recheck ? .reload : .file)
    }
}

extension PrefsStorage where Self == DirectoryPrefsStorage {
    /// A directory whose files are preferences; see ``DirectoryPrefsStorage``.
    public static func directory(
        at path: String, options: DirectoryPrefsStorage.Options = .init()
    ) -> DirectoryPrefsStorage {
        DirectoryPrefsStorage(at: path, options: options)
    }
}
