import PrefsDocuments
/// A storage that writes by path, to the spelling its contents have, and several paths as one change.
protocol PathWritablePrefsStorage: PrefsStorage {
    /// Makes everything ready that can fail.
    func prepare(_ edits: [PathEdit]) throws -> any PreparedEdits

    /// The file that writes go to.
    var writtenFile: String? { get }
}

extension PathWritablePrefsStorage {
    var writtenFile: String? { nil }

    /// Stores a value at a path, or with `nil` removes it.
    func setPrefsValue(_ value: PrefsValue?, at path: PrefsPath) throws {
        try prepare([PathEdit(path: path, value: value)]).commit()
    }
}

/// One key's change, by path.
struct PathEdit: Sendable {
    let path: PrefsPath
    /// The new value; `nil` removes.
    let value: PrefsValue?
}

extension PathEdit {
    /// Runs of writes at places that do not touch each other; a removal, which may empty what holds it, is a
    /// run of its own.
    static func independentBatches(of edits: [PathEdit]) -> [[PathEdit]] {
        var batches: [[PathEdit]] = []
        for edit in edits {
            let joins = batches.last?.allSatisfy { other in
                edit.value != nil && other.value != nil
                    && !edit.path.contains(other.path) && !other.path.contains(edit.path)
            }
            if joins == true {
                batches[batches.count - 1].append(edit)
            } else {
                batches.append([edit])
            }
        }
        return batches
    }
}

/// Changes that can no longer fail for any foreseeable reason, and are not in force yet.
protocol PreparedEdits {
    /// The file that they change, where there is one.
    var file: String? { get }

    /// Puts them in force. Letting go of them instead leaves everything as it was.
    func commit() throws
}

/// Changes of a storage that has nothing to prepare.
struct ImmediateEdits: PreparedEdits {
    var file: String? { nil }
    let apply: () throws -> Void

    func commit() throws { try apply() }
}
