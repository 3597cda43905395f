import FileWatching
import PrefsDocuments
import PrefsSystem

/// A folder of drop-ins, `<file>.d/*.plist`, `*.json`, `*.toml` or `*.yaml`, each a separate file, in byte order
/// of their names.
///
/// Names that begin with a dot are ignored. A link to `/dev/null` is not a drop-in; it masks the same name, in
/// whatever format, in less important folders. Drop-ins, and the folder itself, may appear and disappear at any
/// time.
///
/// A folder that cannot be listed keeps the drop-ins of its last good listing, because their settings may be
/// policy. This is reported once, and listing is repeated until it succeeds.
final class DropInFolder: Sendable, Reloadable {
    private struct State {
        /// The names of the drop-ins in the last good listing, by the name without its extension. Of several
        /// formats only one may exist, and the first is the preferred one.
        var names: [FileName: [FileName]] = [:]
        /// The names of the masks in the last good listing, without their extensions.
        var masks: Set<FileName> = []
        /// The names that are not UTF-8, which no path can express.
        var unreadable: Set<FileName> = []
        /// Names, without extensions, that a more important folder masks; these files are not even opened.
        var hidden: Set<FileName> = []
        /// The reason why the folder could not be listed the last time.
        var problem: PrefsError?
        /// The open files, by the name without its extension.
        var files: [FileName: DropIn] = [:]
        /// The files in byte order of their names; `nil` after one has been added or removed.
        var sorted: [FilePrefsStorage]?

        var wanted: Set<FileName> { Set(names.keys).subtracting(hidden) }
    }

    private struct DropIn {
        /// The names of which one should exist, the preferred one first.
        var names: [FileName]
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
            onRoundEnd: { [weak self] in self?.changes.runReloads() })
        self.watch.withLock { $0 = watch }
        _ = list(.start)
    }

    /// The files in byte order of their names.
    var files: [FilePrefsStorage] {
        state.withLock { state in
            if let sorted = state.sorted { return sorted }
            let sorted = state.files.values.sorted { $0.names[0] < $1.names[0] }.map(\.storage)
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

    func refresh(_ cause: PrefsChangeCause) -> (@Sendable () -> Void)? { list(cause) }
}

extension DropInFolder {
    /// The files to open and to close, and the reports to make, after a listing.
    private struct Changes {
        var missing: [(folder: DropInFolder, name: FileName)] = []
        /// The files that may now exist in another format.
        var renamed: [(storage: FilePrefsStorage, paths: [String])] = []
        var gone: [DropIn] = []
        var reports: [PrefsDiagnostic] = []
    }

    /// Lists the folder again; returns the delivery of the notifications if the set of files changed, here or
    /// in a less important folder.
    private func list(_ cause: PrefsChangeCause) -> (@Sendable () -> Void)? {
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
        return apply(changes, cause)
    }

    private func readNames(into state: inout State) throws(Errno) {
        let entries = try folderEntries(in: path).filter { entry in
            rank(of: entry.name) != nil && entry.name.bytes.first != UInt8(ascii: ".")
        }
        if entries.isEmpty, additional.isEmpty {
            (state.names, state.masks, state.unreadable) = ([:], [], [])
            return
        }
        let names = Set(entries.map(\.name)).union(additional.keys)
        let unreadable = names.filter { $0.text == nil }
        let masks = Set(entries.filter { $0.mayBeLink && isMask($0.name) }.map(\.name))
            .subtracting(additional.keys)
        state.unreadable = unreadable
        state.masks = Set(masks.map(\.stem))
        state.names = Dictionary(grouping: names.subtracting(masks).subtracting(unreadable), by: \.stem)
            .mapValues { $0.sorted { rank(of: $0) ?? 0 < rank(of: $1) ?? 0 } }
    }

    /// Returns the place of a name's extension in the order of preference; `nil` for a file that is no drop-in.
    private func rank(of name: FileName) -> Int? {
        let extensions = options.format == nil ? PrefsFileFormat.extensions : ["plist"]
        return extensions.firstIndex { name.bytes.suffix($0.utf8.count + 1).elementsEqual(".\($0)".utf8) }
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
        for (name, names) in state.names {
            guard let dropIn = state.files[name], dropIn.names != names else { continue }
            state.files[name]?.names = names
            state.sorted = nil
            changes.renamed.append((dropIn.storage, paths(names)))
        }
        lower?.hide(state.hidden.union(state.masks), &changes)
    }

    private func hide(_ names: Set<FileName>, _ changes: inout Changes) {
        state.withLock { state in
            guard state.hidden != names else { return }
            state.hidden = names
            settle(&state, &changes)
        }
    }

    private func paths(_ names: [FileName]) -> [String] {
        names.map { additional[$0] ?? "\(path)/\($0.description)" }
    }

    /// Opens and closes files and makes reports, with no mutex held; returns the delivery of the notifications
    /// if there is anything to notify of.
    private func apply(_ changes: Changes, _ cause: PrefsChangeCause) -> (@Sendable () -> Void)? {
        for dropIn in changes.gone {
            dropIn.observation?.cancel()
            dropIn.storage.retire()
        }
        for (folder, name) in changes.missing { folder.open(name) }
        for report in changes.reports { options.diagnostics.report(report.severity, report.error) }
        let notifications = changes.renamed.compactMap { $0.storage.choose(anyOf: $0.paths, cause) }
        guard !changes.gone.isEmpty || !changes.missing.isEmpty || !changes.renamed.isEmpty else {
            return nil
        }
        self.changes.noteMember(didChange: true)
        return { [onChange] in
            for notifyObservers in notifications { notifyObservers() }
            onChange()
        }
    }

    private func open(_ name: FileName) {
        guard let names = state.withLock({ $0.names[name] }) else { return }
        let storage = FilePrefsStorage(anyOf: paths(names), options: options)
        storage.changes.join(changes)
        let observation = storage.changes.observe { [onChange] in onChange() }
        let isWanted = state.withLock { state in
            guard state.wanted.contains(name), state.files[name] == nil else { return false }
            state.files[name] = DropIn(names: names, storage: storage, observation: observation)
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

extension FileName {
    /// The name without the extension of a format.
    fileprivate var stem: FileName {
        let end = bytes.lastIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
        return FileName(bytes: Array(bytes[..<end]))
    }
}
