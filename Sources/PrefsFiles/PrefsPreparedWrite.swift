package import PrefsDocuments
package import FileWatching
import PrefsSystem

/// A file's next version, written to disk beside it but not yet committed. It holds the file lock.
///
/// It belongs to one thread. If it is neither committed nor discarded, it discards itself.
package final class PrefsPreparedWrite {
    /// The file's contents after the commit.
    package let document: PrefsDocument

    private let path: String
    /// The file and its next version; the version is `nil` if the file stays as it is. After the write this is
    /// `nil`, which releases the file lock with the file.
    private var step: (file: LockedFile, new: NextVersion?)?
    /// Syncs the folder of the committed file; `nil` before the commit, and once nothing is left to sync.
    private var sync: (() throws(Errno) -> Void)?

    /// Prepares to leave the file as it is.
    init(unchanged file: LockedFile) {
        document = file.version.document ?? .empty
        path = file.path
        step = (file, nil)
    }

    /// Prepares to replace the file with a version that has been written beside it.
    init(replacing file: LockedFile, with new: NextVersion, holding document: PrefsDocument) {
        self.document = document
        path = file.path
        step = (file, new)
    }

    /// Commits the new version: when this returns, every process reads it. ``synchronize()`` makes it durable.
    ///
    /// - Returns: The file's signature, which is `nil` if nothing was written and there is no file, and its
    ///   document.
    /// - Throws: `busy` if, since `prepare`, a process that does not lock the file has changed it, made the
    ///   path lead to another file, or removed the lock file; nothing is written then.
    package func commit() throws(PrefsError) -> (signature: FileSignature?, document: PrefsDocument) {
        guard let (file, new) = step.take() else {
            throw PrefsError(
                .unsupported, origin: PrefsOrigin(file: path), reason: "already committed or discarded")
        }
        guard let new else {
            // The writer that put this version in place may not have synced the folder yet, or may have failed to.
            if file.version.signature != nil { sync = file.file.target.folder.synchronize }
            return (file.version.signature, document)
        }
        defer { extendLifetime(file.lock) }
        try file.checkUnchanged()
        let signature = try file.put(new)
        if case .beside(_, let entries) = new { sync = entries.synchronize }
        return (signature, document)
    }

    /// Waits until the committed version is on disk.
    ///
    /// - Throws: `notDurable` if syncing fails. The new version is in place nevertheless.
    package func synchronize() throws(PrefsError) {
        guard let sync = sync.take() else { return }
        try PrefsError.reporting(
            .notDurable, path, "stored, but a crash may undo it, because the folder cannot be synced", sync)
    }

    /// Commits. Returns `nil` if the file has changed since `prepare`, so that another attempt is worthwhile.
    package func commitIfUnchanged() throws(PrefsError) -> (
        signature: FileSignature?, document: PrefsDocument
    )? {
        do {
            return try commit()
        } catch let error {
            guard error.code == .busy else { throw error }
            return nil
        }
    }

    /// Leaves the file unchanged.
    package func discard() { step = nil }
}
