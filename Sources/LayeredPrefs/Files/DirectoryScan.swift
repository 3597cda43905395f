import FileWatching
import PrefsDocuments
import PrefsFiles
import PrefsSystem

/// One reading of a directory whose files are values.
struct DirectoryScan: Sendable {
    /// The files by name.
    private(set) var files: [String: TextFile] = [:]
    /// The reason why the directory, or a part of it, could not be read.
    private(set) var problem: PrefsError?

    /// Creates a directory with some files that were read before.
    init(_ files: [String: TextFile] = [:]) { self.files = files }

    /// Reads a directory, and rereads each of its files that may have changed.
    ///
    /// Kubernetes swaps all files at once through the link `..data`. If the link leads elsewhere afterwards, the
    /// directory is read again, so that the result is never a mixture of two versions. If the link changes all
    /// the time, or a file is being written, the files that were read before stay, because an event follows.
    ///
    /// - Parameter mayUse: See ``TextFile/read(_:after:_:mayUse:)``.
    init(
        of path: String, keeping old: DirectoryScan, fileCount: Int, _ limits: TextFile.Limits,
        mayUse: (FileSignature?, String) -> Bool = { _, _ in true }
    ) {
        for _ in 0..<8 {
            var isWhole = true
            let version = try? linkTarget(of: RawPath("\(path)/..data"))
            read(path, old.files, fileCount, limits) { signature, path in
                let mayUse = mayUse(signature, path)
                if !mayUse { isWhole = false }
                return mayUse
            }
            guard let version else { return }
            if !isWhole { break }
            if (try? linkTarget(of: RawPath("\(path)/..data"))) == version { return }
        }
        if !old.files.isEmpty { self = old }
    }

    private mutating func read(
        _ path: String, _ old: [String: TextFile], _ fileCount: Int, _ limits: TextFile.Limits,
        _ mayUse: (FileSignature?, String) -> Bool
    ) {
        (files, problem) = ([:], nil)
        var names: [FileName]
        do throws(Errno) {
            names = try folderEntries(in: path).map(\.name).filter { $0.bytes.first != UInt8(ascii: ".") }
                .sorted()
        } catch {
            files = old
            problem = PrefsError(
                .unreadable, origin: PrefsOrigin(file: path), errno: error.code,
                reason: "cannot list the folder: \(error.text); keeping the previous version of its files")
            return
        }
        if names.count > fileCount {
            problem = PrefsError(
                .tooLarge, origin: PrefsOrigin(file: path),
                reason: "expected at most \(fileCount) files, found \(names.count); the others are not read")
            names.removeLast(names.count - fileCount)
        }
        for entry in names {
            guard let name = entry.text else {
                problem = PrefsError(
                    .unsupported, origin: PrefsOrigin(file: path),
                    reason: """
                        the name of the file “\(entry.description)” is not UTF-8, so it is not read; rename it
                        """)
                continue
            }
            let file = "\(path)/\(name)"
            let read = TextFile.read(file, after: old[name], limits, mayUse: mayUse)
            if read?.problem?.code == .notARegularFile, read?.text == nil, Self.isFolder(file) { continue }
            files[name] = read
        }
        for (name, file) in old where files[name] == nil && file.text != nil {
            // The file counts as gone once its own watch has found that out.
            if !mayUse(FileSignature(path: "\(path)/\(name)"), "\(path)/\(name)") { files[name] = file }
        }
    }

    /// A folder is not a value, unless it has taken the place of a file.
    private static func isFolder(_ path: String) -> Bool {
        fileStatus(of: path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    }
}

extension DirectoryScan {
    /// Returns the candidates that differ from an earlier reading; `nil` for a key that is gone.
    func changes(from old: [String: TextFile], in path: String) -> [String: PrefsCandidate?] {
        var changes: [String: PrefsCandidate?] = [:]
        for name in Set(old.keys).union(files.keys)
        where !(old[name]?.text).hasSameBytes(as: files[name]?.text) {
            let candidate = files[name]?.text.map {
                PrefsCandidate(
                    .string($0), isText: true, origin: PrefsOrigin(file: "\(path)/\(name)", spelling: name))
            }
            changes.updateValue(candidate, forKey: name)
        }
        return changes
    }

    /// Returns the problems of files that an earlier reading did not have, and the recoveries from its problems.
    func reports(after old: DirectoryScan) -> [PrefsDiagnostic] {
        Set(old.files.keys).union(files.keys).sorted().compactMap { name in
            PrefsDiagnostic(from: old.files[name]?.problem, to: files[name]?.problem)
        }
    }
}
