import PrefsSystem
import FoundationEssentials
import Glibc
import LayeredPrefs

/// The files of a history, in a temporary folder of its own: in memory where the system has such a folder, so
/// that a batch waits for no disk.
final class EngineFiles: Sendable {
    let root: String
    /// The lines of each property list as it was when it could last be read.
    private let lines = Lock<[String: [Substring]]>([:])

    /// - Throws: When no folder can be made.
    init() throws {
        let parent = unsafe access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(parent)/prefs-model-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw EngineFault("no temporary folder") }
        root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    /// The layer's directories as the engine is told of them: of those that keep what is written, the one
    /// that takes the writes is the topmost.
    func places(of layer: ModelLayer) -> [PrefsPlaces.System] {
        let target = layer.directories.firstIndex { $0.name == layer.writeDirectory } ?? 0
        return layer.directories.enumerated().map { index, directory in
            let place = ModelPlace(layer: layer.name, directory: directory.name)
            return PrefsPlaces.System(
                path: path(of: place), mayLock: directory.trustsLocks, isVolatile: index > target)
        }
    }

    /// Does to the files what an operation says; those of the program itself do nothing to them.
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

    /// Takes down what writes of the engine made of its files.
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
        lines.withLock { $0[path] = text.split(separator: "\n", omittingEmptySubsequences: false) }
    }

    /// How the line that an origin names spells the key; `nil` if it does not.
    func spelling(of origin: PrefsOrigin) -> ModelSpelling? {
        // Literal keys alone make up a dictionary that stands nowhere.
        guard let file = origin.file, let position = origin.position, let name = origin.spelling else {
            return .literal
        }
        let lines = lines.withLock { $0[file] ?? [] }
        guard case .line(let number, _) = position, lines.indices.contains(number - 1) else { return nil }
        let line = lines[number - 1]
        let path = ModelPath(name)
        if path.components.count > 1, line.contains("<key>\(name)</key>") { return .literal }
        return line.contains("<key>\(path.components.last ?? "")</key>") ? .nested : nil
    }

    /// Writes beside and renames, which replaces a link rather than what it leads to.
    private func put(_ bytes: [UInt8], at path: String) throws {
        try makeFolder(of: path)
        if isFolder(path) { try remove(path) }
        try Data(bytes).write(to: URL(filePath: path + "~"))
        guard unsafe rename(path + "~", path) == 0 else { throw EngineFault("cannot rename over \(path)") }
    }

    /// Makes a file one that cannot be read: by its first version no text that anybody could parse, by its
    /// second no file.
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

    /// The place that a path stands for, the one beside it for a file of locks; `nil` for any other path.
    func place(at path: String) -> (place: ModelPlace, isLocks: Bool)? {
        guard path.hasPrefix(root + "/") else { return nil }
        let parts = path.dropFirst(root.count + 1).split(separator: "/").map(String.init)
        guard parts.count >= 3 else { return nil }
        var place = ModelPlace(layer: parts[0], directory: parts[1])
        if parts.count == 4 { place.file = parts[3] }
        return (place, parts[2] == Self.locks)
    }

    /// The model's name of the source that an origin names: `etc/main`, `etc/10-a.plist`, `held`.
    func source(of origin: PrefsOrigin) -> String {
        guard let place = origin.file.flatMap({ place(at: $0)?.place }) else { return "held" }
        return "\(place.directory)/\(place.file)"
    }
}

/// Why a history could not be played, or what the engine said that contradicts itself.
struct EngineFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
