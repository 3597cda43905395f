import PrefsDocuments

/// A storage that writes by path, to the spelling its contents have, and commits several paths as one change.
protocol PathWritablePrefsStorage: SelfContainedPrefsStorage {
    /// Performs every step that can fail and returns the edits, ready to be committed.
    func prepare(_ edits: PathEdits) throws -> any PreparedEdits

    /// The path of the file that writes go to, if there is one.
    var writtenFile: String? { get }
}

extension PathWritablePrefsStorage {
    var writtenFile: String? { nil }

    public var _capabilities: _PrefsStorageCapabilities {
        _PrefsStorageCapabilities(self, paths: self, contents: self)
    }

    /// Stores a value at a path, or removes it if `nil`.
    func setValue(_ value: PrefsValue?, at path: PrefsPath) throws {
        try prepare(.fixed([PathEdit(path: path, value: value)])).commit()?()
    }
}

/// The change of one key, by path.
struct PathEdit: Sendable {
    let path: PrefsPath
    /// The new value; `nil` removes.
    let value: PrefsValue?
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

    /// Makes the changes effective. If released without a commit, they leave everything unchanged.
    ///
    /// - Returns: A closure that notifies the storage's observers; `nil` if there is nothing to notify of.
    func commit() throws -> PrefsNotification?
}

/// Notifies the observers of contents that are effective already.
typealias PrefsNotification = @Sendable () -> Void

/// The changes of a storage that has nothing to prepare.
struct ImmediateEdits: PreparedEdits {
    var file: String? { nil }
    let apply: () throws -> PrefsNotification?

    func commit() throws -> PrefsNotification? { try apply() }
}
