import FileWatching

import PrefsSystem

/// A folder of drop-ins, `<file>.d/*.plist`, each a separate file, in byte order of their names.
///
/// Names that begin with a dot are ignored. A link to `/dev/null` is not a drop-in; it masks the same name in
/// less important folders. Drop-ins, and the folder itself, may appear and disappear at any time.
final class DropInFolder: Sendable, Reloadable {
    struct Listing {
        var files: [String: FilePrefsStorage] = [:]
        var masked: Set<String> = []
        var observations: [String: PrefsObservation] = [:]
    }

    private let path: String
    private let options: FilePrefsStorage.Options
    private let onChange: @Sendable () -> Void
    /// Names that a more important folder masks; these files are not even opened.
    private let hidden: Lock<Set<String>>
    private let listing = Lock(Listing())
    private let watch = Lock<FileWatch?>(nil)
    private let changes: PrefsChangeSource

    /// - Parameters:
    ///   - changes: The change source of the storage that contains the folder, whose queue reads its files.
    ///   - hidden: The names that a more important folder masks.
    ///   - onChange: Called when a drop-in has appeared, changed or disappeared.
    init(
        path: String, options: FilePrefsStorage.Options, changes: PrefsChangeSource, hidden: Set<String> = [],
        onChange: @escaping @Sendable () -> Void
    ) {
        self.changes = changes
        self.hidden = Lock(hidden)
        self.path = path
        self.options = options
        self.onChange = onChange
        let watch = options.watcher.watch(
            path, onEvent: { [weak self] _ in self?.note() },
            onRoundEnd: { [weak self] in self?.changes.runReloadsOnWatcher() })
        self.watch.withLock { $0 = watch }
        _ = list()
    }

    /// The files in byte order of their names, and the names that this folder masks.
    var contents: (files: [(name: String, storage: FilePrefsStorage)], masked: Set<String>) {
        listing.withLock { listing in
            var sorted = listing.files.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            if Mutant.isActive(.dropInsReversed) { sorted.reverse() }
            return (sorted.map { ($0.key, $0.value) }, listing.masked)
        }
    }

    /// Lists the folder again and re-reads every file in it.
    func reload() {
        refresh(.reload)?()
        for file in contents.files { file.storage.reload() }
    }

    private func note() { changes.reloads?.note(self, .file) }

    func refresh(_ cause: PrefsChangeCause) -> (@Sendable () -> Void)? { list() ? onChange : nil }

    /// Drops the names that more important folders now mask, and adds those that they no longer mask.
    func hide(_ names: Set<String>) {
        let didChange = hidden.withLock { hidden in
            defer { hidden = names }
            return hidden != names
        }
        if didChange { _ = list() }
    }

    /// Lists the folder again; returns true if the set of files or of masks changed.
    private func list() -> Bool {
        let names = Self.names(in: path)
        let masked = names.filter { Self.isMask("\(path)/\($0)") }
        let hidden = Mutant.isActive(.masksIgnored) ? [] : self.hidden.withLock { $0 }
        let present = names.subtracting(masked).subtracting(hidden)
        let (missing, gone, changedMasks) = listing.withLock { listing in
            let names = listing.files.keys.filter { !present.contains($0) }
            let gone = names.compactMap { listing.files.removeValue(forKey: $0) }
            for name in names { listing.observations.removeValue(forKey: name)?.cancel() }
            defer { listing.masked = masked }
            return (present.subtracting(listing.files.keys), gone, listing.masked != masked)
        }
        for storage in gone { storage.retire() }
        for name in missing { add(name) }
        return !missing.isEmpty || !gone.isEmpty || changedMasks
    }

    private func add(_ name: String) {
        let storage = FilePrefsStorage(path: "\(path)/\(name)", options: options)
        storage.changes.join(changes)
        let observation = storage.changeSource?.observe { [weak self] in self?.onChange() }
        listing.withLock { listing in
            guard listing.files[name] == nil else { return }
            listing.files[name] = storage
            listing.observations[name] = observation
        }
    }

    private static func names(in path: String) -> Set<String> {
        Set(
            entryNames(in: path).filter {
                $0.hasSuffix(".plist") && (!$0.hasPrefix(".") || Mutant.isActive(.hiddenDropInsRead))
            })
    }

    private static func isMask(_ path: String) -> Bool {
        (try? linkTarget(of: RawPath(path))) == "/dev/null"
    }
}
