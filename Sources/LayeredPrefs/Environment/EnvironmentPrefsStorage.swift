public import FileWatching
import PrefsDocuments
public import PrefsFiles
import PrefsSystem

/// A read-only storage of environment variables.
///
/// Each key has exactly one variable: with the prefix `MYD_`, `http.readTimeout` is `MYD_HTTP_READ_TIMEOUT`.
/// The text is parsed by the key's type; text that does not parse is rejected, and the value of the next
/// lower layer is effective. The environment is read once, when the storage is created. A set-uid process,
/// whose caller must not choose its settings, reads none unless the program passes the variables itself.
///
/// A secret may also be in a file: the one that `MYD_TOKEN_FILE` names for the key `token`, as is usual for
/// containers, or the one with the key's name in `$CREDENTIALS_DIRECTORY`, as provided by systemd. One newline (LF
/// or CRLF) at the end of such a file is dropped. The files are watched: a new content, as when systemd swaps the credentials
/// of a service that is reloaded, is a change like any other. A file that cannot be read keeps its last good value,
/// or is a rejected one, and is reported; so does a file that a variable names and that does not exist. A credential
/// may be absent; if it disappears, this is reported. The files are read when the storage is created, so that no `get` waits for
/// a disk; only one that is named by a variable without the prefix, which a key declares as its `environmentName`, is
/// read when the key is first declared or read. Relative paths are resolved against the working directory at
/// the creation of the storage.
public final class EnvironmentPrefsStorage: SelfContainedPrefsStorage {
    /// Options for the files that variables name.
    public struct Options: Sendable {
        /// The accepted owners and modes of the files.
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

    let prefix: String
    let options: Options
    private let source: WatchedSource<VariablesPlace>

    /// Creates a storage of the variables with a prefix.
    ///
    /// - Parameters:
    ///   - prefix: The prefix of every variable's name, including the underscore.
    ///   - environment: The variables; by default this process's, and none in a set-uid process.
    ///   - options: The options for the files that variables name.
    public init(prefix: String, environment: [String: String]? = nil, options: Options = Options()) {
        let variables = environment ?? ProcessPrivilege.trustedEnvironment
        let paths = SecretFiles.Paths()
        let place = VariablesPlace(
            prefix: prefix, variables: variables,
            files: SecretFiles(
                paths, TextFile.Limits(policy: options.policy),
                likely: SecretFiles.likelyPaths(variables, prefix: prefix, paths)))
        (self.prefix, self.options) = (prefix, options)
        source = WatchedSource(
            place, place.source(cause: .start),
            changes: PrefsChangeSource(isExact: true, coalescing: options.coalescing),
            watcher: options.watcher, diagnostics: options.diagnostics)
        paths.follow(with: source) { $0.files.paths.all }
    }

    /// The variables as text.
    public var snapshot: PrefsSnapshot { source.published.snapshot }

    /// The source of change notifications: the variables never change, but the files do that they name.
    public var changeSource: PrefsChangeSource? { source.changes }

    /// The receiver of problem reports that ``Options/diagnostics`` names.
    public var diagnostics: PrefsDiagnostics { options.diagnostics }

    /// One source, with the first problem of the files that variables name.
    public var status: [PrefsSourceStatus] { [source.status(file: nil)] }

    /// Reads those files again that variables name and that have changed.
    public func reload() { refresh(.reload)?() }
}

extension EnvironmentPrefsStorage: Reloadable {
    func refresh(_ cause: PrefsChangeCause) -> PrefsNotification? { source.refresh(cause) }
}

/// Variables, and the files that they name, as the place of a source.
struct VariablesPlace: SourcePlace {
    let prefix: String
    private(set) var variables: [String: String]
    private(set) var files: SecretFiles
    /// The file in which the variables are assigned, and the places of their values; `nil` for a process's variables.
    private var file: (path: String, positions: [String: PrefsPosition])?

    init(prefix: String, variables: [String: String], files: SecretFiles, in path: String? = nil) {
        (self.prefix, self.variables, self.files) = (prefix, variables, files)
        file = path.map { ($0, [:]) }
    }

    var problem: PrefsError? { files.problem }

    mutating func read(_ reading: inout SourceReading) -> Bool {
        let next = SecretFiles(after: files) { reading.versions.mayUse($0, at: $1) }
        reading.reports += next.reports(after: files)
        if !files.adopt(next) {
            files = next
            reading.publish(source(cause: reading.cause), didChange: true)
        }
        return next.problem == nil && !next.paths.all.isEmpty
    }

    func source(cause: PrefsChangeCause) -> PrefsSource {
        let contents = EnvironmentVariables(
            prefix: prefix, variables: variables, secrets: files, in: file)
        return PrefsSource(variables: contents, file: file?.path, cause: cause)
    }

    /// Takes over another version of the file in which the variables are assigned.
    mutating func assign(_ assignments: [String: DotEnvText.Variable]) {
        variables = assignments.mapValues(\.text)
        file?.positions = assignments.mapValues(\.position)
        files = SecretFiles(files, for: variables, prefix: prefix)
    }
}

extension PrefsStorage where Self == EnvironmentPrefsStorage {
    /// The environment variables whose names begin with `prefix`.
    public static func environment(prefix: String) -> EnvironmentPrefsStorage {
        EnvironmentPrefsStorage(prefix: prefix)
    }
}
