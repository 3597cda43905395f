import PrefsDocuments
import PrefsSystem

extension PrefsFileWriter {
    /// Replaces a file of any kind as a whole, such as a locks file or an export, by the steps of
    /// ``update(_:)``.
    ///
    /// Unlike ``update(_:)``, it does not create the file's folder.
    ///
    /// - Parameter transform: Returns the new bytes for the old ones, which are `nil` if there is no file. If
    ///   it returns `nil`, the file is left unchanged.
    package func replace(_ transform: ([UInt8]?) throws -> [UInt8]?) throws {
        let target = try target(creatingFolders: false)
        let lock = try PrefsFileLock(on: target, timeout: options.lockTimeout)
        defer { extendLifetime(lock) }
        TemporaryFile.sweep(beside: target)
        let file = ExistingFile(target: target, format: format, limits: limits, policy: policy)
        let old = try PrefsFileReader.read(target, limits: limits, policy: policy)
        guard let bytes = try transform(old?.bytes) else { return }
        let version = ExistingFile.Version(signature: old?.signature)
        let locked = LockedFile(name: path, file: file, version: version, lock: lock)
        _ = try locked.replace(with: try locked.write(bytes, options))
    }
}
