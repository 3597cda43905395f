import FileWatching

/// A `<domain>.locks` file: the keys, or prefixes of keys, that the layers above cannot change.
///
/// One key a line, for itself and everything beneath it; a trailing `.` or `.*` says the same. `#` begins a
/// comment. A file that exists and cannot be read locks every key that its layer sets.
final class LocksFile: Sendable {
    /// What the file says.
    enum Content: Sendable, Equatable {
        case keys([Entry])
        case unreadable(PrefsError)
    }

    struct Entry: Sendable, Hashable {
        let key: String
        let line: Int
    }

    let path: String
    private let options: FilePrefsStorage.Options
    private let onChange: @Sendable () -> Void
    private let content = Lock(Content.keys([]))
    private let watch = Lock<FileWatch?>(nil)

    init(path: String, options: FilePrefsStorage.Options, onChange: @escaping @Sendable () -> Void) {
        self.path = path
        self.options = options
        self.onChange = onChange
        let watch = options.watcher.watch(path) { [weak self] _ in self?.recheck() }
        self.watch.withLock { $0 = watch }
        _ = read()
    }

    var current: Content { content.withLock { $0 } }

    var status: PrefsSourceStatus {
        var problem: PrefsError?
        if case .unreadable(let error) = current { problem = error }
        return PrefsSourceStatus(file: path, problem: problem)
    }

    /// Looks at the file again.
    func recheck() {
        if read() { onChange() }
    }

    /// Reads the file; `true` when it says something else than before.
    private func read() -> Bool {
        let next = load()
        let previous = content.withLock { content in
            defer { content = next }
            return content
        }
        guard previous != next else { return false }
        if case .unreadable(let error) = next { options.diagnostics.report(.error, error) }
        return true
    }

    private func load() -> Content {
        do throws(PrefsError) {
            let file = try PrefsFileReader.read(path, limits: options.limits, policy: options.policy)
            guard let file else { return .keys([]) }
            return .keys(try parse(file.bytes))
        } catch {
            return .unreadable(error)
        }
    }

    private func parse(_ bytes: [UInt8]) throws(PrefsError) -> [Entry] {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let origin = PrefsOrigin(file: path)
            throw PrefsError(.syntax, origin: origin, reason: "is not UTF-8 text, so every key of its layer is locked")
        }
        return Self.entries(in: text)
    }

    static func entries(in text: String) -> [Entry] {
        var entries: [Entry] = []
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            var key = line.prefix { $0 != "#" }.filter { !$0.isWhitespace }
            for suffix in [".*", "."] where key.hasSuffix(suffix) { key.removeLast(suffix.count) }
            if !key.isEmpty { entries.append(Entry(key: key, line: index + 1)) }
        }
        return entries
    }
}
