import FileWatching
package import PrefsDocuments
import PrefsSystem

extension PrefsFileWriter {
    /// Replaces a file of any kind as a whole, such as a locks file or an export, with the steps of
    /// ``update(_:)``.
    ///
    /// Unlike ``update(_:)``, it does not create the file's folder.
    ///
    /// - Parameters:
    ///   - onKeepingCopy: Called with the path of the copy that is kept of the old file, as after a conversion;
    ///     `nil` to keep no copy.
    ///   - transform: Returns the new bytes for the old bytes, which are `nil` if there is no file. It runs again
    ///     if a process that does not lock the file has changed it. If it returns `nil`, the file is left
    ///     unchanged.
    package func replace(
        onKeepingCopy: ((String) -> Void)? = nil, _ transform: ([UInt8]?) throws -> [UInt8]?
    ) throws {
        _ = try commit {
            let (file, lock) = try lockedFile(creatingFolders: false)
            let old = try PrefsFileReader.read(file.target, limits: limits, policy: policy)
            let version = ExistingFile.Version(signature: old?.signature)
            let locked = LockedFile(name: path, file: file, version: version, lock: lock)
            guard let bytes = try transform(old?.bytes) else { return PrefsPreparedWrite(unchanged: locked) }
            if let onKeepingCopy, let old { onKeepingCopy(try file.keepCopy(of: old.bytes, as: .converted)) }
            return PrefsPreparedWrite(
                replacing: locked, with: try locked.write(bytes, options), holding: .empty)
        }
    }

    /// Writes a file of any kind as a whole, whatever it contains, such as an export.
    ///
    /// It reads nothing that another writer could change, so it leaves no lock file behind. If there is a lock
    /// file, other programs write the file, too, and this write waits for the lock as they do. It does not
    /// create the file's folder.
    package func write(_ bytes: [UInt8]) throws {
        _ = try commit {
            let (file, lock) = try lockedFile(creatingFolders: false, creatingLock: false)
            let old = try PrefsFileReader.read(file.target, limits: limits, policy: policy)
            let version = ExistingFile.Version(signature: old?.signature)
            let locked = LockedFile(name: path, file: file, version: version, lock: lock)
            return PrefsPreparedWrite(
                replacing: locked, with: try locked.write(bytes, options), holding: .empty)
        }
    }

    /// Renames a file that cannot be parsed, so that the next write starts a new file. The new name is
    /// `NAME.broken`, or the first free name of ``BackupName``. If the path leads through a link, the link
    /// stays, and its target is renamed.
    ///
    /// - Returns: The new path. When this returns, the change is on disk.
    /// - Throws: ``PrefsError``: `unsupported` if the file can be parsed, `missing` if there is no file, `busy`
    ///   if another process has just replaced it, or the reason why it cannot be read or renamed. In all these
    ///   cases nothing is changed. `notDurable` if the file has been renamed, but a crash may undo that.
    package func setBrokenAside() throws(PrefsError) -> String {
        // Also before the file is locked, so that a rejection leaves no lock file.
        try checkBroken()
        let (file, lock) = try lockedFile(creatingFolders: false)
        defer { extendLifetime(lock) }
        let signature = try file.signatureOfBroken()
        try file.checkMode(of: signature)
        guard lock?.isEffective != false, file.signature == signature else {
            throw PrefsError(
                .busy, origin: PrefsOrigin(file: file.path),
                reason: "another process has just changed the file; try again")
        }
        let folder = file.target.folder
        let path = try BackupName.broken.giveFirstFree(beside: file.target) { name throws(Errno) in
            try folder.rename(file.target.name, toFree: name)
        }
        try PrefsError.reporting(
            .notDurable, file.path, "renamed, but a crash may undo that, because the folder cannot be synced"
        ) { () throws(Errno) in try folder.synchronize() }
        return path
    }

    /// Throws if the file is not broken. The file is not locked yet.
    private func checkBroken() throws(PrefsError) {
        let target: PathTarget
        do throws(PrefsError) { target = try PathTargetSearch.target(of: path, creationMode: nil) } catch {
            throw error.errno == ENOENT ? PrefsError(noFile: path) : error
        }
        let file = ExistingFile(target: target, format: format, limits: limits, policy: policy)
        _ = try file.signatureOfBroken()
    }
}

extension PrefsError {
    fileprivate init(noFile path: String) {
        self.init(.missing, origin: PrefsOrigin(file: path), reason: "there is no file; a write creates one")
    }
}

extension ExistingFile {
    /// Returns the signature of a file that cannot be parsed or is too large. Throws for any other file, and for
    /// an empty one.
    fileprivate func signatureOfBroken() throws(PrefsError) -> FileSignature {
        let found = signature
        do throws(PrefsError) {
            guard let file = try PrefsFileReader.read(target, limits: limits, policy: policy) else {
                throw PrefsError(noFile: path)
            }
            do throws(PrefsError) { _ = try parse(file.bytes, replacing: nil) } catch {
                if !file.bytes.isEmpty { return file.signature }
            }
        } catch {
            guard error.code == .tooLarge, let found else { throw error }
            return found
        }
        throw PrefsError(
            .unsupported, origin: origin, reason: "the file is not broken, so it is not put aside")
    }

    private var origin: PrefsOrigin { PrefsOrigin(file: path) }
}
