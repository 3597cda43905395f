public import FileWatching
import PrefsDocuments
public import PrefsFiles

/// A read-only storage of a directory whose files are preferences.
///
/// The name of a file is the key. Its contents are the value, as text that the key's type parses. Kubernetes
/// Secrets and ConfigMaps, Docker secrets and systemd credentials have this form.
///
/// ```swift
/// let storage = PrefsStack {
///     PrefsLayer("config", .directory(at: "/etc/myd/config"))
///     PrefsLayer("secrets", .directory(at: "/run/secrets"))
/// }
/// ```
///
/// - One newline (LF or CRLF) at the end of a file is dropped. The text must be UTF-8.
/// - A dot in a name separates a path, as in any key: the file `http.port` is `port` in `http`.
/// - Names that begin with a dot are ignored, for example the `..data` of Kubernetes. Folders are ignored,
///   too. Links to files are followed.
/// - Files that take effect together are one change, for example when `..data` is pointed to another folder.
/// - If a file cannot be read, is too large or is not text, its last good value stays effective, if there is
///   one. The problem is reported to ``diagnostics`` once, and so is the recovery. The same holds for a pipe,
///   a socket or a device, and for a folder that takes the place of a file.
/// - A directory that does not exist is empty, and is watched for its creation.
public final class DirectoryPrefsStorage: SelfContainedPrefsStorage {
    /// Options for reading.
    public struct Options: Sendable {
        /// The largest accepted size of a file in bytes. The default is 1 MiB, the limit of a Kubernetes
        /// Secret.
        public var fileSize = 1 << 20
        /// The largest number of files. Further files, in byte order of their names, are ignored and
        /// reported.
        public var fileCount = 10_000
        /// The accepted owners and modes of the files.
        ///
        /// With ``/PrefsFiles/PrefsFilePolicy/trusted``, a file that another user may write is reported, and
        /// its last good value stays effective, if there is one.
        public var policy = PrefsFilePolicy.any
        /// The policy for combining edits that follow each other closely into one change.
        ///
        /// In a stack, the stack's setting applies instead.
        public var coalescing = PrefsCoalescing.standard
        /// The watcher that reports edits.
        public var watcher = FileWatcher.shared
        /// The destination of problem reports.
        public var diagnostics = PrefsDiagnosticHandler.shared

        /// Creates the default options.
        public init() {}
    }

    /// The path of the directory.
    public let path: String
    private let options: Options
    private let source: WatchedSource<DirectoryPlace>

    /// Starts watching a directory, then reads it.
    ///
    /// This initializer never throws, because a missing directory must not stop a program; see ``status``. A
    /// relative path is resolved against the working directory at the time of the call.
    public init(at path: String, options: Options = Options()) {
        let path = options.diagnostics.absolutePath(of: path)
        self.path = path
        self.options = options
        source = WatchedSource(
            DirectoryPlace(path: path, options: options), PrefsSource(.table(HashTrie())),
            changes: PrefsChangeSource(isExact: true, coalescing: options.coalescing),
            watcher: options.watcher, diagnostics: options.diagnostics)
        source.start(watching: [path])
    }

    /// The contents of the files, or their last good contents.
    public var snapshot: PrefsSnapshot { source.published.snapshot }

    /// The source of notifications about changes of the files' contents.
    public var changeSource: PrefsChangeSource? { source.changes }

    /// The destination of problem reports.
    public var diagnostics: PrefsDiagnosticHandler { options.diagnostics }

    /// One source, whose problem is the first problem of the directory or its files.
    public var status: [PrefsSourceStatus] { [source.status(file: path)] }

    /// Reads the directory, and the files in it that have changed.
    public func reload() { refresh(.reload)?() }

    /// Reads the same directory now, into a storage that reports no problem and does not watch it.
    func reopened() -> DirectoryPrefsStorage {
        var options = options
        options.watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil)
        options.diagnostics = PrefsDiagnosticHandler { _ in }
        return DirectoryPrefsStorage(at: path, options: options)
    }
}

extension DirectoryPrefsStorage: Reloadable {
    func refresh(_ cause: PrefsChangeCause) -> PrefsNotification? { source.refresh(cause) }
}

/// A directory whose files are values, as the place of a source.
private struct DirectoryPlace: SourcePlace {
    let path: String
    let options: DirectoryPrefsStorage.Options
    private var scan = DirectoryScan()

    init(path: String, options: DirectoryPrefsStorage.Options) {
        (self.path, self.options) = (path, options)
    }

    var problem: PrefsError? {
        scan.files.sorted { $0.key < $1.key }.lazy.compactMap(\.value.problem).first
    }

    mutating func read(_ reading: inout SourceReading) throws(PrefsError) -> Bool {
        let old = scan
        var found: Set<String> = []
        scan = DirectoryScan(
            of: path, keeping: old, fileCount: options.fileCount,
            TextFile.Limits(fileSize: options.fileSize, policy: options.policy)
        ) { signature, file in
            found.insert(file)
            return reading.mayUse(signature, ofNew: file)
        }
        reading.reports = scan.reports(after: old)
        // Each file is watched, because an edit in place does not change the directory.
        reading.paths = Set(scan.files.keys.map { "\(path)/\($0)" }).union(found).union([path])
        let edits = scan.changes(from: old.files, in: path)
        if !edits.isEmpty { reading.publish(reading.last.replacing(edits), didChange: true) }
        if let problem = scan.problem { throw problem }
        return true
    }
}

extension PrefsStorage where Self == DirectoryPrefsStorage {
    /// Returns a storage of a directory whose files are preferences; see ``DirectoryPrefsStorage``.
    public static func directory(
        at path: String, options: DirectoryPrefsStorage.Options = .init()
    ) -> DirectoryPrefsStorage {
        DirectoryPrefsStorage(at: path, options: options)
    }
}
