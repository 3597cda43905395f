import PrefsDocuments
import PrefsSystem

/// One reading of the files with secrets that variables name, each of which is read when a key first asks for it:
/// other variables name files, too, such as `MYD_LOG_FILE`, that are none of our business.
final class SecretFiles: Sendable {
    /// The paths that keys have asked for, which all readings share.
    final class Paths: Sendable {
        private let known = Lock<Set<String>>([])
        private let onNewPath: @Sendable () -> Void

        /// - Parameter onNewPath: Called when a path is added; it must neither block nor look up a key.
        init(onNewPath: @escaping @Sendable () -> Void = {}) { self.onNewPath = onNewPath }

        var all: Set<String> { known.withLock { $0 } }

        fileprivate func add(_ path: String) {
            if known.withLock({ $0.insert(path).inserted }) { onNewPath() }
        }
    }

    let paths: Paths
    private let limits: TextFile.Limits
    private let files: Lock<[String: TextFile?]>

    init(_ paths: Paths = Paths(), _ limits: TextFile.Limits = TextFile.Limits()) {
        (self.paths, self.limits) = (paths, limits)
        files = Lock([:])
    }

    /// Reads those files again that are not certainly the versions which were read last.
    ///
    /// A link that is renamed swaps several files at once, perhaps between two of these reads. So they are repeated
    /// until all files have stayed the same meanwhile, and there was a moment at which all of them were there.
    init(after last: SecretFiles) {
        (paths, limits) = (last.paths, last.limits)
        let asked = paths.all
        var files = Self.read(asked, after: last.files.withLock { $0 }, limits)
        // A program that never stops writing is followed by a later reading.
        for _ in 0..<64 where asked.count > 1 {
            let next = Self.read(asked, after: files, limits)
            let isSettled = next.allSatisfy { TextFile.giveSame($1, files[$0] ?? nil) }
            files = next
            if isSettled { break }
        }
        self.files = Lock(files)
    }

    private static func read(
        _ paths: Set<String>, after known: [String: TextFile?], _ limits: TextFile.Limits
    ) -> [String: TextFile?] {
        var files: [String: TextFile?] = [:]
        for path in paths { files[path] = .some(TextFile.read(path, after: known[path] ?? nil, limits)) }
        return files
    }

    /// Returns a file's text; `nil` if there is no such file.
    ///
    /// - Throws: The reason why there is no text, neither now nor from an earlier reading.
    func text(at path: String) throws(PrefsError) -> String? {
        paths.add(path)
        let file = files.withLock { files in
            if let known = files[path] { return known }
            let file = TextFile.read(path, after: nil, limits)
            files[path] = .some(file)
            return file
        }
        if let problem = file?.problem, file?.text == nil { throw problem }
        return file?.text
    }

    /// Takes in a later reading if each of the texts that keys have asked for is the same in it, or absent for the
    /// same reason.
    ///
    /// - Returns: False if it has to take this one's place.
    func adopt(_ next: SecretFiles) -> Bool {
        let news = next.files.withLock { $0 }
        return files.withLock { files in
            guard files.allSatisfy({ TextFile.giveSame($1, news[$0] ?? nil) }) else { return false }
            for path in files.keys { files[path] = .some(news[path] ?? nil) }
            return true
        }
    }

    /// The first problem in the order of the paths.
    var problem: PrefsError? {
        files.withLock { $0 }.sorted { $0.key < $1.key }.lazy.compactMap(\.value?.problem).first
    }

    /// The problems because of which this reading has texts of an earlier one that did not have them, and the
    /// recoveries from those it had. A file without a last good text is a rejected value, which is reported as such.
    func reports(after last: SecretFiles) -> [PrefsDiagnostic] {
        let (own, known) = (files.withLock { $0 }, last.files.withLock { $0 })
        return known.sorted { $0.key < $1.key }.compactMap { path, old in
            guard old?.text != nil else { return nil }
            return PrefsDiagnostic(from: old?.problem, to: (own[path] ?? nil)?.problem)
        }
    }
}
