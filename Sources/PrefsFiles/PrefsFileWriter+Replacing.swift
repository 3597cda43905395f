import PrefsDocuments

extension PrefsFileWriter {
    /// Replaces a file of any kind as a whole, such as a locks file or an export, by the steps of
    /// ``update(_:)``.
    ///
    /// Unlike ``update(_:)``, it does not create the file's folder.
    ///
    /// - Parameters:
    ///   - onKeepingCopy: Called with the path of the copy that is kept of the old file, as after a conversion; `nil` to
    ///     keep none.
    ///   - transform: Returns the new bytes for the old ones, which are `nil` if there is no file. It runs again if a
    ///     process that does not lock the file has changed it. If it returns `nil`, the file is left unchanged.
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
    /// It reads nothing that another writer could change, so it leaves no lock file behind. If there is one, other
    /// programs write the file, too; then this waits for the file lock as they do. It does not create the file's folder.
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
}
