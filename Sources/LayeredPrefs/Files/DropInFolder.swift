import FileWatching
import PrefsDocuments
import PrefsSystem

/// A folder of drop-ins, `<file>.d/*.plist`, each a separate file, in byte order of their names.
///
/// Names that begin with a dot are ignored. A link to `/dev/null` is not a drop-in; it masks the same name in
/// less important folders. Drop-ins, and the folder itself, may appear and disappear at any time.
///
/// A folder that cannot be listed keeps the drop-ins of its last good listing, because their settings may be
/// policy. This is reported once, and listing is repeated until it succeeds.
final class DropInFolder: Sendable, Reloadable {
    private struct State {
        /// The names of the drop-ins, and of the masks, in the last good listing.
        var (names, masks): (Set<FileName>, Set<FileName>) = ([], [])
        /// The names that are not UTF-8, which no path can express.
        var unreadable: Set<FileName> = []
        /// Names that a more important folder masks; these files are not even opened.
        var hidden: Set<FileName> = []
        /// The reason why the folder could not be listed the last time.
        var problem: PrefsError?
        var files: [FileName: DropIn] = [:]
        /// The files in byte order of their names; `nil` after one has been added or removed.
        var sorted: [FilePrefsStorage]?

        var wanted: Set<FileName> { names.subtracting(Mutant.isActive(.masksIgnored) ? [] : hidden) }
    }

    private struct DropIn {
        let storage: FilePrefsStorage
        let observation: PrefsObservation?
    }

    private let path: String
    private let options: FilePrefsStorage.Options
    private let onChange: @Sendable () -> Void
    /// The next less important folder, in which the masks of this one hide files.
    private let lower: DropInFolder?
    /// The paths of files that are read as if they were in the folder, by their names.
    private let additional: [FileName: String]
    // Mutex order: that of this folder, then that of `lower`. Files are opened and observers called under
    // none.
    private let state = Lock(State())
    private let watch = Lock<FileWatch?>(nil)
    private let retries: RetryTimer
    private let changes: PrefsChangeSource

    /// Creates the folder, still without its files.
    ///
    /// - Parameters:
    ///   - changes: The change source of the storage that contains the folder, whose queue reads its files.
    ///   - lower: The next less important folder.
    ///   - additional: The paths of files that are read as if they were in the folder.
    ///   - onChange: Called when a drop-in has appeared, changed or disappeared.
    init(
        path: String, options: FilePrefsStorage.Options, changes: PrefsChangeSource, lower: DropInFolder?,
        additional: [String] = [], onChange: @escaping @Sendable () -> Void
    ) {
        self.additional = Dictionary(
            additional.map { path in
                (FileName(bytes: Array(path.utf8.split(separator: UInt8(ascii: "/")).last ?? [])), path)
            }, uniquingKeysWith: { $1 })
        self.path = path
        self.options = options
        self.changes = changes
        self.lower = lower
        self.onChange = onChange
        retries = RetryTimer(options.scheduler)
    }

    /// Starts watching and reads the folder, after those that are more important, so that the files which
    /// they mask are never opened.
    func start() {
        let watch = options.watcher.watch(
            path, onEvent: { [weak self] _ in self?.note() },
            onRoundEnd: { [weak self] in self?.changes.runReloadsOnWatcher() })
        self.watch.withLock { $0 = watch }
        _ = list()
    }

    /// The files in byte order of their names.
    var files: [FilePrefsStorage] {
        state.withLock { state in
            if let sorted = state.sorted { return sorted }
            var sorted = state.files.sorted { $0.key < $1.key }.map(\.value.storage)
            if Mutant.isActive(.dropInsReversed) { sorted.reverse() }
            state.sorted = sorted
            return sorted
        }
    }

    /// The status of the folder, if it cannot be listed or has a name that cannot be read, and of each file.
    var status: [PrefsSourceStatus] {
        let (problem, unreadable) = state.withLock { ($0.problem, $0.unreadable) }
        let problems = ([problem].compactMap(\.self) + unreadable.sorted().map(unreadableName)).map { error in
            let watching = watch.withLock { $0 }?.status
            return PrefsSourceStatus(
                file: path, problem: error, engine: watching?.engine, engineReason: watching?.reason)
        }
        return problems + files.flatMap(\.status)
    }

    /// Lists the folder again and re-reads every file in it, without notifying observers.
    ///
    /// - Returns: The closures that deliver the notifications.
    func refreshAll(_ cause: PrefsChangeCause) -> [(@Sendable () -> Void)?] {
        [refresh(cause)] + files.map { $0.refresh(cause) }
    }

    private func note() { changes.reloads?.note(self, .file) }

    /// Repeats a listing that failed.
    private func retry() {
        note()
        changes.runReloads()
    }

    func refresh(_ cause: PrefsChangeCause) -> (@Sendable () -> Void)? { list() ? onChange : nil }
}

extension DropInFolder {
    /// The files to open and to close, and the reports to make, after a listing.
    private struct Changes {
        var missing: [(folder: DropInFolder, name: FileName)] = []
        var gone: [DropIn] = []
        var reports: [PrefsDiagnostic] = []
    }

    /// Lists the folder again; returns true if the set of files changed, here or in a less important folder.
    private func list() -> Bool {
        // Listed while holding the mutex: of two threads, the one that lists last must have the last word.
        let changes = state.withLock { state in
            var changes = Changes()
            do throws(Errno) {
                let (before, wasGood) = (state.unreadable, state.problem == nil)
                try readNames(into: &state)
                state.problem = nil
                if !wasGood {
                    changes.reports.append(.init(.recovered, problem("the folder is readable again")))
                }
                let news = state.unreadable.subtracting(before).sorted()
                changes.reports += news.map { .init(.warning, unreadableName($0)) }
            } catch {
                let isKnown = state.problem?.errno == error.code
                state.problem = problem(
                    "cannot list the folder, so its last known files stay effective", error)
                if !isKnown, let problem = state.problem { changes.reports.append(.init(.error, problem)) }
            }
            retries.note(state.problem) { [weak self] in self?.retry() }
            settle(&state, &changes)
            return changes
        }
        return apply(changes)
    }

    private func readNames(into state: inout State) throws(Errno) {
        let entries = try folderEntries(in: path).filter { entry in
            entry.name.bytes.suffix(6).elementsEqual(".plist".utf8)
                && (entry.name.bytes.first != UInt8(ascii: ".") || Mutant.isActive(.hiddenDropInsRead))
        }
        let names = Set(entries.map(\.name)).union(additional.keys)
        state.unreadable = names.filter { $0.text == nil }
        let masks = Set(entries.filter { $0.mayBeLink && isMask($0.name) }.map(\.name))
            .subtracting(additional.keys)
        (state.names, state.masks) = (names.subtracting(masks).subtracting(state.unreadable), masks)
    }

    private func isMask(_ name: FileName) -> Bool {
        name.text.map { (try? linkTarget(of: RawPath("\(path)/\($0)"))) == "/dev/null" } ?? false
    }

    /// Forgets the files that are gone or hidden, finds those to open, and passes the masks on.
    private func settle(_ state: inout State, _ changes: inout Changes) {
        let wanted = state.wanted
        for name in Array(state.files.keys) where !wanted.contains(name) {
            if let dropIn = state.files.removeValue(forKey: name) { changes.gone.append(dropIn) }
            state.sorted = nil
        }
        changes.missing += wanted.filter { state.files[$0] == nil }.map { (self, $0) }
        lower?.hide(state.hidden.union(state.masks), &changes)
    }

    private func hide(_ names: Set<FileName>, _ changes: inout Changes) {
        state.withLock { state in
            guard state.hidden != names else { return }
            state.hidden = names
            settle(&state, &changes)
        }
    }

    /// Opens and closes files and makes reports, with no mutex held; returns true if any file was.
    private func apply(_ changes: Changes) -> Bool {
        for dropIn in changes.gone {
            dropIn.observation?.cancel()
            dropIn.storage.retire()
        }
        for (folder, name) in changes.missing { folder.open(name) }
        for report in changes.reports { options.diagnostics.report(report.severity, report.error) }
        if changes.gone.isEmpty, changes.missing.isEmpty { return false }
        self.changes.noteMember(didChange: true)
        return true
    }

    private func open(_ name: FileName) {
        guard let text = name.text else { return }
        let storage = FilePrefsStorage(path: additional[name] ?? "\(path)/\(text)", options: options)
        storage.changes.join(changes)
        let observation = storage.changes.observe { [onChange] in onChange() }
        let isWanted = state.withLock { state in
            guard state.wanted.contains(name), state.files[name] == nil else { return false }
            state.files[name] = DropIn(storage: storage, observation: observation)
            state.sorted = nil
            return true
        }
        // Another thread has opened it meanwhile, or found that it is gone.
        if isWanted { return }
        observation.cancel()
        storage.retire()
    }

    private func problem(_ reason: String, _ error: Errno? = nil) -> PrefsError {
        let reason = error.map { "\(reason): \($0.text)" } ?? reason
        return PrefsError(.unreadable, origin: PrefsOrigin(file: path), errno: error?.code, reason: reason)
    }

    private func unreadableName(_ name: FileName) -> PrefsError {
        PrefsError(
            .unsupported, origin: PrefsOrigin(file: path),
            reason: "the name of the drop-in “\(name.description)” is not UTF-8, so it is not read; rename it"
        )
    }
}
