import PrefsDocuments
import PrefsFiles

/// A storage that writes by path, in the spelling of its contents, and commits several paths as one change.
protocol PathWritablePrefsStorage: SelfContainedPrefsStorage {
    /// Performs every step that can fail and returns the edits, ready to be committed.
    func prepare(_ edits: PathEdits) throws -> any PreparedEdits

    /// The path of the file that writes go to, if there is one.
    var writtenFile: String? { get }

    /// Reads changed contents without notifying observers. Returns a closure that notifies them; `nil` if
    /// there is nothing to notify of.
    func refresh(_ cause: PrefsChangeCause) -> PrefsNotification?
}

extension PathWritablePrefsStorage {
    var writtenFile: String? { nil }

    func refresh(_ cause: PrefsChangeCause) -> PrefsNotification? { nil }

    public var _capabilities: _PrefsStorageCapabilities {
        _PrefsStorageCapabilities(storage: self, paths: self, contents: self)
    }

    /// Stores a value at a path, or removes it if `nil`.
    func setValue(_ value: PrefsValue?, at path: PrefsPath) throws {
        try prepare(.fixed([PathEdit(path: path, value: value)])).commitAlone()
    }
}

/// The change of one key, by path.
struct PathEdit: Sendable {
    let path: PrefsPath
    /// The new value; `nil` removes the key.
    let value: PrefsValue?
    /// True if the value is, or contains, a secret. A file that is created for it is private.
    var isSecret = false
    /// The key's former names that lie above its path. A value there makes way for the new value.
    var formerNames: [PrefsPath] = []
}

extension PathEdit {
    /// Creates the edit that stores a key's value under its present name.
    init(_ key: PrefsKeyName, _ value: PrefsValue?) {
        self.init(path: PrefsPath(key.name), value: value)
        if key.formerNames.isEmpty { return }
        formerNames = key.paths.dropFirst().filter { [path] in $0 != path && $0.contains(path) }
    }
}

extension PrefsSource {
    /// Returns edits that can all be made, because the values that block them are removed first.
    ///
    /// No value can be stored below a value that is not a dictionary. If a former name of the same key blocks
    /// the path, it is removed. For example, the key `log.level`, formerly `log`, is set to `"debug"`:
    ///
    ///     {"log": "info"}   →  {"log": {"level": "debug"}}
    ///
    /// - Throws: ``PrefsError`` if any other value that is not a dictionary blocks a path.
    func clearingTheWay(for edits: [PathEdit]) throws(PrefsError) -> [PathEdit] {
        guard edits.contains(where: { $0.value != nil && $0.path.isNested }) else { return edits }
        // Nearly every write is one value that nothing blocks.
        if edits.count == 1, find(edits[0].path).depth == edits[0].path.components.count {
            return edits
        }
        var cleared = ClearedEdits(of: self)
        for edit in edits { try cleared.add(edit) }
        return cleared.edits
    }
}

/// Edits, with removals of the values that would block them.
private struct ClearedEdits {
    private let contents: PrefsSource
    private(set) var edits: [PathEdit] = []
    /// The last edit of each path, for the first ``indexed`` edits.
    private var indices: [PrefsPath: Int] = [:]
    private var indexed = 0

    init(of contents: PrefsSource) { self.contents = contents }

    mutating func add(_ edit: PathEdit) throws(PrefsError) {
        for above in edit.value == nil ? [] : edit.path.ancestors {
            guard let block = block(at: above) else { continue }
            guard edit.formerNames.contains(above) else {
                throw PrefsError(
                    .wrongType, key: edit.path.name,
                    origin: PrefsOrigin(
                        file: contents.file, position: block.position, spelling: above.name),
                    reason: "expected a dictionary, found \(block.kind) at \(above.name); remove that first")
            }
            edits.append(PathEdit(path: above, value: nil))
        }
        edits.append(edit)
    }

    /// Returns the value at a path after the edits so far, if it is not a dictionary.
    private mutating func block(at path: PrefsPath) -> (kind: PrefsValue.Kind, position: PrefsPosition?)? {
        if let edit = lastEdit(of: path) {
            let value = edit.value?.value(at: path.components.dropFirst(edit.path.components.count))
            return value.flatMap { $0.kind == .dictionary ? nil : ($0.kind, nil) }
        }
        // A text has no type yet, so it blocks nothing.
        guard let found = contents.lookup[path], found.kind != .dictionary, !contents.isText,
            !found.containsText
        else { return nil }
        return (found.kind, found.position)
    }

    /// Returns the last edit at or above a path. If a dotted key spells the path, edits above that key do not
    /// count, because they leave the key's value as it is.
    private mutating func lastEdit(of path: PrefsPath) -> PathEdit? {
        if edits.isEmpty { return nil }
        let spelling = path.spelling { contents.spelled[$0] != nil }
        let depth = path.components.count - spelling.rest.count
        while indexed < edits.count {
            indices[edits[indexed].path] = indexed
            indexed += 1
        }
        let places = (path.ancestors + [path]).filter { $0.components.count >= depth }
        return places.compactMap { indices[$0] }.max().map { edits[$0] }
    }
}

extension PathEdit {
    fileprivate func marked(_ secrets: SecretPaths) -> PathEdit {
        guard let value, secrets.touches(path), secrets.removing(from: value, at: path) != value else {
            return self
        }
        var marked = self
        marked.isSecret = true
        return marked
    }
}

/// The edits that one write makes in a storage.
enum PathEdits {
    case fixed([PathEdit])
    /// Edits that depend on the contents that they change. For a file, the closure runs under the file lock.
    /// If the contents change nevertheless, the closure is called again.
    case following((PrefsSource) throws -> [PathEdit])

    /// Returns the edits of some contents.
    func edits(of contents: @autoclosure () -> PrefsSource) throws -> [PathEdit] {
        switch self {
        case .fixed(let edits): edits
        case .following(let edits): try edits(contents())
        }
    }

    /// Returns the edits and marks each edit that stores a secret.
    func marking(_ secrets: SecretPaths) -> PathEdits {
        if secrets.isEmpty { return self }
        switch self {
        case .fixed(let edits): return .fixed(edits.map { $0.marked(secrets) })
        case .following(let edits): return .following { try edits($0).map { $0.marked(secrets) } }
        }
    }

    /// Returns several lists of edits as one.
    static func joined(_ lists: [PathEdits]) -> PathEdits {
        var all: [PathEdit] = []
        for list in lists {
            guard case .fixed(let edits) = list else {
                return .following { contents in try lists.flatMap { try $0.edits(of: contents) } }
            }
            all += edits
        }
        return .fixed(all)
    }
}

/// Prepared changes, which can no longer fail for any foreseeable reason and are not effective yet.
protocol PreparedEdits {
    /// The file that the changes write, if there is one.
    var file: String? { get }

    /// The contents after the changes. `nil` means that nothing changes, or that these contents are not known.
    var preview: PrefsSource? { get }

    /// Makes the changes effective. If released without a commit, they leave everything unchanged.
    ///
    /// - Returns: `nil` if a process that does not lock the file has changed it. The changes must then be
    ///   prepared again.
    func commit() throws -> CommittedEdits?

    /// Gives up the changes, if they have not been committed, and unlocks the file.
    func discard()

    /// Prepares the same changes again, for the present contents.
    func preparedAgain() throws -> any PreparedEdits
}

extension PreparedEdits {
    func discard() {}

    /// Makes the changes effective and notifies observers. The changes are prepared again as often as necessary.
    func commitAlone() throws {
        var edits: any PreparedEdits = self
        for _ in 1..<PrefsFileWriter.attempts {
            if let committed = try edits.commit() { return try committed.finish() }
            edits = try edits.preparedAgain()
        }
        guard let committed = try edits.commit() else { throw PrefsFileWriter.keepsChanging(file ?? "") }
        try committed.finish()
    }
}

/// Changes that are effective.
struct CommittedEdits {
    /// Notifies the storage's observers; `nil` if there is nothing to notify of.
    var notifyObservers: PrefsNotification?
    /// Waits until the changes are on disk; `nil` if there is nothing to wait for. No other step can fail now.
    var synchronize: (() throws(PrefsError) -> Void)?
    /// The edits that a storage of another module claims to have made. The stack checks this claim.
    var claimed: [PathEdit] = []

    fileprivate func finish() throws(PrefsError) {
        notifyObservers?()
        try synchronize?()
    }
}

/// Notifies the observers of contents that are already effective.
typealias PrefsNotification = @Sendable () -> Void

/// The changes of a stack, or of a storage of another module.
struct ImmediateEdits: PreparedEdits {
    var file: String? { nil }
    var preview: PrefsSource? { makePreview() }
    let makePreview: () -> PrefsSource?
    let apply: () throws -> CommittedEdits

    func commit() throws -> CommittedEdits? { try apply() }

    func preparedAgain() throws -> any PreparedEdits { self }
}
