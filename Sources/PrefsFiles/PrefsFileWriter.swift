import PrefsSystem
package import PrefsDocuments
package import FileWatching

/// Writes files of preferences. All writes, by every process and thread, take this path.
///
/// The steps: take the file lock; re-read the file, unless it is the version that the caller last saw; change
/// the contents; open the folder; write a temporary file; fsync it; rename it; fsync the folder. So no reader
/// sees a partial file, no change is lost, and a write that has returned is on disk. A failure before the rename
/// changes nothing. After the rename, only the last step can fail, with the error `notDurable`. If something is
/// mounted over the file itself, the file is written in place, provided that
/// ``PrefsFileWriteOptions/overwritesMounted`` is true.
///
/// The process needs write permission for the file's folder. A writer's `transform` must not write the same
/// file: it would wait for itself.
///
/// A change by a process that does not take the file lock is detected until just before the rename. Anything that
/// such a process writes between that check and the rename is lost. So is anything that it writes later to the old
/// file, if it opened that file earlier.
///
/// Beside the file `NAME` is its lock file `.NAME.lock`, which remains. During a write there is also a file
/// `.NAME.<16 hexadecimal digits>.tmp`. Links are followed: the writer replaces the link's target, and the link
/// stays.
package struct PrefsFileWriter {
    let path: String
    let format: PrefsFileFormat?
    let limits: PrefsLimits
    let policy: PrefsFilePolicy
    private let known: (signature: FileSignature, document: PrefsDocument)?
    let options: PrefsFileWriteOptions
    /// Called with the path of the copy that is kept of a broken file.
    private let onKeepingBroken: (String) -> Void

    /// Creates a writer of one file.
    ///
    /// - Parameters:
    ///   - format: The format of the file. If it is `nil`, a file keeps its format, and a new file gets the
    ///     format that its name implies, or else XML.
    ///   - known: The contents that the caller believes the file to have. If the signature still matches, the
    ///     writer does not read the file.
    ///   - onKeepingBroken: Called, while the file lock is held, with the path of the copy that is kept of a broken
    ///     file.
    package init(
        _ path: String,
        format: PrefsFileFormat? = nil,
        limits: PrefsLimits = .standard,
        policy: PrefsFilePolicy = .any,
        known: (signature: FileSignature, document: PrefsDocument)? = nil,
        options: PrefsFileWriteOptions = PrefsFileWriteOptions(),
        onKeepingBroken: @escaping (String) -> Void = { _ in }
    ) {
        self.path = path
        self.format = format
        self.limits = limits
        self.policy = policy
        self.known = known
        self.options = options
        self.onKeepingBroken = onKeepingBroken
    }

    /// Changes the file.
    ///
    /// - Parameter transform: Returns the new contents for the old document, which is `nil` if there is no file.
    ///   It runs while the file lock is held. It runs again if meanwhile a process that does not lock the file
    ///   has changed it, changed the link's target, or removed the lock file. If it returns `nil`, the file is
    ///   left unchanged.
    /// - Returns: The file's signature, which is `nil` if there is still no file, and its document.
    package func update(
        _ transform: (PrefsDocument?) throws -> [UInt8]?
    ) throws -> (signature: FileSignature?, document: PrefsDocument) {
        try commit { try prepare(transform) }
    }

    /// Prepares and commits a write. Tries again if another process has changed the file meanwhile without
    /// locking it.
    func commit(
        _ prepare: () throws -> PrefsPreparedWrite
    ) throws -> (signature: FileSignature?, document: PrefsDocument) {
        for _ in 0..<Self.attempts {
            let write = try prepare()
            guard let written = try write.commitIfUnchanged() else { continue }
            try write.synchronize()
            return written
        }
        throw Self.keepsChanging(path)
    }

    /// The number of attempts to write a file that another process changes without locking it.
    package static let attempts = 8

    /// Returns the error for a file that every attempt found changed.
    package static func keepsChanging(_ path: String) -> PrefsError {
        PrefsError(
            .busy, origin: PrefsOrigin(file: path),
            reason:
                "not written because another process keeps changing the file, or its lock file, without locking it; try again"
        )
    }

    /// Performs all steps of a write except the rename, for a write that spans several files.
    ///
    /// The file stays locked until the result is committed, discarded, or released. A caller that prepares
    /// several files must do so in the order of their ``PrefsFileIdentity``. Otherwise, two callers could wait for
    /// each other until both time out.
    ///
    /// - Parameters:
    ///   - isPrivate: Called after `transform`; returns true if only the owner may read the file if it is new, whatever
    ///     the options say.
    ///   - transform: Returns the new contents, as for ``update(_:)``.
    package func prepare(
        isPrivate: () -> Bool, _ transform: (PrefsDocument?) throws -> [UInt8]?
    ) throws -> PrefsPreparedWrite {
        let (file, lock) = try lockedFile(creatingFolders: true)
        let version = try file.read(known: known, keepingBroken: options.replacesBroken)
        if let copy = version.copy { onKeepingBroken(copy) }
        let locked = LockedFile(name: path, file: file, version: version, lock: lock)
        let old = version.document
        guard let bytes = try transform(old), old?.isStored(as: bytes) != true else {
            return PrefsPreparedWrite(unchanged: locked)
        }
        let document = try file.parse(bytes, replacing: old)
        var options = options
        if isPrivate() { options.creationMode &= 0o700 }
        return PrefsPreparedWrite(
            replacing: locked, with: try locked.write(bytes, options), holding: document)
    }

    /// Performs all steps of a write except the rename, with the mode of the options if the file is new.
    package func prepare(_ transform: (PrefsDocument?) throws -> [UInt8]?) throws -> PrefsPreparedWrite {
        try prepare(isPrivate: { false }, transform)
    }

    /// Returns the file to be replaced and its lock. If the path leads elsewhere once the file is locked, starts
    /// again with the new file.
    ///
    /// - Parameter creatingLock: False to do without the lock if there is no lock file.
    func lockedFile(
        creatingFolders: Bool, creatingLock: Bool = true
    ) throws(PrefsError) -> (ExistingFile, PrefsFileLock?) {
        var target = try target(creatingFolders: creatingFolders)
        while true {
            let isLocked = creatingLock || PrefsFileLock.hasFile(beside: target)
            let lock = isLocked ? try PrefsFileLock(on: target, timeout: options.lockTimeout) : nil
            let current = try self.target(creatingFolders: creatingFolders)
            if (try? current.isSame(as: target)) == true {
                if isLocked { TemporaryFile.sweep(beside: current) }
                let file = ExistingFile(target: current, format: format, limits: limits, policy: policy)
                return (file, lock)
            }
            target = current
        }
    }

    /// Returns the file to be replaced.
    private func target(creatingFolders: Bool) throws(PrefsError) -> PathTarget {
        // If all users may read the file, all users must be able to enter a folder created for it.
        let mode: mode_t = options.creationMode & 0o044 == 0 ? 0o700 : 0o755
        return try PathTargetSearch.target(of: path, creationMode: creatingFolders ? mode : nil)
    }
}
