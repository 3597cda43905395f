package import PrefsDocuments
package import FileWatching

import PrefsSystem

/// A file's next version, written to disk beside it but not yet committed. It holds the file lock.
///
/// It belongs to one thread. If it is neither committed nor discarded, it discards itself.
package final class PrefsPreparedWrite {
    /// The file's contents after the commit.
    package let document: PrefsDocument

    /// The requested path, which may be a link.
    private let path: String
    private let file: ExistingFile
    private let old: ExistingFile.Version
    private var step: Step

    /// The lock belongs to the step and is released when the step is over.
    private enum Step {
        case unchanged(PrefsFileLock)
        case written(TemporaryFile, PrefsFileLock)
        case over
    }

    init(
        unchanged old: ExistingFile.Version, of file: ExistingFile, namedBy path: String, lock: PrefsFileLock
    ) {
        document = old.document ?? .empty
        self.path = path
        self.file = file
        self.old = old
        step = .unchanged(lock)
    }

    init(
        _ bytes: [UInt8], document: PrefsDocument, replacing old: ExistingFile.Version, of file: ExistingFile,
        namedBy path: String, options: PrefsFileWriteOptions, lock: PrefsFileLock
    ) throws(PrefsError) {
        self.document = document
        self.path = path
        self.file = file
        self.old = old
        do {
            let new = try TemporaryFile(beside: file.path)
            try new.write(bytes)
            try Self.applyAttributes(new, as: old, at: file.path, options)
            try new.stamp()
            try new.descriptor.synchronize()
            step = .written(new, lock)
        } catch let error as Errno {
            throw error.error(.unwritable, file.path, "cannot write the file")
        } catch let error as PrefsError {
            throw error
        } catch {
            throw PrefsError(.unwritable, origin: PrefsOrigin(file: file.path), reason: "\(error)")
        }
    }

    /// Commits the new version; when this returns, it is on disk.
    ///
    /// - Returns: The file's signature, which is `nil` if nothing was written and there is no file, and its
    ///   document.
    /// - Throws: `busy` if, since `prepare`, a process that does not lock the file has changed it, made the
    ///   path lead to another file, or removed the lock file; nothing is written then.
    package func commit() throws(PrefsError) -> (signature: FileSignature?, document: PrefsDocument) {
        switch takeState() {
        case .over:
            throw PrefsError(
                .unsupported, origin: PrefsOrigin(file: file.path), reason: "already committed or discarded")
        case .unchanged: return (old.signature, document)
        case .written(let new, let lock):
            defer { extendLifetime(lock) }
            try checkUnchanged(under: lock)
            return (try replace(with: new), document)
        }
    }

    private func replace(with new: TemporaryFile) throws(PrefsError) -> FileSignature? {
        do {
            try new.rename(to: file.path)
            let signature = FileSignature(fileDescriptor: new.descriptor.number)
            try Folder.synchronize(file.path.folder)
            return signature
        } catch let error {
            throw error.error(.unwritable, file.path, "cannot put the new file in place")
        }
    }

    /// Commits; returns `nil` if the file changed since `prepare`, so that another attempt is worthwhile.
    func commitIfUnchanged() throws(PrefsError) -> (signature: FileSignature?, document: PrefsDocument)? {
        do {
            return try commit()
        } catch let error {
            guard error.code == .busy else { throw error }
            return nil
        }
    }

    /// Leaves the file unchanged.
    package func discard() {
        _ = takeState()
    }

    private func takeState() -> Step {
        defer { step = .over }
        return step
    }

    /// Throws if another process did what the file lock cannot prevent.
    private func checkUnchanged(under lock: PrefsFileLock) throws(PrefsError) {
        guard lock.isEffective else { throw conflict("removed the lock file") }
        guard (try? Folder.resolvingLinks(path)) == file.path else {
            throw conflict("changed the target of the link \(path)")
        }
        guard try file.isStill(old) else { throw conflict("changed the file without locking it") }
    }

    private func conflict(_ deed: String) -> PrefsError {
        PrefsError(
            .busy, origin: PrefsOrigin(file: file.path),
            reason: "another process \(deed) during the write; try again")
    }

    static func applyAttributes(
        _ file: TemporaryFile, as old: ExistingFile.Version, at target: String,
        _ options: PrefsFileWriteOptions
    ) throws {
        guard old.signature != nil else {
            guard fchmod(file.descriptor.number, mode_t(options.creationMode)) == 0 else {
                throw Errno.last
            }
            return
        }
        // Without O_NONBLOCK, opening a pipe that has replaced the file would block.
        let original = try Descriptor(opening: target, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW)
        try FileAttributes(path: target, accepted: options.mayDrop)
            .copy(from: original, to: file.descriptor)
    }
}
