import PrefsFiles
public import PrefsDocuments
import PrefsSystem

/// The system's files as one layer.
///
/// Each place has a main file, drop-ins, and a locks file. The places are ordered from the least to the most
/// important. Every file keeps its own origin.
///
/// Each file may be a property list, JSON, TOML or YAML, whatever the extension of its place's path. For
/// example, `myd.json` or `myd.toml` may exist instead of `myd.plist`, but not beside it. The folder
/// `myd.toml.d` may exist instead of `myd.plist.d`. Locks do not depend on the format of the main file. A new
/// file has the format of the place's path. Beside a folder with drop-ins, it has the format in the folder's
/// name.
///
/// Writes go to the main file of the most important place that is not volatile.
///
/// The places may instead be combined according to the Configuration Files Specification (UAPI.6); see
/// ``PrefsFileLocations/followsUAPI6``. Writes then go to that main file only if it is a regular file,
/// because a new main file would hide the vendor's. Otherwise, writes go to the drop-in `90-local` beside it.
/// A write throws if this drop-in is new and would hide a drop-in of the same name in a less important place.
public final class SystemPrefsStorage: PathWritablePrefsStorage, Reloadable {
    fileprivate struct Place {
        let isVolatile: Bool
        /// 0 for a place whose locks count, 1 for a place that these locks bind.
        let height: Int
        /// The paths that the main file may have, the preferred one first.
        let mainPaths: [String]
        /// The main file; `nil` if one storage reads the main files of all places.
        let main: FilePrefsStorage?
        let dropIns: DropInFolder
        let locks: LocksFile?
        /// The name of the drop-in that this program writes.
        let localName: FileName
    }

    private let locations: [Place]
    /// The main file of the most important place that has one. It replaces the other main files. `nil` if
    /// each place has its own storage.
    private let onlyMain: FilePrefsStorage?
    /// The path of the file that replaces all main files; `nil` if none is named.
    private let namedMain: String?
    private let systemLocations: [PrefsFileLocations.System]
    let options: FilePrefsStorage.Options
    private let changes: PrefsChangeSource
    private let composed = Lock(Composition())

    /// The destination of problem reports that the options name.
    public let diagnostics: PrefsDiagnosticHandler

    /// Creates a storage of the system's files.
    ///
    /// - Parameters:
    ///   - locations: The locations, from the least to the most important. Relative paths are resolved
    ///     against the working directory at the time of the call.
    ///   - followsUAPI6: Whether the places are combined as ``PrefsFileLocations/followsUAPI6`` describes.
    ///   - options: The options of each file. If `creationMode` has its default value, new files are readable
    ///     by all users (0644), except a file that a stack creates to store a secret.
    public convenience init(
        locations: [PrefsFileLocations.System], followsUAPI6: Bool = false,
        options: FilePrefsStorage.Options = FilePrefsStorage.Options()
    ) {
        self.init(locations, followsUAPI6: followsUAPI6, namedMain: nil, options)
    }

    /// Creates a storage of the files of a program's locations.
    convenience init(_ locations: PrefsFileLocations, options: FilePrefsStorage.Options) {
        self.init(
            locations.system, followsUAPI6: locations.followsUAPI6, namedMain: locations.namedMain, options)
    }

    /// - Parameter namedMain: The file that replaces all main files, if the places are combined according to
    ///   UAPI.6.
    private init(
        _ locations: [PrefsFileLocations.System], followsUAPI6: Bool, namedMain: String?,
        _ options: FilePrefsStorage.Options
    ) {
        let changes = PrefsChangeSource(isExact: true, coalescing: options.coalescing)
        self.changes = changes
        self.options = options
        let locations = locations.map { $0.absolute(options.diagnostics) }
        systemLocations = locations
        diagnostics = options.diagnostics
        var fileOptions = options
        fileOptions.acceptsOtherFormats = true
        fileOptions.acceptsMasks = followsUAPI6
        fileOptions.isOfSystem = true
        // All users may read the system's settings, unless the program specifies another mode.
        if fileOptions.writing.creationMode == PrefsFileWriteOptions().creationMode {
            fileOptions.writing.creationMode = 0o644
        }
        let haveLocks = !followsUAPI6 && locations.contains { $0.honorsLocksFile }
        // By height, because files in folders from the environment must not hide files in fixed folders.
        var lower: [Int: DropInFolder] = [:]
        self.locations = locations.map { [fileOptions] place in
            let height = haveLocks && !place.honorsLocksFile ? 1 : 0
            let paths = fileOptions.paths(forMain: place.path)
            let mainPaths = place.replacement.map { [$0] } ?? paths
            let folder = DropInFolder(
                anyOf: paths.map { "\($0).d" }, options: fileOptions, changes: changes, lower: lower[height],
                additional: place.additionalDropIns, hidesLower: followsUAPI6)
            lower[height] = folder
            return Place(
                isVolatile: place.isVolatile, height: height, mainPaths: mainPaths,
                main: followsUAPI6
                    ? nil : FilePrefsStorage(anyOf: mainPaths, options: fileOptions, changes: changes),
                dropIns: folder,
                locks: place.honorsLocksFile
                    ? LocksFile(path: Self.locksPath(for: place.path), options: options, changes: changes)
                    : nil,
                localName: Self.localName(beside: paths[0]))
        }
        self.namedMain = namedMain.map(options.diagnostics.absolutePath)
        let mainPaths = self.namedMain.map { [[$0]] } ?? self.locations.reversed().map(\.mainPaths)
        fileOptions.mustExist = namedMain != nil
        onlyMain =
            followsUAPI6 && !mainPaths.isEmpty
            ? FilePrefsStorage(FormatChoice(places: mainPaths), options: fileOptions, startedWith: changes)
            : nil
        // In descending order of importance, so that no problem of a hidden file is reported.
        for place in self.locations.reversed() { place.dropIns.start() }
        changes.announce()
    }

    /// The contents of all files.
    ///
    /// The snapshot is composed only after a file, a folder or a lock has changed, because a stack asks for
    /// it at every commit.
    public var snapshot: PrefsSnapshot {
        // Read both numbers before the files: anything that is published later has a later revision.
        let generation = changes.generation
        let revision = changes.publicationCount
        return composed.withLock { composed in
            if composed.revision != revision { composed = composition(at: revision, after: composed) }
            if composed.snapshot.generation != generation {
                composed.snapshot = composed.snapshot.with { $0.generation = generation }
            }
            return composed.snapshot
        }
    }

    /// The source of notifications about changes of any file.
    public var changeSource: PrefsChangeSource? { changes }

    /// A Boolean value that indicates whether this program may write to one of the places.
    ///
    /// It is true if there is a place that is not volatile, and ``FilePrefsStorage/Options/isWritable`` is
    /// true.
    public var isWritable: Bool { writtenPlace != nil && options.isWritable }

    /// A Boolean value that indicates whether there is a place that is not volatile.
    public var isPersistent: Bool { writtenPlace != nil }

    /// Sets a key's value, or removes the key if the value is `nil`, in the file that writes go to.
    ///
    /// - Throws: ``PrefsError``.
    @discardableResult
    public func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        try writeTarget(forKey: key).checkWritable(key)
        try setValue(value, at: PrefsPath(key))
        return .effective
    }

    func prepare(_ edits: PathEdits) throws -> any PreparedEdits {
        try writeTarget(forKey: nil).prepare(edits)
    }

    /// The most important place that is not volatile.
    private var writtenPlace: Place? { locations.last { !$0.isVolatile } }

    /// Returns the file to write, in the most important place that is not volatile. This is the main file of the
    /// place. With UAPI.6, it is the local drop-in if the main file is not a regular file, because a new main file
    /// would hide the others. A main file that a command line names takes the writes in any case.
    func writeTarget(forKey key: String?) throws(PrefsError) -> FilePrefsStorage {
        if let place = writtenPlace {
            if let main = place.main ?? (hasMainFile(place) ? onlyMain : nil) { return main }
            if let dropIn = try place.dropIns.file(writtenAs: place.localName) { return dropIn }
        }
        let file = locations.last?.mainPaths.first
        throw PrefsError(
            .notWritable, key: key, origin: PrefsOrigin(file: file),
            reason: """
                not written because this layer has no file that outlives a restart of the system; have the program add \
                one, such as a file in /etc
                """)
    }

    /// Throws if writes would create a file that hides another one.
    package func checkNewFile() throws(PrefsError) { _ = try writeTarget(forKey: nil) }

    package var writtenFile: String? {
        guard let place = writtenPlace else { return nil }
        guard let onlyMain else { return place.main?.path }
        return hasMainFile(place) ? onlyMain.path : place.dropIns.path(writtenAs: place.localName)
    }

    /// Returns true if writes to a place go to its main file.
    private func hasMainFile(_ place: Place) -> Bool {
        namedMain != nil
            || place.mainPaths.contains { fileStatus(of: $0)?.isRegularFile == true }
    }

    public var _capabilities: _PrefsStorageCapabilities {
        _PrefsStorageCapabilities(storage: self, paths: self, contents: self, isInFiles: true)
    }

    /// Checks every file and folder for changes before it returns.
    public func reload() { refresh(.reload)?() }

    func refresh(_ cause: PrefsChangeCause) -> PrefsNotification? {
        // All files are read before any observer is notified, so that they are announced once.
        var notifications: [PrefsNotification?] = [onlyMain?.refresh(cause)]
        for place in locations {
            notifications.append(place.main?.refresh(cause))
            notifications += place.dropIns.refreshAll(cause)
            notifications.append(place.locks?.refresh(cause))
        }
        let news = notifications.compactMap(\.self)
        return { [changes] in
            for notifyObservers in news { notifyObservers() }
            // Another thread may have read a file and not announced it yet.
            changes.announce()
        }
    }

    /// The state of each file, and of each folder of drop-ins that has a problem.
    public var status: [PrefsSourceStatus] {
        (onlyMain?.status ?? [])
            + locations.flatMap { place in
                (place.main?.status ?? []) + place.dropIns.status
                    + (place.locks.map { [$0.status] } ?? [])
            }
    }

    /// Returns the path of the locks file beside a main file: `com.example.myd.plist` →
    /// `com.example.myd.locks`.
    package static func locksPath(for path: String) -> String {
        (PrefsFileFormat.stem(of: path) ?? path) + ".locks"
    }

    /// The paths of the main files of all places, in all formats.
    var mainPaths: [String] { onlyMain?.mainPaths ?? locations.flatMap(\.mainPaths) }

    /// Reads the same places now, into a storage that reports no problem and does not watch them.
    func reopened() -> SystemPrefsStorage {
        SystemPrefsStorage(
            systemLocations, followsUAPI6: onlyMain != nil, namedMain: namedMain, options.unwatched)
    }
}

extension SystemPrefsStorage {
    /// Returns the name of the drop-in that the program writes, in the format of a main file's path.
    private static func localName(beside path: String) -> FileName {
        let end = PrefsFileFormat.stem(of: path).map { path.utf8.dropFirst($0.utf8.count) }
        return FileName(bytes: Array("90-local".utf8) + Array(end ?? ".plist".utf8[...]))
    }
}

extension FilePrefsStorage.Options {
    /// Returns the paths that a main file may have. A new file is created at the first one. It has the format
    /// of the folder of drop-ins beside it, unless the folder is empty.
    fileprivate func paths(forMain path: String) -> [String] {
        let paths = paths(for: path)
        guard let preferred = paths.first(where: { hasDropIns(in: "\($0).d") }) else { return paths }
        return [preferred] + paths.filter { $0 != preferred }
    }
}

extension SystemPrefsStorage {
    /// A snapshot of all files, and the state that it shows.
    private struct Composition {
        var revision: UInt64?
        var snapshot = PrefsSnapshot()
        /// The contents of the locks files.
        var locks: [LocksFile.Content] = []
    }

    private func composition(
        at revision: UInt64, after previous: Composition
    ) -> Composition {
        let files = files
        let group =
            locations.count > 1 ? PrefsSnapshot.Parts.Group(files) : PrefsSnapshot.Parts.Group(files.parts)
        let locksFiles = locations.compactMap(\.locks)
        let contents = locksFiles.map(\.current)
        let isKnown = contents == previous.locks && contents.allSatisfy { $0.problem == nil }
        let table =
            isKnown
            ? previous.snapshot.state.rules.locks
            : LockTable(zip(locksFiles, contents).flatMap { $0.locks(of: $1, among: group.parts) })
        var rules = PrefsSnapshot.Rules(locks: table, lockHeight: 0)
        for (file, content) in zip(locksFiles, contents) where content.problem != nil {
            let place = PrefsLock.Place(PrefsOrigin(file: file.path))
            rules.unreadableLocks.files.append(UnreadableLocks.File(place: place, height: 0))
        }
        return Composition(
            revision: revision,
            snapshot: PrefsSnapshot(parts: PrefsSnapshot.Parts(groups: [group]), rules: rules),
            locks: contents)
    }

    /// The contents of the main files and drop-ins.
    private var files: SystemFiles {
        var files: [SystemFiles.File] = []
        func add(_ file: FilePrefsStorage, in folder: Int, height: Int, _ name: FileName?, isMask: Bool) {
            let part = PrefsSnapshot.Part(source: file.source.published.value, height: height)
            files.append(SystemFiles.File(part: part, folder: folder, name: name, isMask: isMask))
        }
        if let onlyMain {
            let path = onlyMain.source.published.value.file
            let folder = locations.lastIndex { $0.mainPaths.contains { $0 == path } } ?? locations.count
            add(onlyMain, in: folder, height: 0, nil, isMask: false)
        }
        for (folder, place) in locations.enumerated() {
            if let main = place.main { add(main, in: folder, height: place.height, nil, isMask: false) }
            for file in place.dropIns.files {
                add(file.storage, in: folder, height: place.height, file.name, isMask: file.isMask)
            }
        }
        return SystemFiles(files, followsUAPI6: onlyMain != nil)
    }
}

extension LocksFile {
    /// Returns the locks of the file's contents. If the contents cannot be understood, they also lock every key
    /// that is set in the places whose locks count. A stack adds the keys that its active revisions set there.
    fileprivate func locks(of content: Content, among parts: [PrefsSnapshot.Part]) -> [PrefsLock] {
        let place = PrefsLock.Place(PrefsOrigin(file: path))
        let listed = content.entries.map { PrefsLock(PrefsPath($0.key), at: place, line: $0.line) }
        guard content.problem != nil else { return listed }
        let leaves = parts.filter { $0.height == 0 }.flatMap(\.source.tree.leaves)
        return listed + Set(leaves).map { PrefsLock($0, origin: PrefsOrigin(file: path)) }
    }
}
