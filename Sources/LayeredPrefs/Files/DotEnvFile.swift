import PrefsDocuments
import PrefsFiles
import PrefsSystem

extension EnvironmentPrefsStorage {
    /// A read-only storage of the variables in a `.env` file, which is watched.
    ///
    /// Keys and variables correspond as they do in ``EnvironmentPrefsStorage``. For example, with the prefix
    /// `MYD_`, the variable of `http.readTimeout` is `MYD_HTTP_READ_TIMEOUT`. The key's type parses the text.
    /// The environment of the process is neither read nor changed.
    ///
    /// A line assigns one variable:
    ///
    /// | line                      | value                                                              |
    /// |---------------------------|--------------------------------------------------------------------|
    /// | `# text`, or a blank line | none                                                               |
    /// | `NAME=some text # note`   | `some text`; a comment begins after a space                         |
    /// | `export NAME=text`        | `text`                                                             |
    /// | `NAME='$a "b" \n'`        | literally, up to the next `'`; may contain line breaks              |
    /// | `NAME="a\tb \"c\" \$d"`   | with `\n`, `\r`, `\t`, `\\`, `\"`, `\$`, an escaped backtick, and line breaks |
    ///
    /// Nothing is expanded or run. A line is rejected if it has `$NAME`, `${NAME}`, `$(command)` or a
    /// backtick outside single quotes. A rejected line is reported with its place, and does not affect the
    /// other lines. Its variable counts as absent. If a name is assigned twice, the last assignment wins.
    ///
    /// A secret may also be in a file that a variable names. That file is watched, too; see
    /// ``EnvironmentPrefsStorage``.
    ///
    /// A missing file is an empty storage, which is watched for the file's creation. If the file cannot be
    /// read, the last good contents stay effective. This is reported once, and so is the recovery.
    public final class DotEnv: SelfContainedPrefsStorage {
        /// The path of the file, which need not exist.
        public let path: String
        private let prefix: String
        private let options: FilePrefsStorage.Options
        private let source: WatchedSource<DotEnvPlace>

        /// Starts watching the file at `path`, then reads it.
        ///
        /// - Parameters:
        ///   - path: The path of the file. A relative path, here or in a variable that names a file, is
        ///     resolved against the working directory at the time of the call.
        ///   - prefix: The prefix of every variable's name, including the underscore. It may be empty.
        ///   - options: The limits, the policy, the watcher and the destination of problem reports. Options
        ///     for writing are ignored.
        public init(
            path: String, prefix: String, options: FilePrefsStorage.Options = FilePrefsStorage.Options()
        ) {
            let path = options.diagnostics.absolutePath(of: path)
            self.path = path
            self.prefix = prefix
            self.options = options
            let paths = SecretFiles.Paths()
            let variables = VariablesPlace(
                prefix: prefix, variables: [:],
                files: SecretFiles(paths, TextFile.Limits(policy: options.policy)), in: path)
            source = WatchedSource(
                DotEnvPlace(path: path, options: options, variables: variables),
                variables.source(cause: .start),
                changes: PrefsChangeSource(isExact: true, coalescing: options.coalescing), options: options)
            paths.follow(with: source) { $0.paths }
            source.start(watching: [path])
        }

        /// The variables as text, or the last good ones.
        public var snapshot: PrefsSnapshot { source.published.snapshot }

        /// The source of notifications about changes of the file's contents.
        public var changeSource: PrefsChangeSource? { source.changes }

        /// Checks the file, and the files that its variables name, for changes, and reads changed files
        /// before it returns.
        public func reload() { refresh(.reload)?() }

        /// The state of the file.
        ///
        /// Its problem is the problem of the file itself. If there is none, it is the first rejected line, or
        /// else the first problem of the files that variables name.
        public var status: [PrefsSourceStatus] { [source.status(file: path)] }

        /// Reads the file now, into a storage that reports no problem and does not watch it.
        func reopened() -> EnvironmentPrefsStorage.DotEnv {
            EnvironmentPrefsStorage.DotEnv(path: path, prefix: prefix, options: options.unwatched)
        }

        /// The destination of problem reports that the options name.
        public var diagnostics: PrefsDiagnosticHandler { options.diagnostics }
    }
}

extension EnvironmentPrefsStorage.DotEnv: Reloadable {
    func refresh(_ cause: PrefsChangeCause) -> PrefsNotification? { source.refresh(cause) }
}

/// A `.env` file, and the files that its variables name, as the place of a source.
private struct DotEnvPlace: SourcePlace {
    let path: String
    let options: FilePrefsStorage.Options
    private var variables: VariablesPlace
    /// The contents of the last reading; `nil` if there was no file.
    private var bytes: [UInt8]?
    /// True if the file has been read, or found to be absent.
    private var isKnown = false
    /// The problems of the lines.
    private var problems: [PrefsError] = []

    init(path: String, options: FilePrefsStorage.Options, variables: VariablesPlace) {
        (self.path, self.options, self.variables) = (path, options, variables)
    }

    var problem: PrefsError? { problems.first ?? variables.problem }

    /// The paths to watch.
    var paths: Set<String> { variables.files.paths.all.union([path]) }

    mutating func read(_ reading: inout SourceReading) throws(PrefsError) -> Bool {
        var problem: PrefsError?
        do throws(PrefsError) { try readText(&reading) } catch { problem = error }
        // The files that the variables name are read even if this one cannot be.
        _ = variables.read(&reading)
        if let problem { throw problem }
        return true
    }

    /// Reads the file and, if it has changed, publishes its variables.
    private mutating func readText(_ reading: inout SourceReading) throws(PrefsError) {
        let file = try PrefsFileReader.read(path, limits: options.limits, policy: options.policy)
        guard reading.versions.mayUse(file?.signature, at: path) else { return }
        let bytes = file?.bytes
        if bytes == self.bytes, isKnown { return }
        (self.bytes, isKnown) = (bytes, true)
        let text = DotEnvText(parsing: bytes ?? [], path: path)
        let before = variables.variables
        variables.assign(text.variables)
        reading.paths = paths
        reading.publish(
            variables.source(cause: reading.cause),
            didChange: variables.variables.mapValues(PrefsValue.string) != before.mapValues(PrefsValue.string)
        )
        note(text.problems, in: &reading)
    }

    /// Reports the rejected lines that the previous version did not have.
    private mutating func note(_ problems: [PrefsError], in reading: inout SourceReading) {
        for problem in problems where !self.problems.contains(problem) {
            reading.reports.append(PrefsDiagnostic(.error, problem))
        }
        if problems.isEmpty, let first = self.problems.first {
            reading.reports.append(PrefsDiagnostic(recoveryFrom: first, "every line is used"))
        }
        self.problems = problems
    }
}

extension PrefsStorage where Self == EnvironmentPrefsStorage.DotEnv {
    /// Returns a storage of the variables in the `.env` file at `path` whose names begin with `prefix`.
    public static func dotEnv(at path: String, prefix: String) -> EnvironmentPrefsStorage.DotEnv {
        EnvironmentPrefsStorage.DotEnv(path: path, prefix: prefix)
    }
}
