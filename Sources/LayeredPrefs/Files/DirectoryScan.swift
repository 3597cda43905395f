import PrefsDocuments
import PrefsFiles
import PrefsSystem

/// One reading of a directory whose files are values.
struct DirectoryScan: Sendable {
    /// The files by name.
    private(set) var files: [String: TextFile] = [:]
    /// The reason why the directory could not be read, or not all of it.
    private(set) var problem: PrefsError?

    /// A directory without files.
    init() {}

    /// Reads a directory, and those of its files that are not the versions which were read before.
    ///
    /// If `..data`, the link through which Kubernetes swaps all files at once, leads elsewhere afterwards, the
    /// directory is read again, so that the result is never a mixture of two versions.
    init(
        of path: String, keeping old: [String: TextFile], fileCount: Int,
        _ limits: TextFile.Limits
    ) {
        for _ in 0..<8 {
            let version = try? linkTarget(of: RawPath("\(path)/..data"))
            read(path, old, fileCount, limits)
            if (try? linkTarget(of: RawPath("\(path)/..data"))) == version { return }
        }
    }

    private mutating func read(
        _ path: String, _ old: [String: TextFile], _ fileCount: Int, _ limits: TextFile.Limits
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
                reason: "cannot list the directory, so its last known files stay effective: \(error.text)")
            return
        }
        if names.count > fileCount {
            problem = PrefsError(
                .tooLarge, origin: PrefsOrigin(file: path),
                reason: "\(names.count) files, expected at most \(fileCount); the rest is ignored")
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
            let read = TextFile.read(file, after: old[name], limits)
            if read?.problem?.code == .notARegularFile, read?.text == nil, Self.isFolder(file) { continue }
            files[name] = read
        }
    }

    /// A folder is no value, unless it has taken the place of one.
    private static func isFolder(_ path: String) -> Bool {
        fileStatus(of: path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    }
}

extension DirectoryScan {
    /// Returns the candidates that differ from those of an earlier reading; `nil` for a key that is gone.
    func changes(from old: [String: TextFile], in path: String) -> [String: PrefsCandidate?] {
        var changes: [String: PrefsCandidate?] = [:]
        for name in Set(old.keys).union(files.keys) where old[name]?.text != files[name]?.text {
            let candidate = files[name]?.text.map {
                PrefsCandidate(
                    .string($0), isText: true, origin: PrefsOrigin(file: "\(path)/\(name)", spelling: name))
            }
            changes.updateValue(candidate, forKey: name)
        }
        return changes
    }

    /// Returns the files' problems that an earlier reading did not have, and the recoveries from those it
    /// had.
    func reports(after old: DirectoryScan) -> [PrefsDiagnostic] {
        Set(old.files.keys).union(files.keys).sorted().compactMap { name in
            PrefsDiagnostic(from: old.files[name]?.problem, to: files[name]?.problem)
        }
    }
}
