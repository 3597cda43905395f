import PrefsFiles
import PrefsDocuments

extension FilePrefsStorage {
    /// Writes the file's next version beside it and syncs it; the file lock is held until the version is
    /// committed or discarded.
    func prepare(_ edits: PathEdits) throws -> any PreparedEdits {
        try prepare { [self] document in
            var places = EditPlaces(in: document)
            for edit in try edits.edits(of: PrefsSource(.node(document.root), file: path)) {
                places.add(edit)
            }
            return places.edits
        }
    }

    /// - Parameter change: Returns the edits of a document, which is empty if there is no file. Called while
    ///   the file lock is held, and again if the file changes in spite of the lock.
    func prepare(_ change: @escaping (PrefsDocument) throws -> [PrefsDocument.Edit]) throws
        -> any PreparedEdits
    {
        try checkWritable(nil)
        return try prepareWrite(change)
    }

    func checkWritable(_ key: String?) throws(PrefsError) {
        if options.isWritable { return }
        throw PrefsError(
            .notWritable, key: key, origin: PrefsOrigin(file: path), reason: "read-only storage")
    }

    /// Prepared changes of a file.
    private struct FileEdits: PreparedEdits {
        let storage: FilePrefsStorage
        let change: (PrefsDocument) throws -> [PrefsDocument.Edit]
        let write: PrefsPreparedWrite
        /// The file that is written.
        let path: String

        var file: String? { path }

        var preview: PrefsSource? {
            let root = PrefsContent.node(write.document.root)
            return storage.source.published.value.next(root, in: path, isAbsent: false, cause: .write).0
        }

        func commit() throws -> CommittedEdits? { try storage.commitIfUnchanged(write, of: path) }

        func preparedAgain() throws -> any PreparedEdits { try storage.prepareWrite(change) }
    }

    private func writtenPath() throws(PrefsError) -> String {
        try source.withPlace { place throws(PrefsError) in try place.writtenPath() }
    }

    private func prepareWrite(
        _ change: @escaping (PrefsDocument) throws -> [PrefsDocument.Edit]
    ) throws -> FileEdits {
        for _ in 1..<PrefsFileWriter.attempts {
            do {
                let path = try writtenPath()
                let write = try prepareWrite(to: path, change)
                return FileEdits(storage: self, change: change, write: write, path: path)
            } catch is FileMoved {}
        }
        throw PrefsFileWriter.keepsChanging(path)
    }

    private func prepareWrite(
        to path: String, _ change: (PrefsDocument) throws -> [PrefsDocument.Edit]
    ) throws -> PrefsPreparedWrite {
        try writer(of: path).prepare { document in
            // While this waited for the file lock, the file may have been converted to another format.
            guard try writtenPath() == path else { throw FileMoved() }
            let edits = try change(document ?? .empty)
            if document == nil, edits.allSatisfy({ $0.value == nil }) { return nil }
            let format = options.format ?? document?.format ?? .detecting(bytes: [], path: path)
            do throws(PrefsError) {
                return try (document ?? .empty).editing(edits, as: format)
            } catch {
                throw error.located(in: path)
            }
        }
    }
}

extension PrefsError {
    /// The error with the file, if it names a position in one.
    fileprivate func located(in path: String) -> PrefsError {
        guard origin?.position != nil, origin?.file == nil else { return self }
        var error = self
        error.origin?.file = path
        return error
    }
}

/// The file to write is another one now.
private struct FileMoved: Error {}
