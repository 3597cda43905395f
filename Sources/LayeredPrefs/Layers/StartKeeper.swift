import FoundationEssentials
import PrefsDocuments
import PrefsSystem

/// Saves the active files whenever they change.
///
/// The configurations of one stack share a keeper, because it leaves out the secrets that any of them declares.
final class StartKeeper: Sendable {
    private let storage: PrefsStack
    private let folder: String
    private let contents: StartContents
    private let saved: Lock<State>

    private struct State {
        var files: AcceptedFiles
        /// True if nothing had been saved before this run of the program.
        let isFirstRun: Bool
        /// True if the last attempt to save the files failed.
        var isFailing = false
        /// The reasons why layers are not saved.
        var problems: [PrefsError] = []
        /// The contents at the start, until it is known that the program can work with them.
        var unproven: PrefsSnapshot?
    }

    /// Returns the keeper of a stack's settings; `nil` if nothing is to be saved.
    static func of(_ storage: PrefsStack, _ contents: StartContents) -> StartKeeper? {
        guard let folder = contents.folder else { return nil }
        if let keeper = storage.startKeepers.withLock({ $0[contents]?.keeper }) { return keeper }
        // The new keeper reads a file and may report, so no mutex is held.
        let new = StartKeeper(contents, in: folder, storage)
        return storage.startKeepers.withLock { keepers in
            if let keeper = keepers[contents]?.keeper { return keeper }
            keepers[contents] = Reference(keeper: new)
            return new
        }
    }

    /// A weak reference to a keeper, because the keeper itself holds the stack.
    struct Reference {
        weak let keeper: StartKeeper?
    }

    private init(_ contents: StartContents, in folder: String, _ storage: PrefsStack) {
        self.storage = storage
        self.folder = storage.diagnostics.absolutePath(of: folder)
        self.contents = contents
        var files = AcceptedFiles()
        do throws(PrefsError) {
            files = try AcceptedFiles(savedIn: self.folder) ?? files
            try files.removeForeign(from: self.folder, of: storage)
        } catch {
            storage.diagnostics.report(.warning, error)
        }
        saved = Lock(State(files: files, isFirstRun: files.layers.isEmpty))
    }

    /// Makes the layers with problems start from their saved files. Returns false if no files of these layers were
    /// saved, or if the program cannot start with the saved files, either.
    func start(
        because problems: [PrefsError], locating place: (PrefsError) -> PrefsError,
        if isRight: (PrefsSnapshot, _ layers: Set<String>) -> Bool
    ) -> Bool {
        let files = saved.withLock { $0.files }
        let layers = storage.start(with: files, because: problems, locating: place, if: isRight)
        for layer in layers.sorted() {
            let age = Duration.seconds(max(0, Int64(Date.now.timeIntervalSince(files.time))))
            storage.diagnostics.report(
                .warning,
                PrefsError(
                    .broken, origin: PrefsOrigin(layer: layer),
                    reason: """
                        started with the last accepted settings, of \(files.time.formatted(.iso8601)) \
                        (\(age.prefsText ?? "0s") ago); fix the files that the errors name
                        """))
            reportMissingSecrets(of: layer, in: files)
        }
        return !layers.isEmpty
    }

    /// Reports the secrets that a layer lacks because they were not saved.
    private func reportMissingSecrets(of layer: String, in files: AcceptedFiles) {
        let missing = storage.missingSecrets(of: layer, in: files)
        if missing.isEmpty { return }
        storage.diagnostics.report(
            .error,
            PrefsError(
                .broken, key: missing.count == 1 ? missing[0] : nil, origin: PrefsOrigin(layer: layer),
                reason: """
                    started without \(missing.count == 1 ? "the secret" : "the secrets") \
                    \(missing.joined(separator: ", ")), because secrets are not saved with the accepted settings; \
                    fix the files that the errors name, and keep secrets in a file of their own
                    """))
    }

    /// Makes the layers of another stack that have problems start from the files that would be saved now. Returns
    /// false if no files of these layers would be saved, or if the program could not start with them, either.
    func restart(
        _ stack: PrefsStack, because problems: [PrefsError],
        if isRight: (PrefsSnapshot, _ layers: Set<String>) -> Bool
    ) -> Bool {
        let (files, _) = files(in: storage.snapshot, after: saved.withLock { $0.files })
        return !stack.start(with: files, because: problems, if: isRight).isEmpty
    }

    private func files(in snapshot: PrefsSnapshot, after known: AcceptedFiles)
        -> (files: AcceptedFiles, problems: [PrefsError])
    {
        storage.acceptedFiles(in: snapshot, hidingSecrets: !contents.includesSecrets, after: known)
    }

    /// Saves the contents that the program has started with. If nothing was saved before this run, they are saved
    /// at once. Otherwise, they are saved when the program has run for a while, or when newer contents of the
    /// files are accepted.
    func noteStart() {
        let isFirstRun = saved.withLock { saved in
            if !saved.isFirstRun { saved.unproven = storage.committedSnapshot }
            return saved.isFirstRun
        }
        if isFirstRun { return save() }
        storage.loop.run(after: contents.probation) { [weak self] in
            guard let self else { return }
            saved.withLock { $0.unproven = nil }
            save()
        }
    }

    /// Saves the active files, unless they are saved already, or the program may not be able to work with them.
    func save() {
        let reports = saved.withLock { saved -> [PrefsDiagnostic] in
            // Read with the mutex held, so that nothing older is saved later.
            let snapshot = storage.committedSnapshot
            if let start = saved.unproven, storage.haveSameSavedFiles(start, snapshot) { return [] }
            saved.unproven = nil
            let (files, problems) = files(in: snapshot, after: saved.files)
            let news = problems.filter { !saved.problems.contains($0) }
            saved.problems = problems
            return news.map { PrefsDiagnostic(.warning, $0) } + save(files, &saved)
        }
        for report in reports { storage.diagnostics.report(report.severity, report.error) }
    }

    /// Saves files, and returns the reports to make.
    private func save(_ files: AcceptedFiles, _ saved: inout State) -> [PrefsDiagnostic] {
        if files.layers == saved.files.layers, !saved.isFailing {
            // The saved files share their bytes with the active files now, so the bytes are in memory only once.
            saved.files.layers = files.layers
            return []
        }
        do throws(PrefsError) {
            try files.save(in: folder)
            defer { (saved.files, saved.isFailing) = (files, false) }
            let recovery = PrefsError(
                .unwritable, origin: PrefsOrigin(file: folder),
                reason: "the accepted settings are saved again")
            return saved.isFailing ? [PrefsDiagnostic(.recovered, recovery)] : []
        } catch {
            defer { saved.isFailing = true }
            return saved.isFailing ? [] : [PrefsDiagnostic(.warning, error)]
        }
    }
}
