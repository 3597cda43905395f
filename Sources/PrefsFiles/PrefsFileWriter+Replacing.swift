import PrefsDocuments
import PrefsSystem

extension PrefsFileWriter {
    /// Replaces a file of any kind as a whole, such as a locks file or an export, by the steps of ``update``.
    ///
    /// Unlike ``update``, it does not create the file's folder.
    ///
    /// - Parameters:
    ///   - creationMode: The permissions of a new file; an existing one keeps its own.
    ///   - transform: Returns the new bytes for the old ones, which are `nil` if there is no file. If it
    ///     returns `nil`, the file is left unchanged.
    package static func replace(
        _ path: String, creationMode: UInt32 = 0o600, transform: ([UInt8]?) throws -> [UInt8]?
    ) throws {
        let options = PrefsFileWriteOptions(creationMode: creationMode)
        do {
            let target = try Folder.resolvingLinks(path)
            guard try linkStatus(of: target.folder) != nil else {
                throw Errno(ENOENT).error(.unwritable, path, "cannot write to \(target.folder)")
            }
            let lock = try PrefsFileLock(on: target, timeout: options.lockTimeout)
            defer { extendLifetime(lock) }
            TemporaryFile.sweep(beside: target)
            let old = try PrefsFileReader.read(target)
            guard let bytes = try transform(old?.bytes) else { return }
            let new = try TemporaryFile(beside: target)
            try new.write(bytes)
            try PrefsPreparedWrite.applyAttributes(
                new, as: ExistingFile.Version(signature: old?.signature), at: target, options)
            try new.stamp()
            try new.descriptor.synchronize()
            try new.rename(to: target)
            try Folder.synchronize(target.folder)
        } catch let error as Errno {
            throw error.error(.unwritable, path, "cannot write the file")
        }
    }
}
