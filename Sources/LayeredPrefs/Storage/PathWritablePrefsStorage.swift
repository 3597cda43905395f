import PrefsDocuments

/// A storage that writes by path, to the spelling its contents have, and commits several paths as one change.
protocol PathWritablePrefsStorage: PrefsStorage {
    /// Performs every step that can fail and returns the edits, ready to be committed.
    func prepare(_ edits: [PathEdit]) throws -> any PreparedEdits

    /// The file that writes go to, if there is one.
    var writtenFile: String? { get }
}

extension PathWritablePrefsStorage {
    var writtenFile: String? { nil }

    /// Stores a value at a path, or removes it if `nil`.
    func setValue(_ value: PrefsValue?, at path: PrefsPath) throws {
        try prepare([PathEdit(path: path, value: value)]).commit()
    }
}

/// The change of one key, by path.
struct PathEdit: Sendable {
    let path: PrefsPath
    /// The new value; `nil` removes.
    let value: PrefsValue?
}

/// Prepared changes that can no longer fail for any foreseeable reason and are not effective yet.
protocol PreparedEdits {
    /// The file that they change, if there is one.
    var file: String? { get }

    /// Makes the changes effective. If released without a commit, they leave everything unchanged.
    func commit() throws
}

/// The changes of a storage that has nothing to prepare.
struct ImmediateEdits: PreparedEdits {
    var file: String? { nil }
    let apply: () throws -> Void

    func commit() throws { try apply() }
}
