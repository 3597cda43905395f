import PrefsFiles
import PrefsDocuments
import PrefsSystem
import FileWatching

/// A `<domain>.locks` file: the keys, or prefixes of keys, that the layers above cannot override.
///
/// Each line names one key and locks it and everything below it; ``LocksDocument`` defines the syntax:
///
///     http.*         # locks http, http.port and every other key below http
///     logging.level  # locks one key
///
/// If the file exists but cannot be read, or contains a line that cannot be understood, every key that its
/// layer sets is locked, and so are the keys of the lines that can be understood and those of the last good
/// version.
package final class LocksFile: Sendable, Reloadable {
    /// The effective locks, and the reason why they may not be all.
    struct Content: Sendable, Equatable {
        /// The locked keys.
        var entries: [LocksDocument.Entry] = []
        /// The locked keys of the last version without a problem.
        var lastGood: [LocksDocument.Entry] = []
        /// The reason why the file cannot be read, or understood, now.
        var problem: PrefsError?

        fileprivate init() {}

        /// Creates the contents that follow `previous`.
        fileprivate init(
            _ load: () throws(PrefsError) -> LocksDocument, after previous: Content
        ) {
            do throws(PrefsError) {
                let document = try load()
                problem = document.problem
                lastGood = problem == nil ? document.entries : previous.lastGood
                entries = problem == nil ? document.entries : document.entries + lastGood
            } catch {
                (entries, lastGood, problem) = (previous.entries, previous.lastGood, error)
            }
        }
    }

    let path: String
    private let options: FilePrefsStorage.Options
    private let onChange: @Sendable () -> Void
    private let content = Lock(Content())
    private let watch = Lock<FileWatch?>(nil)
    private let retries: RetryTimer
    private let changes: PrefsChangeSource

    init(
        path: String, options: FilePrefsStorage.Options, changes: PrefsChangeSource,
        onChange: @escaping @Sendable () -> Void
    ) {
        self.changes = changes
        self.path = path
        self.options = options
        self.onChange = onChange
        retries = RetryTimer(options.scheduler)
        let watch = options.watcher.watch(
            path, onEvent: { [weak self] _ in self?.note() },
            onRoundEnd: { [weak self] in self?.changes.runReloads() })
        self.watch.withLock { $0 = watch }
        _ = read()
    }

    var current: Content { content.withLock { $0 } }

    var status: PrefsSourceStatus {
        let watching = watch.withLock { $0 }?.status
        return PrefsSourceStatus(
            file: path, problem: current.problem, engine: watching?.engine, engineReason: watching?.reason)
    }

    /// Checks the file for changes.
    func reload() { refresh(.reload)?() }

    private func note() { changes.reloads?.note(self, .file) }

    /// Repeats a read that failed.
    private func retry() {
        note()
        changes.runReloads()
    }

    func refresh(_ cause: PrefsChangeCause) -> (@Sendable () -> Void)? { read() ? onChange : nil }

    /// Reads the file; returns true if its contents or its problem changed.
    private func read() -> Bool {
        // Read while holding the mutex: of two readers, the one that reads last must store last.
        let (previous, next) = content.withLock { content in
            let previous = content
            content = Content(load, after: previous)
            retries.note(content.problem) { [weak self] in self?.retry() }
            return (previous, content)
        }
        guard previous != next else { return false }
        changes.noteMember(didChange: true)
        notifyObservers(previous.problem, next.problem)
        return true
    }

    private func notifyObservers(_ previous: PrefsError?, _ problem: PrefsError?) {
        if let problem {
            options.diagnostics.report(.error, problem)
        } else if var recovered = previous {
            recovered.reason = "readable again"
            options.diagnostics.report(.recovered, recovered)
        }
    }

    private func load() throws(PrefsError) -> LocksDocument {
        let file = try PrefsFileReader.read(path, limits: options.limits, policy: options.policy)
        return LocksDocument(parsing: file?.bytes ?? [], path: path)
    }
}
