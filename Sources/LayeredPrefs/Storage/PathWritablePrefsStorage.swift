import PrefsDocuments
import PrefsFiles

/// A storage that writes by path, to the spelling its contents have, and commits several paths as one change.
protocol PathWritablePrefsStorage: SelfContainedPrefsStorage {
    /// Performs every step that can fail and returns the edits, ready to be committed.
    func prepare(_ edits: PathEdits) throws -> any PreparedEdits

    /// The path of the file that writes go to, if there is one.
    var writtenFile: String? { get }

    /// Reads what has changed without notifying observers; returns a closure that does, if there is anything to notify
    /// of.
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
    /// The new value; `nil` removes.
    let value: PrefsValue?
    /// True if the value is, or contains, a secret, for which a new file is private.
    var isSecret = false
    /// The former names of the key above its path, which make way for the value.
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
    /// Returns edits that store nothing behind anything: before a value, a former name of its key is removed that is not a
    /// dictionary and stands above the value's path.
    ///
    /// For the key `log.level`, formerly `log`, which is set to `"debug"`:
    ///
    ///     {"log": "info"}   →  {"log": {"level": "debug"}}
    ///
    /// - Throws: ``PrefsError`` if anything else stands there that is not a dictionary.
    func clearingTheWay(for edits: [PathEdit]) throws(PrefsError) -> [PathEdit] {
        guard edits.contains(where: { $0.value != nil && $0.path.isNested }) else { return edits }
        // Nearly every write: one value, which nothing blocks.
        if edits.count == 1, find(edits[0].path).depth == edits[0].path.components.count {
            return edits
        }
        var cleared = ClearedEdits(of: self)
        for edit in edits { try cleared.add(edit) }
        return cleared.edits
    }
}

/// Edits that store nothing behind anything.
private struct ClearedEdits {
    private let contents: PrefsSource
    private(set) var edits: [PathEdit] = []
    /// The last edit of each path, as far as one has been looked up.
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

    /// Returns what stands at a path after the edits so far, if it is not a dictionary.
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

    /// Returns the last edit at or above a path. What a dotted key spells there stays, whatever is stored above that key.
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
    /// Edits that depend on the contents that they change. The closure is called while no other writer can change
    /// these; if they change nevertheless, it is called again.
    case following((PrefsSource) throws -> [PathEdit])

    /// Returns the edits of some contents.
    func edits(of contents: @autoclosure () -> PrefsSource) throws -> [PathEdit] {
        switch self {
        case .fixed(let edits): edits
        case .following(let edits): try edits(contents())
        }
    }

    /// Returns the edits, of which those that store a secret are marked.
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

/// Prepared changes that can no longer fail for any foreseeable reason and are not effective yet.
protocol PreparedEdits {
    /// The file that they change, if there is one.
    var file: String? { get }

    /// The contents that they lead to; `nil` if they change nothing, or if that is not known.
    var preview: PrefsSource? { get }

    /// Makes the changes effective. If released without a commit, they leave everything unchanged.
    ///
    /// - Returns: `nil` if a process that does not lock the file has changed it, so that the changes have to be
    ///   prepared again.
    func commit() throws -> CommittedEdits?

    /// Gives up the changes if they have not been committed, and unlocks the file.
    func discard()

    /// Prepares the same changes of the present contents.
    func preparedAgain() throws -> any PreparedEdits
}

extension PreparedEdits {
    func discard() {}

    /// Makes the changes effective, prepared again as often as necessary, and notifies observers.
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
    /// Waits until they are on disk; the only step that can fail now. `nil` if there is nothing to wait for.
    var synchronize: (() throws(PrefsError) -> Void)?
    /// The edits that a storage of another module has made, if it says so.
    var claimed: [PathEdit] = []

    fileprivate func finish() throws(PrefsError) {
        notifyObservers?()
        try synchronize?()
    }
}

/// Notifies the observers of contents that are effective already.
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
