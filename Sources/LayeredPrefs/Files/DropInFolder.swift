import PrefsDocuments
import PrefsSystem

/// A folder of drop-ins: `<file>.d/*.plist`, `*.json`, `*.toml` or `*.yaml`. Each drop-in is a separate file,
/// and they are sorted in byte order of their names. There may be several folders, named after the formats of
/// the main file, but only one of them may have drop-ins.
///
/// Names that begin with a dot are ignored. A link to `/dev/null` is not a drop-in. It masks the same name,
/// in any format, in less important folders. Drop-ins, and the folder itself, may appear and disappear at any
/// time. A new drop-in counts once it has been read.
///
/// A folder that cannot be listed keeps the drop-ins of its last good listing, because their settings may be
/// policy. This is reported once, and listing is repeated until it succeeds.
final class DropInFolder: Sendable {
    private let paths: [String]
    private let opened: DropInFiles
    private let listing: WatchedSource<DropInListing>

    /// Creates the folder without its files.
    ///
    /// - Parameters:
    ///   - paths: The paths of the folder, the preferred one first. There is at least one.
    ///   - changes: The announcer of the changes of the storage that contains the folder.
    ///   - lower: The next less important folder.
    ///   - additional: The paths of files that are read as if they were in the folder.
    ///   - hidesLower: True if every file, not only a mask, hides the files of the same name in less
    ///     important folders.
    init(
        anyOf paths: [String], options: FilePrefsStorage.Options, changes: PrefsChangeSource,
        lower: DropInFolder?, additional: [String] = [], hidesLower: Bool
    ) {
        let additional = Dictionary(
            additional.map { path in
                (FileName(bytes: Array(path.utf8.split(separator: UInt8(ascii: "/")).last ?? [])), path)
            }, uniquingKeysWith: { $1 })
        self.paths = paths
        opened = DropInFiles(
            in: paths[0], options: options, changes: changes, lower: lower?.opened, additional: additional,
            hidesLower: hidesLower)
        listing = WatchedSource(
            DropInListing(anyOf: paths, options: options, additional: Set(additional.keys), files: opened),
            changes: changes, options: options)
    }

    /// Starts watching and reads the folder. Start the more important folders first: the files that they hide
    /// then report nothing.
    func start() { listing.start(watching: Set(paths)) }

    /// The files that have contents, or that this program writes, in byte order of their names.
    var files: [DropInFiles.DropIn] { opened.readable }

    /// Returns the path for writes under a name.
    func path(writtenAs name: FileName) -> String { opened.path(writtenAs: name) }

    /// Returns the file for writes under a name; `nil` if a more important folder hides it.
    ///
    /// - Throws: ``PrefsError`` if the folder cannot be listed, if several folders have drop-ins, or if the
    ///   file does not exist and would hide a file of the same name in a less important folder.
    func file(writtenAs name: FileName) throws(PrefsError) -> FilePrefsStorage? {
        if let problem = listing.problem { throw problem }
        let path = path(writtenAs: name)
        if let other = opened.path(hiddenBy: name), fileStatus(of: path) == nil {
            throw PrefsError(
                .notWritable, origin: PrefsOrigin(file: other),
                reason:
                    "a new file \(path) would hide this file; copy this file there first, or choose another name"
            )
        }
        return opened.file(writtenAs: name)
    }

    /// The status of the folder, if it cannot be listed or has a name that cannot be read, and of each file.
    var status: [PrefsSourceStatus] {
        let path = listing.withPlace { $0.choice.path }
        let own = listing.status(file: path)
        let problems = [own.problem].compactMap(\.self) + listing.withPlace { $0.unreadableNames }
        return problems.map { problem in
            PrefsSourceStatus(
                file: path, problem: problem, engine: own.engine, engineReason: own.engineReason)
        } + opened.reported.flatMap(\.storage.status)
    }

    /// Lists the folder and reads every file in it again, without notifying observers.
    ///
    /// - Returns: The closures that deliver the notifications.
    func refreshAll(_ cause: PrefsChangeCause) -> [PrefsNotification?] {
        [listing.refresh(cause)] + opened.sorted.map { $0.storage.refresh(cause) }
    }
}

/// The names in a folder of drop-ins, as the place of a source. Its contents are not values.
private struct DropInListing: SourcePlace {
    private(set) var choice: FormatChoice
    private let options: FilePrefsStorage.Options
    /// The names of files that are read as if they were in the folder.
    let additional: Set<FileName>
    /// The files that a listing opens and closes.
    let files: DropInFiles
    /// The names that are not UTF-8. No path can express them.
    private var unreadable: Set<FileName> = []

    init(
        anyOf paths: [String], options: FilePrefsStorage.Options, additional: Set<FileName>,
        files: DropInFiles
    ) {
        choice = FormatChoice(paths, areFolders: true)
        (self.options, self.additional, self.files) = (options, additional, files)
    }

    mutating func read(_ reading: inout SourceReading) throws(PrefsError) -> Bool {
        switch choice.decide(isFinal: reading.cause != .file, at: options.scheduler.now, options.hasDropIns) {
        case .read: try takeOver(&reading)
        case .wait:
            reading.delay = FormatChoice.patience
            return false
        case .conflict(let error):
            // As with several main files: without any drop-ins, the program would run as if there was no policy.
            if reading.isFirst { try takeOver(&reading) }
            throw error
        }
        return true
    }

    private mutating func takeOver(_ reading: inout SourceReading) throws(PrefsError) {
        let names = try list()
        let news = names.unreadable.subtracting(unreadable).sorted()
        unreadable = names.unreadable
        reading.reports = news.map { PrefsDiagnostic(.warning, unreadableName($0)) }
        let changes = files.note(names.readable, in: path)
        reading.completion = { [files, cause = reading.cause] in files.apply(changes, cause) }
    }

    /// True, because the drop-ins of the last good listing stay active.
    var keepsVersion: Bool { true }

    /// The path of the folder in use.
    private var path: String { choice.path }

    /// The problems of the names that no path can express.
    var unreadableNames: [PrefsError] { unreadable.sorted().map(unreadableName) }

    private struct Names {
        var readable: Set<FileName> = []
        var unreadable: Set<FileName> = []
    }

    private func list() throws(PrefsError) -> Names {
        let entries: [FolderEntry]
        do throws(Errno) {
            entries = try folderEntries(in: path).filter { options.isDropIn($0.name) }
        } catch {
            throw PrefsError(
                .unreadable, origin: PrefsOrigin(file: path), errno: error.code,
                reason: "cannot list the folder: \(error.text)")
        }
        let all = Set(entries.map(\.name)).union(additional)
        let unreadable = all.filter { $0.text == nil }
        return Names(readable: all.subtracting(unreadable), unreadable: unreadable)
    }

    private func unreadableName(_ name: FileName) -> PrefsError {
        PrefsError(
            .unsupported, origin: PrefsOrigin(file: path),
            reason: "the name of the drop-in “\(name.description)” is not UTF-8, so it is not read; rename it"
        )
    }
}

extension FilePrefsStorage.Options {
    /// Returns true if a folder has drop-ins, or may have some because it cannot be listed. An empty folder
    /// counts as absent. Packages create empty folders for administrators, whose drop-ins may be in a folder
    /// that is named after another format.
    package func hasDropIns(in folder: String) -> Bool {
        guard let entries = try? folderEntries(in: folder) else { return true }
        return entries.contains { isDropIn($0.name) }
    }

    fileprivate func isDropIn(_ name: FileName) -> Bool {
        rank(of: name) != nil && name.bytes.first != UInt8(ascii: ".")
    }

    /// Returns the position of a drop-in's extension in the order of preference; `nil` for a file that is not
    /// a drop-in.
    func rank(of name: FileName) -> Int? {
        let extensions = format == nil ? PrefsFileFormat.extensions : ["plist"]
        return extensions.firstIndex { name.bytes.suffix($0.utf8.count + 1).elementsEqual(".\($0)".utf8) }
    }
}
