import PrefsSystem
import FoundationEssentials
import Glibc
import LayeredPrefs

/// The files of a trace, in a temporary folder. The folder is in memory if the system has `/dev/shm`, so that
/// a batch does not wait for a disk.
final class EngineFiles: Sendable {
    let root: String
    /// The lines of every revision of each property list, the newest revision last.
    private let lines = Lock<[String: [[Substring]]]>([:])

    /// - Throws: An error if no folder can be created.
    init() throws {
        let parent = unsafe access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(parent)/prefs-model-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw EngineFault("no temporary folder") }
        root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    /// Returns the layer's directories in the form that the engine expects. Directories above the write
    /// directory are volatile, because the engine writes to the topmost persistent one.
    func locations(of layer: ModelLayer) -> [PrefsFileLocations.System] {
        let target = layer.directories.firstIndex { $0.name == layer.writeDirectory } ?? 0
        return layer.directories.enumerated().map { index, directory in
            let place = ModelPlace(layer: layer.name, directory: directory.name)
            return PrefsFileLocations.System(
                path: path(of: place), honorsLocksFile: directory.trustsLocks, isVolatile: index > target)
        }
    }

    /// Performs an operation's edit of the files. Does nothing for calls by the program.
    func edit(_ operation: ModelOperation) throws {
        switch operation {
        case .writeFile(let place, let contents): try put(contents, at: path(of: place))
        case .breakFile(let place, let version): try spoil(path(of: place), version)
        case .deleteFile(let place): try remove(path(of: place))
        case .touchFile(let place): unsafe utimensat(AT_FDCWD, path(of: place), nil, AT_SYMLINK_NOFOLLOW)
        case .maskDropIn(let place): try link(path(of: place), to: "/dev/null")
        case .writeLocks(let place, let lines):
            try put(Array(lines.joined(separator: "\n").utf8), at: locks(of: place))
        case .breakLocks(let place, let version): try spoil(locks(of: place), version)
        case .deleteLocks(let place): try remove(locks(of: place))
        default: break
        }
    }

    private func put(_ contents: [String: ModelValue], at path: String) throws {
        let content = contents.mapValues(\.prefsValue)
        let bytes = try PrefsFileFormat.xmlPropertyList.serialize(content)
        try put(bytes, at: path)
        note(bytes, at: path)
    }

    /// Records the contents of the files that the engine writes to.
    func noteWrites(to layers: [ModelLayer]) {
        for layer in layers {
            guard let directory = layer.writeDirectory else { continue }
            let path = path(of: ModelPlace(layer: layer.name, directory: directory))
            if let bytes = FileManager.default.contents(atPath: path) { note(Array(bytes), at: path) }
        }
    }

    private func note(_ bytes: [UInt8], at path: String) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.contains("</plist>") else { return }
        lines.withLock {
            $0[path, default: []].append(text.split(separator: "\n", omittingEmptySubsequences: false))
        }
    }

    /// Returns how the line that an origin names spells the key; `nil` if the line does not contain the key.
    func spelling(of origin: PrefsOrigin) -> ModelSpelling? {
        // A dictionary that consists only of literal keys has no line of its own in the file.
        guard let file = origin.file, let position = origin.position, let name = origin.spelling else {
            return .literal
        }
        guard case .line(let number, _) = position else { return nil }
        // The active revision need not be the newest one.
        let versions = lines.withLock { $0[file] ?? [] }
        return versions.reversed().lazy.compactMap { self.spelling(of: name, in: $0, number) }.first
    }

    private func spelling(of name: String, in lines: [Substring], _ number: Int) -> ModelSpelling? {
        guard lines.indices.contains(number - 1) else { return nil }
        let (line, path) = (lines[number - 1], ModelPath(name))
        if path.components.count > 1, line.contains("<key>\(name)</key>") { return .literal }
        return line.contains("<key>\(path.components.last ?? "")</key>") ? .nested : nil
    }

    /// Writes a temporary file and renames it, which replaces a symbolic link instead of its target.
    private func put(_ bytes: [UInt8], at path: String) throws {
        try makeFolder(of: path)
        if isFolder(path) { try remove(path) }
        try Data(bytes).write(to: URL(filePath: path + "~"))
        guard unsafe rename(path + "~", path) == 0 else { throw EngineFault("cannot rename over \(path)") }
    }

    /// Makes a file unreadable. Version 1 does not parse; version 2 is a directory.
    private func spoil(_ path: String, _ version: Int) throws {
        if version == 1 { return try put(Array("<plist><dict>".utf8) + [0xFF, 0xFE], at: path) }
        if isFolder(path) { return }
        try remove(path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    private func link(_ path: String, to target: String) throws {
        try makeFolder(of: path)
        try remove(path)
        guard unsafe symlink(target, path) == 0 else { throw EngineFault("cannot make the link \(path)") }
    }

    private func remove(_ path: String) throws {
        guard unsafe unlink(path) == 0 || rmdir(path) == 0 || errno == ENOENT || errno == ENOTDIR else {
            throw EngineFault("cannot remove \(path)")
        }
    }

    private func makeFolder(of path: String) throws {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        guard unsafe access(folder, F_OK) != 0 else { return }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

extension EngineFiles {
    private static let main = "com.example.myd.plist"
    private static let locks = "com.example.myd.locks"

    private func folder(of place: ModelPlace) -> String { "\(root)/\(place.layer)/\(place.directory)" }

    private func path(of place: ModelPlace) -> String {
        let main = "\(folder(of: place))/\(Self.main)"
        return place.file == ModelPlace.mainFile ? main : "\(main).d/\(place.file)"
    }

    private func locks(of place: ModelPlace) -> String { "\(folder(of: place))/\(Self.locks)" }

    /// Returns the place of the file at a path; for a locks file, the main file beside it. `nil` for any
    /// other path.
    func place(at path: String) -> (place: ModelPlace, isLocks: Bool)? {
        guard path.hasPrefix(root + "/") else { return nil }
        let parts = path.dropFirst(root.count + 1).split(separator: "/").map(String.init)
        guard parts.count >= 3 else { return nil }
        var place = ModelPlace(layer: parts[0], directory: parts[1])
        if parts.count == 4 { place.file = parts[3] }
        return (place, parts[2] == Self.locks)
    }

    /// Returns the model's name for an origin's source: `etc/main`, `etc/10-a.plist`, `held`.
    func source(of origin: PrefsOrigin) -> String {
        guard let place = origin.file.flatMap({ place(at: $0)?.place }) else { return "held" }
        return "\(place.directory)/\(place.file)"
    }
}

/// The reason why a trace could not run, or a contradiction in the engine's reports.
struct EngineFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
