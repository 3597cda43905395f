import PrefsFiles
public import PrefsDocuments
import PrefsSystem

/// The system's files as one layer: for each place, from the least to the most important, the main file,
/// its drop-ins, and the keys it locks.
///
/// Every file keeps its own origin. Writes go to the main file of the most important place that is not
/// volatile.
public final class SystemPrefsStorage: PathWritablePrefsStorage {
    private struct Place {
        let isVolatile: Bool
        let main: FilePrefsStorage
        let dropIns: DropInFolder
        let locks: LocksFile?
    }

    private let places: [Place]
    private let changes = PrefsChangeSource(isExact: true)
    private let observations = Lock<[PrefsObservation]>([])
    private let sharedBurst: Lock<FileBurst>

    /// - Parameter places: From the least to the most important.
    public init(
        places: [PrefsPlaces.System], options: FilePrefsStorage.Options = FilePrefsStorage.Options()
    ) {
        let burst = FileBurst(window: options.burst, settles: options.settles)
        sharedBurst = Lock(burst)
        let changes = changes
        var fileOptions = options
        // Everybody reads the system's settings, unless the program says otherwise.
        if fileOptions.writing.creationMode == PrefsFileWriteOptions().creationMode {
            fileOptions.writing.creationMode = 0o644
        }
        let mainOptions = fileOptions
        let onChange: @Sendable () -> Void = { [weak changes] in changes?.advance() }
        let folders = Lock<[DropInFolder]>([])
        let onListing: @Sendable () -> Void = {
            Self.spreadMasks(over: folders.withLock { $0 })
            onChange()
        }
        var masked: Set<String> = []
        // From the most important down, so that what is masked is never opened.
        let places = places.reversed().map { place in
            let folder = DropInFolder(
                path: "\(place.path).d", options: options, burst: burst, hidden: masked, onChange: onListing)
            masked.formUnion(folder.contents.masked)
            return Place(
                isVolatile: place.isVolatile,
                main: FilePrefsStorage(path: place.path, options: mainOptions),
                dropIns: folder,
                locks: place.mayLock
                    ? LocksFile(
                        path: Self.locksPath(for: place.path), options: options, burst: burst,
                        onChange: onChange)
                    : nil)
        }
        self.places = places.reversed()
        folders.withLock { $0 = places.map(\.dropIns) }
        for place in places { place.main.gather(in: burst) }
        let observations = places.map { changes.relay($0.main.changes) }
        self.observations.withLock { $0 = observations }
    }

    /// Tells each folder, the most important first, which names those before it mask.
    private static func spreadMasks(over folders: [DropInFolder]) {
        var masked: Set<String> = []
        for folder in folders {
            folder.hide(masked)
            masked.formUnion(folder.contents.masked)
        }
    }

    public var snapshot: PrefsSnapshot {
        var parts: [PrefsSnapshot.Part] = []
        for place in places.reversed() {
            let dropIns = place.dropIns.contents.files
            parts += dropIns.reversed().flatMap { $0.storage.snapshot.state.parts }
            parts += place.main.snapshot.state.parts
        }
        return PrefsSnapshot(generation: changes.generation, parts: parts, locks: locks(on: parts))
    }

    public var changeSource: PrefsChangeSource? { changes }

    public var isWritable: Bool { target?.isWritable ?? false }

    public var isPersistent: Bool { target != nil }

    public func setPrefsValue(_ value: PrefsValue?, forKey key: String) throws {
        try setPrefsValue(value, at: PrefsPath(key))
    }

    func prepare(_ edits: [PathEdit]) throws -> any PreparedEdits {
        guard let target else {
            let reason = "no place of the system's files keeps what is written"
            throw PrefsError(.notWritable, key: edits.first?.path.name, reason: reason)
        }
        return try target.prepare(edits)
    }

    var writtenFile: String? { target?.path }

    public func recheck() {
        for place in places {
            place.main.recheck()
            place.dropIns.recheck()
            place.locks?.recheck()
        }
    }

    public var status: [PrefsSourceStatus] {
        places.flatMap { place in
            place.main.status + place.dropIns.contents.files.flatMap(\.storage.status)
                + (place.locks.map { [$0.status] } ?? [])
        }
    }

    /// The file of locks beside a main file: `com.example.myd.plist` → `com.example.myd.locks`.
    package static func locksPath(for path: String) -> String {
        let suffix = ".plist"
        return (path.hasSuffix(suffix) ? String(path.dropLast(suffix.count)) : path) + ".locks"
    }

    private var target: FilePrefsStorage? {
        places.last { !$0.isVolatile }?.main
    }

    private func locks(on parts: [PrefsSnapshot.Part]) -> [PrefsLock] {
        places.compactMap(\.locks).flatMap { file -> [PrefsLock] in
            let content = file.current
            let listed = content.entries.map { entry in
                let position = PrefsPosition.line(entry.line, column: nil)
                let origin = PrefsOrigin(file: file.path, position: position, spelling: entry.key)
                return PrefsLock(PrefsPath(entry.key), origin: origin)
            }
            guard content.problem != nil else { return listed }
            // Nobody can tell which keys are meant, so it is every one that this layer sets.
            return listed
                + parts.flatMap(\.source.leaves).map { PrefsLock($0, origin: PrefsOrigin(file: file.path)) }
        }
    }
}

extension SystemPrefsStorage: FileBurstStorage {
    var burst: FileBurst { sharedBurst.withLock { $0 } }

    func gather(in burst: FileBurst) {
        sharedBurst.withLock { $0 = burst }
        for place in places {
            place.main.gather(in: burst)
            place.dropIns.gather(in: burst)
            place.locks?.gather(in: burst)
        }
    }
}
