import PrefsDocuments
import PrefsFiles

extension EnvironmentPrefsStorage {
    /// A read-only storage of the variables in a `.env` file, which is watched.
    ///
    /// Keys and variables correspond as they do in ``EnvironmentPrefsStorage``: with the prefix `MYD_`,
    /// `http.readTimeout` is `MYD_HTTP_READ_TIMEOUT`; each text is parsed by the key's type. The environment of
    /// the process is neither read nor changed.
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
    /// Nothing is expanded or run: a line with `$NAME`, `${NAME}`, `$(command)` or a backtick outside single quotes
    /// is rejected. A rejected line is reported with its place, and does not affect the others; its variable
    /// counts as absent. If a name is assigned twice, the last assignment wins.
    ///
    /// A missing file is an empty storage, watched for its creation. If the file cannot be read, the last good
    /// contents stay effective; this is reported once, and so is its recovery.
    public final class DotEnv: SelfContainedPrefsStorage {
        /// The path of the file, which need not exist.
        public let path: String
        private let prefix: String
        private let options: FilePrefsStorage.Options
        private let source: WatchedSource<DotEnvPlace>

        /// Starts watching the file at `path`, then reads it.
        ///
        /// - Parameters:
        ///   - path: The path of the file. A relative one, here and in a variable that names a file, is resolved
        ///     against the working directory at the time of the call.
        ///   - prefix: The prefix of every variable's name, including the underscore; may be empty.
        ///   - options: The limits, the policy, the watcher and the receiver of problem reports. What concerns
        ///     writing is ignored.
        public init(
            path: String, prefix: String, options: FilePrefsStorage.Options = FilePrefsStorage.Options()
        ) {
            let path = options.diagnostics.absolutePath(of: path)
            self.path = path
            self.prefix = prefix
            self.options = options
            let place = DotEnvPlace(path: path, prefix: prefix, options: options)
            source = WatchedSource(
                place, place.source(of: DotEnvText(parsing: []), cause: .start),
                changes: PrefsChangeSource(isExact: true, coalescing: options.coalescing), options: options)
            source.start(watching: [path])
        }

        /// The variables as text, or the last good ones.
        public var snapshot: PrefsSnapshot { source.published.snapshot }

        /// Announces changes of the file's contents.
        public var changeSource: PrefsChangeSource? { source.changes }

        /// Checks the file for changes and, if it changed, reads it before returning.
        public func reload() { refresh(.reload)?() }

        /// The state of the file. Its problem is that of the file, else that of the first rejected line.
        public var status: [PrefsSourceStatus] { [source.status(file: path)] }

        /// Reads the file now, into a storage that reports no problem and does not watch it.
        func reopened() -> EnvironmentPrefsStorage.DotEnv {
            EnvironmentPrefsStorage.DotEnv(path: path, prefix: prefix, options: options.unwatched)
        }

        /// The receiver of problem reports that the options name.
        public var diagnostics: PrefsDiagnostics { options.diagnostics }
    }
}

extension EnvironmentPrefsStorage.DotEnv: Reloadable {
    func refresh(_ cause: PrefsChangeCause) -> PrefsNotification? { source.refresh(cause) }
}

/// A `.env` file as the place of a source.
private struct DotEnvPlace: SourcePlace {
    let path: String
    let prefix: String
    let options: FilePrefsStorage.Options
    private let secretPaths = SecretFiles.Paths()
    /// The contents that were read last; `nil` if there was no file.
    private var bytes: [UInt8]?
    /// True if the file has been read, or found to be absent.
    private var isKnown = false
    /// The problems of the lines.
    private var problems: [PrefsError] = []

    init(path: String, prefix: String, options: FilePrefsStorage.Options) {
        (self.path, self.prefix, self.options) = (path, prefix, options)
    }

    var problem: PrefsError? { problems.first }

    mutating func read(_ reading: inout SourceReading) throws(PrefsError) -> Bool {
        let bytes = try PrefsFileReader.read(path, limits: options.limits, policy: options.policy)?.bytes
        if bytes == self.bytes, isKnown { return true }
        (self.bytes, isKnown) = (bytes, true)
        let text = DotEnvText(parsing: bytes ?? [], path: path)
        let next = source(of: text, cause: reading.cause)
        reading.publish(next, didChange: reading.last.assignments != next.assignments)
        note(text.problems, in: &reading)
        return true
    }

    func source(of text: DotEnvText, cause: PrefsChangeCause) -> PrefsSource {
        let named = text.variables.mapValues(\.text)
        let likely = SecretFiles.likelyPaths(named, prefix: prefix, secretPaths)
        let variables = EnvironmentVariables(
            prefix: prefix, variables: named, secrets: SecretFiles(secretPaths, likely: likely),
            in: (path, text.variables.mapValues(\.position)))
        return PrefsSource(variables: variables, file: path, cause: cause)
    }

    /// Reports the rejected lines that the version before did not have.
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

extension PrefsSource {
    /// The variables, if this is a version of a `.env` file.
    fileprivate var assignments: [String: String]? { (contents as? EnvironmentVariables)?.variables }
}

extension PrefsStorage where Self == EnvironmentPrefsStorage.DotEnv {
    /// The variables in the `.env` file at `path` whose names begin with `prefix`.
    public static func dotEnv(at path: String, prefix: String) -> EnvironmentPrefsStorage.DotEnv {
        EnvironmentPrefsStorage.DotEnv(path: path, prefix: prefix)
    }
}
