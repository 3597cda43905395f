import PrefsDocuments
import PrefsFiles
import PrefsSystem

/// One reading of a directory of preferences.
struct DirectoryScan {
    /// A file: its text, or the last good one and the reason why it is not the file's.
    struct File: Equatable {
        var text: String?
        var problem: PrefsError?
    }

    private(set) var files: [String: File] = [:]
    /// The reason why the directory could not be read, or not all of it.
    private(set) var problem: PrefsError?

    /// Reads a directory.
    ///
    /// If `..data`, the link through which Kubernetes swaps all files at once, leads elsewhere afterwards, the
    /// directory is read again, so that the result is never a mixture of two versions.
    init(of path: String, keeping old: [String: File], options: DirectoryPrefsStorage.Options) {
        for _ in 0..<8 {
            let version = try? linkTarget(of: RawPath("\(path)/..data"))
            read(path, old, options)
            if (try? linkTarget(of: RawPath("\(path)/..data"))) == version { return }
        }
    }

    private mutating func read(
        _ path: String, _ old: [String: File], _ options: DirectoryPrefsStorage.Options
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
        if names.count > options.fileCount {
            problem = PrefsError(
                .tooLarge, origin: PrefsOrigin(file: path),
                reason: "\(names.count) files, expected at most \(options.fileCount); the rest is ignored")
            names.removeLast(names.count - options.fileCount)
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
            files[name] = Self.file("\(path)/\(name)", last: old[name]?.text, limit: options.fileSize)
        }
    }

    /// Returns a file's text; `nil` for what is not a file, and for a file that has disappeared.
    private static func file(_ path: String, last: String?, limit: Int) -> File? {
        do throws(PrefsError) {
            guard let bytes = try PrefsFileReader.read(path, limits: PrefsLimits(fileSize: limit))?.bytes
            else {
                return nil
            }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw PrefsError(
                    .syntax, origin: PrefsOrigin(file: path), reason: "the file is not valid UTF-8")
            }
            return File(text: text.hasSuffix("\n") ? String(text.dropLast()) : text)
        } catch {
            return error.code == .notARegularFile ? nil : File(text: last, problem: error)
        }
    }
}

extension DirectoryScan {
    /// Returns the candidates that differ from those of an earlier reading; `nil` for a key that is gone.
    func changes(from old: [String: File], in path: String) -> [String: PrefsCandidate?] {
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

    /// Returns the problems that an earlier reading did not have, and the recoveries from those it had.
    func reports(
        after old: [String: File], _ oldProblem: PrefsError?, in path: String
    ) -> [PrefsDiagnostic] {
        var reports = Self.report(oldProblem, problem).map { [$0] } ?? []
        for name in Set(old.keys).union(files.keys).sorted() {
            if let report = Self.report(old[name]?.problem, files[name]?.problem) { reports.append(report) }
        }
        return reports
    }

    private static func report(_ old: PrefsError?, _ new: PrefsError?) -> PrefsDiagnostic? {
        if old == new { return nil }
        if let new { return PrefsDiagnostic(.error, new) }
        return old.map { old in
            var recovered = old
            recovered.reason = "readable again"
            return PrefsDiagnostic(.recovered, recovered)
        }
    }
}
