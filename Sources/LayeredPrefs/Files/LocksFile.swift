import PrefsFiles
import PrefsDocuments
import PrefsSystem
import FileWatching

/// A `<domain>.locks` file: the keys, or prefixes of keys, that the layers above cannot override.
///
/// Each line names one key and locks it and everything below it; a trailing `.` or `.*` makes no difference.
/// `#` begins a comment:
///
///     http.*         # locks http, http.port and every other key below http
///     logging.level  # locks one key
///
/// If the file exists but cannot be read, every key that its layer sets is locked.
package final class LocksFile: Sendable, Reloadable {
    /// The file's last readable contents.
    struct Content: Sendable, Equatable {
        var entries: [Entry] = []
        /// The reason why the file cannot be read now.
        var problem: PrefsError?
    }

    package struct Entry: Sendable, Hashable {
        package let key: String
        package let line: Int
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
            onRoundEnd: { [weak self] in self?.changes.runReloadsOnWatcher() })
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
            let (entries, problem) = load()
            retries.note(problem) { [weak self] in self?.retry() }
            content = Content(entries: entries ?? previous.entries, problem: problem)
            return (previous, content)
        }
        guard previous != next else { return false }
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

    private func load() -> ([Entry]?, PrefsError?) {
        do throws(PrefsError) {
            let file = try PrefsFileReader.read(path, limits: options.limits, policy: options.policy)
            return (try file.map { file throws(PrefsError) in try parse(file.bytes) } ?? [], nil)
        } catch {
            return (nil, error)
        }
    }

    private func parse(_ bytes: [UInt8]) throws(PrefsError) -> [Entry] {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let origin = PrefsOrigin(file: path)
            throw PrefsError(
                .syntax, origin: origin, reason: "not valid UTF-8; every key that its layer sets is locked")
        }
        return Self.entries(in: text)
    }

    package static func entries(in text: String) -> [Entry] {
        var entries: [Entry] = []
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            var key = line.prefix { $0 != "#" }.filter { !$0.isWhitespace }
            for suffix in [".*", "."] where key.hasSuffix(suffix) { key.removeLast(suffix.count) }
            if !key.isEmpty { entries.append(Entry(key: key, line: index + 1)) }
        }
        return entries
    }
}
