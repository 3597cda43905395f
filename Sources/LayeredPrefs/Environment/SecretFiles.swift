import FileWatching
import PrefsDocuments
import PrefsSystem

/// One reading of the files with secrets that variables name.
///
/// A file counts once a key has asked for it. Other variables name files, too, such as `MYD_LOG_FILE`, and
/// these files are none of our business.
///
/// Asking for a file does not read the disk if the file is one of ``likely``. Its text may then be out of
/// date, so the file is watched and read again as soon as it has been asked for.
final class SecretFiles: Sendable {
    /// A file that keys have asked for.
    struct Place: Hashable, Comparable {
        let path: String
        /// The variable whose value is the path; `nil` for a file in a folder. Only such a file may be absent.
        let variable: String?

        /// Compares the bytes, because paths that differ only in their Unicode normalization are two files.
        static func == (first: Place, second: Place) -> Bool {
            first.path.hasSameBytes(as: second.path) && first.variable.hasSameBytes(as: second.variable)
        }

        static func < (first: Place, second: Place) -> Bool {
            (first.path, first.variable ?? "") < (second.path, second.variable ?? "")
        }
    }

    /// The places that keys have asked for. All readings share them.
    final class Paths: Sendable {
        private let known: Lock<Set<Place>>
        private let folder: WorkingDirectory
        /// Called when a path is added. It neither blocks nor looks up a key.
        private let onNewPath: Lock<@Sendable () -> Void>

        init() {
            folder = .current
            known = Lock([])
            onNewPath = Lock {}
        }

        /// Creates the places that keys have asked for and that the given variables still name.
        fileprivate init(_ last: Paths, named variables: [String: String]) {
            folder = last.folder
            onNewPath = Lock(last.onNewPath.withLock { $0 })
            let credentials = variables["CREDENTIALS_DIRECTORY"].flatMap { try? last.absolute($0) }
            known = Lock(
                last.places.filter { place in
                    guard let variable = place.variable else {
                        return credentials.map { place.path.hasPrefix($0 + "/") } ?? false
                    }
                    return variables[variable].flatMap { try? last.absolute($0) }
                        .hasSameBytes(as: place.path)
                })
        }

        var all: Set<String> { Set(places.map(\.path)) }

        fileprivate var places: Set<Place> { known.withLock { $0 } }

        /// Returns the absolute path that a path had when the first reading was created.
        func absolute(_ path: String) throws(PrefsError) -> String {
            do throws(Errno) { return try folder.absolute(path) } catch { throw .relativePath(path, error) }
        }

        fileprivate func add(_ place: Place) {
            guard known.withLock({ $0.insert(place).inserted }) else { return }
            let onNewPath = onNewPath.withLock { $0 }
            onNewPath()
        }

        /// Makes a source watch the files that keys ask for from now on, and read each of them once more,
        /// because a file may have been edited before it was watched.
        func follow<WatchedPlace: SourcePlace>(
            with source: WatchedSource<WatchedPlace>, paths: @escaping @Sendable (WatchedPlace) -> Set<String>
        ) {
            onNewPath.withLock { onNewPath in
                onNewPath = { [weak source] in
                    // Keys are looked up with mutexes held, but a watch must begin with none held.
                    EventLoop.shared.post {
                        guard let source else { return }
                        if source.watch(source.withPlace { paths($0) }) { source.readSoon() }
                    }
                }
            }
        }
    }

    let paths: Paths
    private let limits: TextFile.Limits
    private let files: Lock<[Place: TextFile?]>
    /// The files that keys may ask for, by path, as of the last reading.
    private let likely: Lock<[String: TextFile?]>

    /// - Parameter likely: The paths of files that keys may ask for.
    init(
        _ paths: Paths = Paths(), _ limits: TextFile.Limits = TextFile.Limits(), likely: Set<String> = []
    ) {
        (self.paths, self.limits) = (paths, limits)
        var files: [String: TextFile?] = [:]
        for path in likely.union(paths.all) {
            files[path] = .some(TextFile.read(path, after: nil, limits))
        }
        self.files = Lock([:])
        self.likely = Lock(files)
    }

    /// Returns the absolute paths of the files that variables with a prefix name, and of the files in the
    /// folder of credentials.
    static func likelyPaths(_ variables: [String: String], prefix: String, _ paths: Paths) -> Set<String> {
        var named = variables.filter { $0.key.hasPrefix(prefix) && $0.key.hasSuffix("_FILE") }.map(\.value)
        if let folder = variables["CREDENTIALS_DIRECTORY"], let open = try? OpenFolder(at: RawPath(folder)) {
            named += open.names.filter { $0 != "." && $0 != ".." }.map { "\(folder)/\($0)" }
        }
        return Set(named.compactMap { try? paths.absolute($0) })
    }

    /// Creates the reading for other variables of the same storage. The reading also has the texts of the
    /// files that these variables name.
    init(_ last: SecretFiles, for variables: [String: String], prefix: String) {
        (paths, limits) = (Paths(last.paths, named: variables), last.limits)
        let asked = paths.places
        files = Lock(last.files.withLock { $0.filter { asked.contains($0.key) } })
        let (known, limits) = (last.likely.withLock { $0 }, limits)
        likely = Lock(
            Self.likelyPaths(variables, prefix: prefix, paths).reduce(into: [:]) { files, path in
                files[path] = .some(TextFile.read(path, after: known[path] ?? nil, limits))
            })
    }

    /// Rereads each file that may have changed since the last reading.
    ///
    /// Renaming a link swaps several files at once, perhaps between two of these reads. So the reads are
    /// repeated until all files have stayed the same. Then there was a moment when all of them were there.
    ///
    /// - Parameter mayUse: See ``TextFile/read(_:after:_:mayUse:)``.
    init(after last: SecretFiles, mayUse: (FileSignature?, String) -> Bool = { _, _ in true }) {
        (paths, limits) = (last.paths, last.limits)
        let asked = paths.places
        var files = Self.read(asked, after: last.files.withLock { $0 }, limits, mayUse)
        // If a program never stops writing, a later reading follows.
        for _ in 0..<64 where asked.count > 1 {
            let next = Self.read(asked, after: files, limits, mayUse)
            let isSettled = next.allSatisfy { TextFile.giveSame($1, files[$0] ?? nil) }
            files = next
            if isSettled { break }
        }
        // Keys may have asked the last reading for more files. Their texts are active, so they must not be lost.
        for (place, known) in last.files.withLock({ $0 })
        where known?.text != nil && (files[place] ?? nil)?.text == nil {
            files[place] = .some(Self.read(place, after: known, limits))
        }
        self.files = Lock(files)
        let (known, limits) = (last.likely.withLock { $0 }, limits)
        likely = Lock(
            known.reduce(into: [:]) { files, known in
                files[known.key] = .some(TextFile.read(known.key, after: known.value, limits, mayUse: mayUse))
            })
    }

    private static func read(
        _ places: Set<Place>, after known: [Place: TextFile?], _ limits: TextFile.Limits,
        _ mayUse: (FileSignature?, String) -> Bool
    ) -> [Place: TextFile?] {
        var files: [Place: TextFile?] = [:]
        for place in places {
            files[place] = .some(read(place, after: known[place] ?? nil, limits, mayUse))
        }
        return files
    }

    /// Reads a file. A file that a variable names is never absent: without it, the program would silently use
    /// another secret. So its absence is a problem.
    private static func read(
        _ place: Place, after last: TextFile?, _ limits: TextFile.Limits,
        _ mayUse: (FileSignature?, String) -> Bool = { _, _ in true }
    ) -> TextFile? {
        file(TextFile.read(place.path, after: last, limits, mayUse: mayUse), at: place, after: last)
    }

    private static func file(_ file: TextFile?, at place: Place, after last: TextFile?) -> TextFile? {
        guard let variable = place.variable else { return file }
        guard var file else {
            let missing = PrefsError(
                .missing, origin: PrefsOrigin(file: place.path, spelling: variable), errno: ENOENT,
                reason: "the file that \(variable) names does not exist; create it, or fix the variable")
            return TextFile(text: last?.text, problem: missing)
        }
        if let problem = file.problem, problem.origin?.spelling == nil {
            file.problem?.origin?.spelling = variable
            file.problem?.reason = "cannot use the file that \(variable) names: \(problem.reason)"
        }
        return file
    }

    /// Returns a file's text; `nil` if there is no such file and no variable names it.
    ///
    /// - Parameters:
    ///   - path: The absolute path of the file.
    ///   - variable: The variable whose value is the path; `nil` for a file that may be absent.
    /// - Throws: The reason why there is no text, not even from an earlier reading.
    func text(at path: String, namedBy variable: String? = nil) throws(PrefsError) -> String? {
        let place = Place(path: path, variable: variable)
        paths.add(place)
        let file = self.file(at: place)
        if let problem = file?.problem, file?.text == nil { throw problem }
        return file?.text
    }

    private func file(at place: Place) -> TextFile? {
        if let known = files.withLock({ $0[place] }) { return known }
        let file =
            if let known = likely.withLock({ $0[place.path] }) {
                Self.file(known, at: place, after: nil)
            } else {
                Self.read(place, after: nil, limits)
            }
        // Another thread may have asked for the file in the meantime.
        return files.withLock { files in
            if let known = files[place] { return known }
            files[place] = .some(file)
            return file
        }
    }

    /// Takes in a later reading, if it has the same text for each file that keys have asked for, or no text
    /// for the same reason.
    ///
    /// - Returns: False if the later reading must replace this one. It then also has the files that keys have
    ///   asked this reading for in the meantime. Their texts are active, and would be lost if the files could
    ///   not be read again.
    func adopt(_ next: SecretFiles) -> Bool {
        let news = next.files.withLock { $0 }
        return files.withLock { files in
            let isSame = files.allSatisfy { place, file in
                news[place].map { TextFile.giveSame(file, $0) } ?? true
            }
            guard isSame else {
                next.files.withLock { $0.merge(files) { own, _ in own } }
                return false
            }
            for (place, file) in news where files[place] != nil { files.updateValue(file, forKey: place) }
            let later = next.likely.withLock { $0 }
            likely.withLock { $0 = later }
            return true
        }
    }

    /// The first problem in the order of the paths.
    var problem: PrefsError? {
        files.withLock { $0 }.sorted { $0.key < $1.key }.lazy.compactMap(\.value?.problem).first
    }

    /// Returns the changes since an earlier reading that are reported: new problems of files that keep an
    /// earlier text, recoveries, and losses of texts. A file without a last good text is a rejected value,
    /// which is reported as such.
    func reports(after last: SecretFiles) -> [PrefsDiagnostic] {
        let (own, known) = (files.withLock { $0 }, last.files.withLock { $0 })
        return known.sorted { $0.key < $1.key }.compactMap { place, old in
            guard let old, old.text != nil else { return nil }
            // A file that a key asked for after this reading is not among its files.
            guard let reading = own[place] else { return nil }
            guard let file = reading else { return Self.loss(of: place) }
            return PrefsDiagnostic(from: old.problem, to: file.problem)
        }
    }

    private static func loss(of place: Place) -> PrefsDiagnostic {
        PrefsDiagnostic(
            .warning,
            PrefsError(
                .missing, origin: PrefsOrigin(file: place.path),
                reason: "the file is missing; falling back to the next lower value"))
    }
}
