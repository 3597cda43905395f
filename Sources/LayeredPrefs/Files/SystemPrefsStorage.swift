import PrefsFiles
public import PrefsDocuments
import PrefsSystem

/// The system's files as one layer: for each place, from the least to the most important, the main file, its
/// drop-ins, and its locks file.
///
/// Every file keeps its own origin. Writes go to the main file of the most important place that is not
/// volatile.
public final class SystemPrefsStorage: PathWritablePrefsStorage {
    private struct Place {
        let isVolatile: Bool
        /// 0 for a place whose locks count, 1 for one against which those locks hold.
        let height: Int
        let main: FilePrefsStorage
        let dropIns: DropInFolder
        let locks: LocksFile?
    }

    private let locations: [Place]
    private let changes: PrefsChangeSource
    private let observations = Lock<[PrefsObservation]>([])

    /// The receiver of problem reports that the options name.
    public let diagnostics: PrefsDiagnostics

    /// Creates a storage of the system's files.
    ///
    /// - Parameters:
    ///   - locations: The locations, from the least to the most important.
    ///   - options: The options of each file. Unless `creationMode` is changed from its default, new files
    ///     are readable by all users (0644).
    public init(
        locations: [PrefsFileLocations.System], options: FilePrefsStorage.Options = FilePrefsStorage.Options()
    ) {
        let changes = PrefsChangeSource(isExact: true, coalescing: options.coalescing)
        self.changes = changes
        diagnostics = options.diagnostics
        var fileOptions = options
        // All users may read the system's settings, unless the program specifies another mode.
        if fileOptions.writing.creationMode == PrefsFileWriteOptions().creationMode {
            fileOptions.writing.creationMode = 0o644
        }
        let mainOptions = fileOptions
        let onChange: @Sendable () -> Void = { [weak changes] in changes?.advance() }
        let folders = Lock<[DropInFolder]>([])
        let onListing: @Sendable () -> Void = {
            Self.propagateMasks(over: folders.withLock { $0 })
            onChange()
        }
        var masked: Set<String> = []
        let haveLocks = locations.contains { $0.honorsLocksFile }
        // In descending order of importance, so that masked files are never opened.
        let locations = locations.reversed().map { place in
            let folder = DropInFolder(
                path: "\(place.path).d", options: options, changes: changes, hidden: masked,
                onChange: onListing)
            masked.formUnion(folder.contents.masked)
            return Place(
                isVolatile: place.isVolatile, height: haveLocks && !place.honorsLocksFile ? 1 : 0,
                main: FilePrefsStorage(path: place.path, options: mainOptions),
                dropIns: folder,
                locks: place.honorsLocksFile
                    ? LocksFile(
                        path: Self.locksPath(for: place.path), options: options, changes: changes,
                        onChange: onChange)
                    : nil)
        }
        self.locations = locations.reversed()
        folders.withLock { $0 = locations.map(\.dropIns) }
        for place in locations { place.main.changes.join(changes) }
        let observations = locations.map { changes.relay($0.main.changes) }
        self.observations.withLock { $0 = observations }
    }

    /// Passes to each folder, the most important first, the names that the folders before it mask.
    private static func propagateMasks(over folders: [DropInFolder]) {
        var masked: Set<String> = []
        for folder in folders {
            folder.hide(masked)
            masked.formUnion(folder.contents.masked)
        }
    }

    /// The contents of all files.
    public var snapshot: PrefsSnapshot {
        var parts: [PrefsSnapshot.Part] = []
        for place in locations.reversed() {
            let storages = place.dropIns.contents.files.map(\.storage).reversed() + [place.main]
            parts += storages.flatMap { $0.snapshot.state.parts }.map { part in
                PrefsSnapshot.Part(source: part.source, height: place.height)
            }
        }
        let rules = PrefsSnapshot.Rules(locks: LockTable(locks(on: parts)), lockHeight: 0)
        return PrefsSnapshot(generation: changes.generation, parts: parts, rules: rules)
    }

    /// Announces changes of any file.
    public var changeSource: PrefsChangeSource? { changes }

    /// True if the file that writes go to is writable.
    public var isWritable: Bool { target?.isWritable ?? false }

    /// True if there is a place that is not volatile.
    public var isPersistent: Bool { target != nil }

    /// Sets or, with `nil`, removes a key's value in the file that writes go to.
    ///
    /// - Throws: ``PrefsError``.
    @discardableResult
    public func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        try setValue(value, at: PrefsPath(key))
        return .effective
    }

    func prepare(_ edits: [PathEdit]) throws -> any PreparedEdits {
        guard let target else {
            let reason = "no persistent system location is writable"
            throw PrefsError(.notWritable, key: edits.first?.path.name, reason: reason)
        }
        return try target.prepare(edits)
    }

    var writtenFile: String? { target?.path }

    /// Checks every file and folder for changes before returning.
    public func reload() {
        for place in locations {
            place.main.reload()
            place.dropIns.reload()
            place.locks?.reload()
        }
    }

    /// The state of each file.
    public var status: [PrefsSourceStatus] {
        locations.flatMap { place in
            place.main.status + place.dropIns.contents.files.flatMap(\.storage.status)
                + (place.locks.map { [$0.status] } ?? [])
        }
    }

    /// Returns the path of the locks file beside a main file: `com.example.myd.plist` →
    /// `com.example.myd.locks`.
    package static func locksPath(for path: String) -> String {
        let suffix = ".plist"
        return (path.hasSuffix(suffix) ? String(path.dropLast(suffix.count)) : path) + ".locks"
    }

    private var target: FilePrefsStorage? {
        locations.last { !$0.isVolatile }?.main
    }

    private func locks(on parts: [PrefsSnapshot.Part]) -> [PrefsLock] {
        locations.compactMap(\.locks).flatMap { file -> [PrefsLock] in
            let content = file.current
            let listed = content.entries.map { entry in
                let position = PrefsPosition.line(entry.line, column: nil)
                let origin = PrefsOrigin(file: file.path, position: position, spelling: entry.key)
                return PrefsLock(PrefsPath(entry.key), origin: origin)
            }
            guard content.problem != nil else { return listed }
            // The locked keys are unknown, so lock every key that the places whose locks count set.
            return listed
                + parts.filter { $0.height == 0 }.flatMap(\.source.tree.leaves).map {
                    PrefsLock($0, origin: PrefsOrigin(file: file.path))
                }
        }
    }
}
