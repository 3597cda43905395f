import PrefsFiles
import PrefsDocuments
import PrefsSystem

extension FilePrefsStorage {
    /// Writes the file's next version beside the file and syncs it. The file lock is held until the version
    /// is committed or discarded.
    func prepare(_ edits: PathEdits) throws -> any PreparedEdits {
        try checkWritable(nil)
        return try prepareWrite { [self] document in
            var places = EditPlaces(in: document)
            let contents = PrefsSource(.node(document.root), file: path)
            let edits = try contents.clearingTheWay(for: edits.edits(of: contents))
            for edit in edits { places.add(edit) }
            return (places.edits, secret: edits.first(where: \.isSecret)?.path.name)
        }
    }

    /// - Parameter change: Returns the edits of a document, which is empty if there is no file. It is called
    ///   while the file lock is held, and called again if the file changes in spite of the lock.
    func prepare(_ change: @escaping (PrefsDocument) throws -> [PrefsDocument.Edit]) throws
        -> any PreparedEdits
    {
        try checkWritable(nil)
        return try prepareWrite { (try change($0), secret: nil) }
    }

    /// Puts a broken file aside, so that settings can be saved again.
    ///
    /// While a file cannot be parsed, every write to it throws, because the file may contain something to
    /// rescue. For example, a file can be full of NUL bytes after a power failure. This method renames such a
    /// file, in its folder, to `NAME.broken`. If that name exists, the new name is `NAME.broken.1`, and so
    /// on. The storage is then empty, and the next write creates a new file. If a link leads to the file, the
    /// link stays.
    ///
    /// The library never calls this method automatically. Call it when your user has agreed, for example.
    ///
    /// - Returns: The new path of the broken file. The change is on disk.
    /// - Throws: ``PrefsError``. Its code is `unsupported` if the file is not broken, `missing` if there is
    ///   no file, and `unwritable` if the file or its folder is read-only. Nothing is changed then. If the
    ///   code is `notDurable`, the file has its new name, but a crash may undo that.
    @discardableResult
    public func repair() throws -> String {
        try checkWritable(nil)
        let path = try writtenPath()
        do throws(PrefsError) {
            let kept = try writer(of: path).setBrokenAside()
            adopt(nil, .empty, at: path)?()
            return kept
        } catch {
            // Even then, the file has its new name.
            if error.code == .notDurable { adopt(nil, .empty, at: path)?() }
            throw error
        }
    }

    /// Returns the edits of a document, and the name of the first key that stores a secret; `nil` if none does.
    private typealias Change = (PrefsDocument) throws -> (edits: [PrefsDocument.Edit], secret: String?)

    func checkWritable(_ key: String?) throws(PrefsError) {
        try UpdateCall.checkHasEnded(writing: key)
        if options.isWritable { return }
        throw PrefsError(
            .notWritable, key: key, origin: PrefsOrigin(file: path), reason: "this storage is read-only")
    }

    /// Prepared changes of a file.
    private struct FileEdits: PreparedEdits {
        let storage: FilePrefsStorage
        let change: Change
        let write: PrefsPreparedWrite
        /// The file that is written.
        let path: String
        /// The name of a key whose secret is stored; `nil` if there is none.
        let secret: String?

        var file: String? { path }

        var preview: PrefsSource? {
            let root = PrefsContent.node(write.document.root)
            return storage.source.published.value.next(root, in: path, isAbsent: false, cause: .write).0
        }

        func commit() throws -> CommittedEdits? {
            guard var committed = try storage.commitIfUnchanged(write, of: path) else { return nil }
            guard let warning = secret.flatMap({ storage.warning(ofReadersOf: path, with: $0) }) else {
                return committed
            }
            let (diagnostics, next) = (storage.diagnostics, committed.notifyObservers)
            committed.notifyObservers = {
                diagnostics.report(.warning, warning)
                next?()
            }
            return committed
        }

        func discard() { write.discard() }

        func preparedAgain() throws -> any PreparedEdits { try storage.prepareWrite(change) }
    }

    private func writtenPath() throws(PrefsError) -> String {
        try source.withPlace { place throws(PrefsError) in try place.writtenPath() }
    }

    /// Returns the warning that all users may read the secrets in a file, unless it was given before.
    private func warning(ofReadersOf path: String, with key: String) -> PrefsError? {
        guard isReadableByAll(path), source.withPlace({ $0.isNewsThatOthersRead(path) }) else { return nil }
        return PrefsError(
            .untrusted, key: key, origin: PrefsOrigin(file: path),
            reason: "all users may read this secret; prevent that with `chmod o-r`")
    }

    private func prepareWrite(_ change: @escaping Change) throws -> FileEdits {
        for _ in 1..<PrefsFileWriter.attempts {
            do {
                let path = try writtenPath()
                let (write, secret) = try prepareWrite(to: path, change)
                return FileEdits(storage: self, change: change, write: write, path: path, secret: secret)
            } catch is FileMoved {}
        }
        throw PrefsFileWriter.keepsChanging(path)
    }

    private func prepareWrite(
        to path: String, _ change: Change
    ) throws -> (write: PrefsPreparedWrite, secret: String?) {
        do {
            return try preparedWrite(to: path, change)
        } catch var error as PrefsError where error.code == .broken && !options.isOfSystem {
            error.reason += """
                ; run `prefs repair --layer \(ShellWord.quoting("user=\(path)"))`, or call `repair()` of the storage, \
                to put the file aside and start a new one
                """
            throw error
        }
    }

    private func preparedWrite(
        to path: String, _ change: Change
    ) throws -> (write: PrefsPreparedWrite, secret: String?) {
        var secret: String?
        let write = try writer(of: path).prepare(isPrivate: { secret != nil }) { document in
            // While this call waited for the file lock, the file may have been converted to another format.
            guard try writtenPath() == path else { throw FileMoved() }
            let change = try change(document ?? .empty)
            secret = change.secret
            if document == nil, change.edits.allSatisfy({ $0.value == nil }) { return nil }
            let format = options.format ?? document?.format ?? .detecting(bytes: [], path: path)
            do throws(PrefsError) {
                return try (document ?? .empty).editing(change.edits, as: format)
            } catch {
                throw error.located(in: path)
            }
        }
        return (write, secret)
    }
}

extension PrefsError {
    /// Returns the error with the file, if it names a position in a file.
    fileprivate func located(in path: String) -> PrefsError {
        guard origin?.position != nil, origin?.file == nil else { return self }
        var error = self
        error.origin?.file = path
        return error
    }
}

/// The file to write is now another file.
private struct FileMoved: Error {}
