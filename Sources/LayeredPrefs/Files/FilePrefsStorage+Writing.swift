import PrefsFiles
import PrefsDocuments

/// The change of a file that follows from its document.
struct FileChange {
    var edits: [PrefsDocument.Edit]
    /// The paths that the writer named, of which an author is not notified.
    var paths: [PrefsPath]
}

extension FilePrefsStorage {
    /// Writes the file's next version beside it and syncs it; the file lock is held until the version is
    /// committed or discarded.
    func prepare(_ edits: [PathEdit]) throws -> any PreparedEdits {
        try checkWritable(edits.first?.path.name)
        return try prepare { document in
            var places = EditPlaces(in: document)
            for edit in edits { places.add(edit) }
            return FileChange(edits: places.edits, paths: edits.map(\.path))
        }
    }

    /// - Parameter change: Returns the change of a document, which is empty if there is no file. Called while
    ///   the file lock is held, and again if the file changes in spite of the lock.
    func prepare(_ change: @escaping (PrefsDocument) throws -> FileChange) throws -> any PreparedEdits {
        try checkWritable(nil)
        return FileEdits(storage: self, change: change, prepared: try prepareWrite(change))
    }

    private func checkWritable(_ key: String?) throws(PrefsError) {
        if options.isWritable { return }
        throw PrefsError(
            .notWritable, key: key, origin: PrefsOrigin(file: path), reason: "read-only storage")
    }

    fileprivate struct Prepared {
        let write: PrefsPreparedWrite
        let paths: [PrefsPath]
    }

    /// Prepared changes of a file.
    private struct FileEdits: PreparedEdits {
        let storage: FilePrefsStorage
        let change: (PrefsDocument) throws -> FileChange
        let prepared: Prepared

        var file: String? { storage.path }

        /// Prepares again if a process that does not lock the file has changed it since.
        func commit() throws {
            var prepared = prepared
            for _ in 1..<PrefsFileWriter.attempts {
                if try storage.commitIfUnchanged(prepared.write, of: prepared.paths) { return }
                prepared = try storage.prepareWrite(change)
            }
            guard try storage.commitIfUnchanged(prepared.write, of: prepared.paths) else {
                throw PrefsFileWriter.keepsChanging(storage.path)
            }
        }
    }

    private func prepareWrite(_ change: (PrefsDocument) throws -> FileChange) throws -> Prepared {
        var paths: [PrefsPath] = []
        let write = try writer.prepare { document in
            let change = try change(document ?? .empty)
            paths = change.paths
            if document == nil, change.edits.allSatisfy({ $0.value == nil }) { return nil }
            let format = options.format ?? document?.format ?? .detecting(bytes: [], path: path)
            return try (document ?? .empty).editing(change.edits, as: format)
        }
        return Prepared(write: write, paths: paths)
    }
}
