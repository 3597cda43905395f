import PrefsDocuments
import PrefsSystem

extension PrefsFileWriter {
    /// Replaces a file of any kind as a whole, such as a locks file or an export, by the steps of
    /// ``update(_:)``.
    ///
    /// Unlike ``update(_:)``, it does not create the file's folder.
    ///
    /// - Parameter transform: Returns the new bytes for the old ones, which are `nil` if there is no file. It
    ///   runs again if a process that does not lock the file has changed it. If it returns `nil`, the file is
    ///   left unchanged.
    package func replace(_ transform: ([UInt8]?) throws -> [UInt8]?) throws {
        for _ in 0..<Self.attempts {
            if try replaceOnce(transform) { return }
        }
        throw Self.keepsChanging(path)
    }

    /// Returns false if another process changed the file without locking it.
    private func replaceOnce(_ transform: ([UInt8]?) throws -> [UInt8]?) throws -> Bool {
        let target = try target(creatingFolders: false)
        let lock = try PrefsFileLock(on: target, timeout: options.lockTimeout)
        defer { extendLifetime(lock) }
        TemporaryFile.sweep(beside: target)
        let file = ExistingFile(target: target, format: format, limits: limits, policy: policy)
        let old = try PrefsFileReader.read(target, limits: limits, policy: policy)
        guard let bytes = try transform(old?.bytes) else { return true }
        let version = ExistingFile.Version(signature: old?.signature)
        let locked = LockedFile(name: path, file: file, version: version, lock: lock)
        let new = try locked.write(bytes, options)
        do {
            try locked.checkUnchanged()
        } catch let error {
            guard error.code == .busy else { throw error }
            return false
        }
        _ = try locked.put(new)
        try LockedFile.synchronize(new, locked.path)
        return true
    }
}
