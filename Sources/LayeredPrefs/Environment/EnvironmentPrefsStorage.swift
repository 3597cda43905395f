public import FileWatching
import PrefsDocuments
public import PrefsFiles
import PrefsSystem

/// A read-only storage of environment variables.
///
/// Each key has exactly one variable. For example, with the prefix `MYD_`, the variable of `http.readTimeout`
/// is `MYD_HTTP_READ_TIMEOUT`. The key's type parses the text. If the text does not parse, it is rejected,
/// and the value of the next lower layer is effective.
///
/// The variables are read once, when the storage is created. In a set-uid process, none are read unless the
/// program passes the variables itself, because the caller of such a process must not choose its settings.
///
/// **Secrets in files.** A secret may also be in a file:
///
/// - A variable may name the file, as is usual for containers. For the key `token`, this variable is
///   `MYD_TOKEN_FILE`.
/// - The file may be in `$CREDENTIALS_DIRECTORY`, as provided by systemd. Its name is the key's name.
///
/// One newline (LF or CRLF) at the end of such a file is dropped. The files are watched. New contents are a
/// change like any other, for example when systemd swaps the credentials of a service that is reloaded.
///
/// If a file cannot be read, this is reported. The key keeps its last good value; without one, the value is
/// rejected. The same holds if a variable names a file that does not exist. A credential may be absent, but
/// if it disappears, this is reported.
///
/// The files are read when the storage is created, so that no `get` waits for a disk. There is one exception:
/// a key may declare a variable without the prefix as its `environmentName`. A file that belongs to such a
/// variable is read when the key is first declared or read. Relative paths are resolved against the working
/// directory at the creation of the storage.
public final class EnvironmentPrefsStorage: SelfContainedPrefsStorage {
    /// Options for the files that variables name.
    public struct Options: Sendable {
        /// The accepted owners and modes of the files.
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

    let prefix: String
    let options: Options
    private let source: WatchedSource<VariablesPlace>

    /// Creates a storage of the variables with a prefix.
    ///
    /// - Parameters:
    ///   - prefix: The prefix of every variable's name, including the underscore.
    ///   - environment: The variables. By default, these are the variables of this process, or none in a
    ///     set-uid process.
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

    /// The source of change notifications. The variables never change, but the files that they name do.
    public var changeSource: PrefsChangeSource? { source.changes }

    /// The destination of problem reports, as set in ``Options/diagnostics``.
    public var diagnostics: PrefsDiagnosticHandler { options.diagnostics }

    /// One source, whose problem is the first problem of the files that variables name.
    public var status: [PrefsSourceStatus] { [source.status(file: nil)] }

    /// Reads the files that variables name, if they have changed.
    public func reload() { refresh(.reload)?() }
}

extension EnvironmentPrefsStorage: Reloadable {
    func refresh(_ cause: PrefsChangeCause) -> PrefsNotification? { source.refresh(cause) }
}

/// Variables and the files that they name, as the place of a source.
struct VariablesPlace: SourcePlace {
    let prefix: String
    private(set) var variables: [String: String]
    private(set) var files: SecretFiles
    /// The file that assigns the variables, and the places of their values; `nil` for a process's variables.
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

    /// Takes over the variables of another version of the file that assigns them.
    mutating func assign(_ assignments: [String: DotEnvText.Variable]) {
        variables = assignments.mapValues(\.text)
        file?.positions = assignments.mapValues(\.position)
        files = SecretFiles(files, for: variables, prefix: prefix)
    }
}

extension PrefsStorage where Self == EnvironmentPrefsStorage {
    /// Returns a storage of the environment variables whose names begin with `prefix`.
    public static func environment(prefix: String) -> EnvironmentPrefsStorage {
        EnvironmentPrefsStorage(prefix: prefix)
    }
}
