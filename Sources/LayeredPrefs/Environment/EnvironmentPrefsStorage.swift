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
/// containers, or the one with the key's name in `$CREDENTIALS_DIRECTORY`, as provided by systemd. One newline at
/// the end of such a file is dropped. The files are watched: a new content, as when systemd swaps the credentials
/// of a service that is reloaded, is a change like any other. A file that cannot be read keeps its last good value,
/// or is a rejected one, and is reported; so does a file that a variable names and that does not exist. A credential
/// may be absent; if it disappears, this is reported. A file that is named by a variable without the prefix, which a
/// key declares as its `environmentName`, is read once. Relative paths are resolved against the working directory at
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

    private struct State {
        var secrets: SecretFiles
        var lastRead: ContinuousClock.Instant?
    }

    let prefix: String
    let options: Options
    private let variables: [String: String]
    private let published: PublishedSource
    // Mutex order: `reading`, then the published source's. Files are watched and observers called with neither held.
    private let reading: Lock<State>
    private let watches = FileWatches()
    /// The diagnostics, in the order of the versions; added under `reading`, sent under no mutex.
    private let reports = ObserverQueue()

    /// Creates a storage of the variables with a prefix.
    ///
    /// - Parameters:
    ///   - prefix: The prefix of every variable's name, including the underscore.
    ///   - environment: The variables; by default this process's, and none in a set-uid process.
    ///   - options: The options for the files that variables name.
    public init(prefix: String, environment: [String: String]? = nil, options: Options = Options()) {
        let variables = environment ?? ProcessPrivilege.trustedEnvironment
        let storage = Lock<WeakStorage>(WeakStorage())
        // A key is looked up with mutexes held, under which no watch can begin.
        let paths = SecretFiles.Paths {
            EventLoop.shared.post { storage.withLock { $0.storage }?.watchNewFiles() }
        }
        let secrets = SecretFiles(paths, TextFile.Limits(policy: options.policy))
        let contents = EnvironmentVariables(prefix: prefix, variables: variables, secrets: secrets)
        (self.prefix, self.options, self.variables) = (prefix, options, variables)
        reading = Lock(State(secrets: secrets))
        published = PublishedSource(PrefsSource(variables: contents), coalescing: options.coalescing)
        storage.withLock { $0.storage = self }
    }

    private struct WeakStorage {
        weak var storage: EnvironmentPrefsStorage?
    }

    /// The variables as text.
    public var snapshot: PrefsSnapshot { published.snapshot }

    /// The source of change notifications: the variables never change, but the files do that they name.
    public var changeSource: PrefsChangeSource? { published.changes }

    /// The receiver of problem reports that ``Options/diagnostics`` names.
    public var diagnostics: PrefsDiagnostics { options.diagnostics }

    /// One source, with the first problem of the files that variables name.
    public var status: [PrefsSourceStatus] {
        let (secrets, lastRead) = reading.withLock { ($0.secrets, $0.lastRead) }
        return [
            PrefsSourceStatus(
                problem: secrets.problem, lastGood: lastRead, generation: published.changes.generation)
        ]
    }

    /// Reads those files again that variables name and that have changed.
    public func reload() { refresh(.reload)?() }
}

extension EnvironmentPrefsStorage: Reloadable {
    func refresh(_ cause: PrefsChangeCause) -> (@Sendable () -> Void)? {
        let outcome = reading.withLock { state -> (needsReporting: Bool, needsNotifying: Bool) in
            // Read while holding the mutex, so that an older reading never replaces a newer one.
            let next = SecretFiles(after: state.secrets)
            let news = next.reports(after: state.secrets)
            for report in news {
                reports.add { [diagnostics = options.diagnostics] in
                    diagnostics.report(report.severity, report.error)
                }
            }
            if next.problem == nil, !next.paths.all.isEmpty { state.lastRead = .now }
            if state.secrets.adopt(next) { return (!news.isEmpty, false) }
            state.secrets = next
            publish(next, cause)
            return (true, true)
        }
        guard outcome.needsReporting || outcome.needsNotifying else { return nil }
        return { [self] in
            reports.drain()
            if outcome.needsNotifying { published.changes.notify() }
        }
    }

    private func publish(_ secrets: SecretFiles, _ cause: PrefsChangeCause) {
        let contents = EnvironmentVariables(prefix: prefix, variables: variables, secrets: secrets)
        published.replace(PrefsSource(variables: contents, cause: cause), didChange: true)
        published.changes.noteInContainer(didChange: true)
    }

    /// Watches the files that keys have asked for, and reads them once more: they may have been edited before they
    /// were watched.
    private func watchNewFiles() {
        let paths = reading.withLock { $0.secrets }.paths
        guard watches.follow(paths.all, watch) else { return }
        published.changes.reloads?.note(self, .file)
        published.changes.runReloads()
    }

    private func watch(_ path: String) -> FileWatch {
        options.watcher.watch(
            path, onEvent: { [weak self] in self?.note($0) },
            onRoundEnd: { [weak self] in self?.published.changes.runReloads() })
    }

    private func note(_ event: FileEvent) {
        published.changes.reloads?.note(self, event.source == .recheck ? .reload : .file)
    }
}

extension PrefsStorage where Self == EnvironmentPrefsStorage {
    /// The environment variables whose names begin with `prefix`.
    public static func environment(prefix: String) -> EnvironmentPrefsStorage {
        EnvironmentPrefsStorage(prefix: prefix)
    }
}
