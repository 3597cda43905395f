import FoundationEssentials
import PrefsDocuments
import PrefsSystem

/// Saves the settings that are in force whenever they change.
final class StartKeeper: Sendable {
    private let storage: LayeredPrefsStorage
    private let folder: String
    private let contents: StartContents
    /// The saved files, and true if the last attempt to save them failed.
    private let saved: Lock<(files: AcceptedFiles, isFailing: Bool)>

    /// Returns `nil` if nothing is to be saved.
    init?(_ contents: StartContents, _ storage: LayeredPrefsStorage) {
        guard let folder = contents.folder else { return nil }
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
        saved = Lock((files, false))
    }

    /// Starts the layers that have problems with what was saved; returns false if nothing was saved of these layers, or if
    /// the program cannot start with that either.
    func start(
        because problems: [PrefsError], if isRight: (PrefsSnapshot, _ layers: Set<String>) -> Bool
    ) -> Bool {
        let files = saved.withLock { $0.files }
        let layers = storage.start(with: files, because: problems, if: isRight)
        for layer in layers.sorted() {
            let time = Date(timeIntervalSince1970: TimeInterval(files.layers[layer]?.time ?? 0))
            let age = Duration.seconds(max(0, Int64(Date.now.timeIntervalSince(time))))
            storage.diagnostics.report(
                .warning,
                PrefsError(
                    .broken, origin: PrefsOrigin(layer: layer),
                    reason: """
                        started with the settings that were accepted last, at \(time.formatted(.iso8601)) \
                        (\(age.prefsText ?? "0s") ago); correct the files
                        """))
        }
        return !layers.isEmpty
    }

    /// Starts the layers of another stack that have problems with what would be saved now; returns false if nothing would
    /// be saved of these layers, or if the program could not start with that either.
    func restart(
        _ stack: LayeredPrefsStorage, because problems: [PrefsError],
        if isRight: (PrefsSnapshot, _ layers: Set<String>) -> Bool
    ) -> Bool {
        let files = files(in: storage.snapshot, after: AcceptedFiles())
        return !stack.start(with: files, because: problems, if: isRight).isEmpty
    }

    private func files(in snapshot: PrefsSnapshot, after known: AcceptedFiles) -> AcceptedFiles {
        storage.acceptedFiles(in: snapshot, hidingSecrets: !contents.includesSecrets, after: known)
    }

    /// Saves what the program has started with: at once if nothing has been saved before, otherwise when it has run for a
    /// while or something else is accepted.
    func noteStart() {
        if saved.withLock({ $0.files.layers.isEmpty }) { return save(storage.snapshot) }
        storage.loop.run(after: contents.probation) { [weak self] in
            guard let self else { return }
            save(storage.snapshot)
        }
    }

    /// Saves what is in force, unless that is saved already.
    func save(_ snapshot: PrefsSnapshot) {
        let failure = saved.withLock { saved -> PrefsDiagnostic? in
            let files = files(in: snapshot, after: saved.files)
            if files == saved.files, !saved.isFailing { return nil }
            do throws(PrefsError) {
                try files.save(in: folder)
                defer { saved = (files, false) }
                return saved.isFailing
                    ? PrefsDiagnostic(
                        .recovered,
                        PrefsError(
                            .unwritable, origin: PrefsOrigin(file: folder),
                            reason: "the accepted settings could be saved again")) : nil
            } catch {
                defer { saved.isFailing = true }
                return saved.isFailing ? nil : PrefsDiagnostic(.warning, error)
            }
        }
        if let failure { storage.diagnostics.report(failure.severity, failure.error) }
    }
}
