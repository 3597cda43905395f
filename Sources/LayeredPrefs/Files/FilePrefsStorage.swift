public import PrefsFiles
public import PrefsDocuments
public import FileWatching
import PrefsSystem

/// A storage of the preferences in one file: a property list (XML or binary), JSON, TOML or YAML.
///
/// The file is watched. An edit by any process is read as soon as it is complete. A missing file is an empty
/// storage, which is watched for the file's creation. Neither the file nor its folder is created before the
/// first write. If the file cannot be read or parsed, the last good contents stay effective. This is reported
/// once per bad version, and once when the file recovers.
///
/// Writes are durable. A write takes the file lock, which excludes other processes. It merges its one key
/// into the file's contents at that moment, and returns when the result is on disk. Everything else in the
/// file stays as it is.
public final class FilePrefsStorage: PathWritablePrefsStorage {
    /// The path of the file, which need not exist.
    ///
    /// With ``Options/acceptsOtherFormats``, it is the path of the format in use.
    public var path: String { source.withPlace { $0.choice.path } }

    /// Options of a file storage.
    public struct Options: Sendable {
        /// The file's format. If it is `nil`, the format is detected from the name and the contents.
        public var format: PrefsFileFormat?
        /// A Boolean value that indicates whether a file of the same name in another format may replace the
        /// file.
        ///
        /// For example, `myd.json`, `myd.toml` or, with the trait `YAML`, `myd.yaml` may exist instead of
        /// `myd.plist`. A new file is created at the given path. The option is ignored if ``format`` is not
        /// `nil`.
        ///
        /// If several of these files exist, this is reported, nothing is written, and the contents that were
        /// read last stay effective. At the start, the file at the given path is read, or else the first in
        /// the order `.plist`, `.json`, `.toml`, `.yaml` and `.yml`.
        public var acceptsOtherFormats = false
        /// The largest accepted size and nesting depth.
        public var limits = PrefsLimits.standard
        /// The accepted owners and modes.
        public var policy = PrefsFilePolicy.any
        /// A Boolean value that indicates whether this program may write the file.
        public var isWritable = true
        /// Options for writing: the mode of a new file, the time to wait for other writers, and the
        /// attributes that may be lost.
        public var writing = PrefsFileWriteOptions()
        /// The policy for combining edits that follow each other closely into one change.
        ///
        /// In a stack, the stack's setting applies instead.
        public var coalescing = PrefsCoalescing.standard
        /// The watcher that reports edits of the file.
        public var watcher = FileWatcher.shared
        /// The destination of problem reports.
        public var diagnostics = PrefsDiagnosticHandler.shared
        /// True if an empty file, or a link to `/dev/null`, is a file without contents, whatever its format.
        var acceptsMasks = false
        /// True if a link to `/dev/null` is a file without contents, whatever its format.
        var acceptsMaskLinks = false
        /// True for a system file. A link that leads to no file is then a mistake, and not a missing file.
        var isOfSystem = false
        /// True if a missing file is an error, because somebody named the file.
        var mustExist = false
        /// The source of time for repeating failed reads.
        var scheduler: any Scheduler = EventLoop.shared

        /// Creates the default options.
        public init() {}

        /// Returns the paths that the file may have, the given path first. Only one of them may exist.
        func paths(for path: String) -> [String] {
            acceptsOtherFormats && format == nil ? FormatChoice.paths(for: path) : [path]
        }
    }

    let options: Options
    let source: WatchedSource<FilePlace>

    /// Starts watching the file at `path`, then reads it.
    ///
    /// This initializer never throws, because a broken file must not stop a program; see ``problem``. A
    /// relative path is resolved against the working directory at the time of the call.
    public convenience init(path: String, options: Options = Options()) {
        let path = options.diagnostics.absolutePath(of: path)
        self.init(anyOf: options.paths(for: path), options: options)
    }

    /// Creates a storage of one of several files. Only one of them may exist.
    ///
    /// - Parameters:
    ///   - paths: The absolute paths, the preferred one first. There is at least one.
    ///   - changes: The announcer of the changes, if the storage is part of another one.
    convenience init(anyOf paths: [String], options: Options, changes: PrefsChangeSource? = nil) {
        self.init(FormatChoice(paths), options: options, startedWith: changes)
    }

    /// Creates a storage of the file that `choice` chooses at each moment.
    convenience init(_ choice: FormatChoice, options: Options, startedWith changes: PrefsChangeSource?) {
        self.init(choice, options: options, changes: changes)
        source.start(watching: Set(choice.paths))
    }

    /// Creates a storage that is started later.
    init(_ choice: FormatChoice, options: Options, changes: PrefsChangeSource? = nil) {
        self.options = options
        source = WatchedSource(
            FilePlace(choice, options: options),
            PrefsSource(file: choice.path, isAbsent: true),
            changes: changes ?? PrefsChangeSource(isExact: true, coalescing: options.coalescing),
            options: options)
    }

    /// The contents of the file, or its last good contents.
    public var snapshot: PrefsSnapshot { source.published.snapshot }

    /// The source of notifications about changes of the file's contents.
    public var changeSource: PrefsChangeSource? { source.changes }

    /// A Boolean value that indicates whether this program may write the file, as set in
    /// ``Options/isWritable``.
    public var isWritable: Bool { options.isWritable }

    /// A Boolean value that is always true, because a written value outlives the process.
    public var isPersistent: Bool { true }

    /// The error that keeps the file's contents from being effective, or `nil` if there is none.
    public var problem: PrefsError? { source.problem }

    /// Sets a key's value, or removes the key if the value is `nil`, and returns when the file is durable.
    ///
    /// - Throws: ``PrefsError``.
    @discardableResult
    public func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        try checkWritable(key)
        try setValue(value, at: PrefsPath(key))
        return .effective
    }

    /// Checks the file for changes, and reads a changed file before it returns.
    public func reload() { refresh(.reload)?() }

    /// The state of the file and of its watch.
    public var status: [PrefsSourceStatus] {
        let (path, signature) = source.withPlace { ($0.choice.path, $0.signature) }
        var status = source.status(file: path, isWritable: isWritable)
        status.isBehind = FileSignature(path: path) != signature
        return [status]
    }

    /// The destination of problem reports, as set in ``Options/diagnostics``.
    public var diagnostics: PrefsDiagnosticHandler { options.diagnostics }

    var writtenFile: String? { path }
}

extension FilePrefsStorage: Reloadable {
    func refresh(_ cause: PrefsChangeCause) -> PrefsNotification? { source.refresh(cause) }

    /// Changes the paths that the file may have, and reads the file if it is another one now.
    func choose(anyOf paths: [String], _ cause: PrefsChangeCause) -> PrefsNotification? {
        source.watch(Set(paths))
        source.withPlace { $0.choose(anyOf: paths) }
        return refresh(cause)
    }

    /// The paths that the file may have.
    var mainPaths: [String] { source.withPlace { $0.choice.paths } }

    /// Reads the same places now, into a storage that reports no problem and does not watch them.
    func reopened() -> FilePrefsStorage {
        FilePrefsStorage(
            FormatChoice(places: source.withPlace { $0.choice.places }), options: options.unwatched,
            startedWith: nil)
    }
}

extension FilePrefsStorage {
    /// Returns a writer of the file. It need not read the version that this storage has already read.
    func writer(of path: String) -> PrefsFileWriter {
        PrefsFileWriter(
            path, format: options.format, limits: options.limits, policy: options.policy,
            known: source.withPlace { $0.known(at: path) }, options: options.writing
        ) { [source] copy in
            source.add(
                PrefsDiagnostic(
                    .warning,
                    PrefsError(
                        .broken, origin: PrefsOrigin(file: path),
                        reason: "the broken contents are kept as \(copy)")))
        }
    }

    /// Commits a prepared version to disk and to this storage. Returns `nil` if the file has changed since
    /// the version was prepared, so that another attempt is worthwhile.
    func commitIfUnchanged(_ write: PrefsPreparedWrite, of path: String) throws -> CommittedEdits? {
        source.withPlace { $0.expected = write.document }
        defer {
            source.withPlace { if $0.expected === write.document { $0.expected = nil } }
        }
        guard let (signature, document) = try write.commitIfUnchanged() else { return nil }
        let notification = adopt(signature, document, at: path)
        return CommittedEdits(notifyObservers: notification) { () throws(PrefsError) in
            try write.synchronize()
        }
    }

    /// Makes the contents active that this process wrote, or, if another writer has replaced them, the new
    /// contents.
    ///
    /// - Returns: A closure that notifies observers; `nil` if there is nothing to notify of.
    func adopt(
        _ signature: FileSignature?, _ document: PrefsDocument, at path: String
    ) -> PrefsNotification? {
        source.adopt { $0.adopt(signature, document, at: path, &$1) } ?? refresh(.write)
    }
}

extension FilePrefsStorage {
    public var _capabilities: _PrefsStorageCapabilities {
        _PrefsStorageCapabilities(
            storage: self, paths: self, contents: self, transitions: source.published, isInFiles: true)
    }
}

extension WatchedSource {
    /// Creates a source of a file, or of a folder of files.
    convenience init(
        _ place: Place, _ contents: PrefsSource = .empty, changes: PrefsChangeSource,
        options: FilePrefsStorage.Options
    ) {
        self.init(
            place, contents, changes: changes, watcher: options.watcher, diagnostics: options.diagnostics,
            scheduler: options.scheduler)
    }
}

extension PrefsStorage where Self == FilePrefsStorage {
    /// Returns a storage of the preferences in the file at `path`.
    public static func file(at path: String) -> FilePrefsStorage { FilePrefsStorage(path: path) }
}
