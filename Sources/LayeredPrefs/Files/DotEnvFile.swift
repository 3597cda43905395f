import FileWatching
import PrefsDocuments
import PrefsFiles
import PrefsSystem

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
        private struct State {
            /// The contents that were read last; `nil` if there was no file.
            var bytes: [UInt8]?
            /// The reason why the file cannot be read.
            var failure: PrefsError?
            /// The problems of the lines.
            var problems: [PrefsError] = []
            var lastRead: ContinuousClock.Instant?
        }

        /// The path of the file, which need not exist.
        public let path: String
        private let prefix: String
        private let options: FilePrefsStorage.Options
        private let published: PublishedSource
        // Mutex order: `reading`, then the published source's. Observers are called under neither.
        private let reading = Lock(State())
        private let watch = Lock<FileWatch?>(nil)
        private let retries: RetryTimer
        private let secretPaths = SecretFiles.Paths()
        /// The diagnostics, in the order of the file's versions.
        private let reports = ObserverQueue()

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
            published = PublishedSource(
                PrefsSource(
                    variables: DotEnvVariables(
                        DotEnvText(parsing: []), prefix: prefix, path: path,
                        secrets: SecretFiles(secretPaths)),
                    file: path),
                coalescing: options.coalescing)
            retries = RetryTimer(options.scheduler)
            let watch = options.watcher.watch(
                path, onEvent: { [weak self] _ in self?.note() },
                onRoundEnd: { [weak self] in self?.published.changes.runReloads() })
            self.watch.withLock { $0 = watch }
            refresh(.start)?()
        }

        /// The variables as text, or the last good ones.
        public var snapshot: PrefsSnapshot { published.snapshot }

        /// Announces changes of the file's contents.
        public var changeSource: PrefsChangeSource? { published.changes }

        /// Checks the file for changes and, if it changed, reads it before returning.
        public func reload() { refresh(.reload)?() }

        /// The state of the file. Its problem is that of the file, else that of the first rejected line.
        public var status: [PrefsSourceStatus] {
            let (problem, lastRead) = reading.withLock { ($0.failure ?? $0.problems.first, $0.lastRead) }
            let watching = watch.withLock { $0 }?.status
            return [
                PrefsSourceStatus(
                    file: path, problem: problem, lastGood: lastRead,
                    generation: published.changes.generation, engine: watching?.engine,
                    engineReason: watching?.reason)
            ]
        }

        /// Reads the file now, into a storage that reports no problem and does not watch it.
        func reopened() -> EnvironmentPrefsStorage.DotEnv {
            EnvironmentPrefsStorage.DotEnv(path: path, prefix: prefix, options: options.unwatched)
        }

        /// The receiver of problem reports that the options name.
        public var diagnostics: PrefsDiagnostics { options.diagnostics }
    }
}

extension EnvironmentPrefsStorage.DotEnv: Reloadable {
    private func note() { published.changes.reloads?.note(self, .file) }

    /// Repeats a read that failed.
    private func retry() {
        note()
        published.changes.runReloads()
    }

    func refresh(_ cause: PrefsChangeCause) -> (@Sendable () -> Void)? {
        // Read while holding the mutex: of two readers, the one that reads last must publish last.
        let isPublished = reading.withLock { state -> Bool? in
            do throws(PrefsError) {
                let bytes = try PrefsFileReader.read(path, limits: options.limits, policy: options.policy)?
                    .bytes
                retries.note(nil) {}
                let recovered = state.failure
                state.failure = nil
                if let recovered { add(.recovered, recovered, "readable again") }
                guard bytes != state.bytes || state.lastRead == nil else {
                    return recovered == nil ? nil : false
                }
                state.bytes = bytes
                state.lastRead = .now
                publish(DotEnvText(parsing: bytes ?? [], path: path), cause, &state)
                return true
            } catch {
                retries.note(error) { [weak self] in self?.retry() }
                guard state.failure != error else { return nil }
                state.failure = error
                add(.error, error)
                return false
            }
        }
        guard let isPublished else { return nil }
        return { [self] in
            reports.drain()
            if isPublished { published.changes.notify() }
        }
    }

    /// Publishes a version, and adds the reports of its rejected lines that the version before did not have.
    private func publish(_ text: DotEnvText, _ cause: PrefsChangeCause, _ state: inout State) {
        let next = DotEnvVariables(
            text, prefix: prefix, path: path, secrets: SecretFiles(secretPaths))
        let previous = published.value.contents as? DotEnvVariables
        let didChange = previous?.variables.variables != next.variables.variables
        published.replace(PrefsSource(variables: next, file: path, cause: cause), didChange: didChange)
        published.changes.noteInContainer(didChange: didChange)
        for problem in text.problems where !state.problems.contains(problem) { add(.error, problem) }
        if text.problems.isEmpty, let first = state.problems.first {
            add(.recovered, first, "every line is used")
        }
        state.problems = text.problems
    }

    /// Adds a diagnostic to those that are sent once no mutex is held.
    private func add(_ severity: PrefsDiagnostic.Severity, _ error: PrefsError, _ reason: String? = nil) {
        var error = error
        if let reason { error = PrefsError(error.code, origin: PrefsOrigin(file: path), reason: reason) }
        reports.add { [diagnostics = options.diagnostics, error] in diagnostics.report(severity, error) }
    }
}

/// The variables of a `.env` file, looked up by key.
private struct DotEnvVariables: SourceContents {
    let variables: EnvironmentVariables
    private let positions: [String: PrefsPosition]
    private let path: String

    init(_ text: DotEnvText, prefix: String, path: String, secrets: SecretFiles) {
        variables = EnvironmentVariables(
            prefix: prefix, variables: text.variables.mapValues(\.text), secrets: secrets)
        positions = text.variables.mapValues(\.position)
        self.path = path
    }

    var variablePrefix: String? { variables.variablePrefix }

    func value(for key: PrefsKeyName, at path: PrefsPath, claims: VariableClaims) -> LocatedValue? {
        guard let found = variables.value(for: key, at: path, claims: claims) else { return nil }
        // A secret may be in a file that the variable names.
        var located = LocatedValue(
            value: found.value, isText: true, content: nil, path: path, spelling: found.spelling,
            file: found.file ?? self.path)
        located.rejection = found.rejection
        if found.file == nil { located.statedOrigin = origin(of: found.spelling) }
        return located
    }

    private func origin(of variable: String) -> PrefsOrigin {
        PrefsOrigin(file: path, position: positions[variable], spelling: variable)
    }

    func mayHoldOwnValue(at path: PrefsPath, claims: VariableClaims) -> Bool {
        variables.mayHoldOwnValue(at: path, claims: claims)
    }

    func forEachKey(below path: PrefsPath, claims: VariableClaims, _ body: (PrefsPath) -> Void) {
        variables.forEachKey(below: path, claims: claims, body)
    }

    func unknownKeys(against known: KnownKeys, under tops: Set<String>?) -> UnknownKeys {
        variables.unknownKeys(against: known, under: tops)
    }
}

extension PrefsStorage where Self == EnvironmentPrefsStorage.DotEnv {
    /// The variables in the `.env` file at `path` whose names begin with `prefix`.
    public static func dotEnv(at path: String, prefix: String) -> EnvironmentPrefsStorage.DotEnv {
        EnvironmentPrefsStorage.DotEnv(path: path, prefix: prefix)
    }
}
