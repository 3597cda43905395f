import PrefsSystem
package import PrefsDocuments
package import FileWatching

/// Writes files of preferences. All writes, by every process and thread, take this path.
///
/// The steps: take the file lock; re-read the file, unless it is the version the caller last saw; change the
/// contents; write a temporary file; fsync it; rename it; fsync the folder. So no reader sees a partial file,
/// no change is lost, and a write that has returned is on disk.
///
/// The process needs write permission for the file's folder. A writer's `transform` must not write the same
/// file: it would wait for itself.
///
/// A change by a process that does not take the file lock is detected until just before the rename. What such
/// a process writes between that check and the rename, or to a file that it opened earlier, is lost.
///
/// Beside the file `NAME` lie `.NAME.lock`, which remains, and during a write
/// `.NAME.<16 hexadecimal digits>.tmp`. Links are followed: the link's target is replaced, the link stays.
package struct PrefsFileWriter {
    /// Changes a file.
    ///
    /// - Parameters:
    ///   - format: The format of the file; `nil` for its current one or, if it is new, for XML or the one
    ///     that its name implies.
    ///   - known: The contents that the caller believes the file to have; if the signature still matches, the
    ///     file is not read.
    ///   - transform: Returns the new contents for the old document, which is `nil` if there is no file. It
    ///     runs while the file lock is held, and again if meanwhile a process that does not lock the file has
    ///     changed it, changed the link's target, or removed the lock file. If it returns `nil`, the file is
    ///     left unchanged.
    /// - Returns: The file's signature, which is `nil` if there is still no file, and its document.
    package static func update(
        _ path: String,
        format: PrefsFileFormat? = nil,
        limits: PrefsLimits = .standard,
        policy: PrefsFilePolicy = .any,
        known: (signature: FileSignature, document: PrefsDocument)? = nil,
        options: PrefsFileWriteOptions = PrefsFileWriteOptions(),
        transform: (PrefsDocument?) throws -> [UInt8]?
    ) throws -> (signature: FileSignature?, document: PrefsDocument) {
        for _ in 0..<attempts {
            let write = try prepare(
                path, format: format, limits: limits, policy: policy, known: known, options: options,
                transform: transform)
            if let written = try write.commitIfUnchanged() { return written }
        }
        throw PrefsError(
            .busy, origin: PrefsOrigin(file: path),
            reason: "another process keeps changing the file, or its lock file, without locking it")
    }

    private static let attempts = 8

    /// Performs all steps of a write except the rename, for a write that spans several files.
    ///
    /// The file stays locked until the result is committed, discarded, or released. A caller that prepares
    /// several files does so in the order of their paths; otherwise two callers could wait for each other
    /// until both time out.
    package static func prepare(
        _ path: String,
        format: PrefsFileFormat? = nil,
        limits: PrefsLimits = .standard,
        policy: PrefsFilePolicy = .any,
        known: (signature: FileSignature, document: PrefsDocument)? = nil,
        options: PrefsFileWriteOptions = PrefsFileWriteOptions(),
        transform: (PrefsDocument?) throws -> [UInt8]?
    ) throws -> PrefsPreparedWrite {
        let (target, lock) = try lockedTarget(of: path, options)
        TemporaryFile.sweep(beside: target)
        let file = ExistingFile(path: target, format: format, limits: limits, policy: policy)
        let old = try file.read(known: known, keepingBroken: options.replacesBroken)
        guard let bytes = try transform(old.document), old.document?.isStored(as: bytes) != true else {
            return PrefsPreparedWrite(unchanged: old, of: file, namedBy: path, lock: lock)
        }
        let document = try file.parse(bytes, replacing: old.document)
        return try PrefsPreparedWrite(
            bytes, document: document, replacing: old, of: file, namedBy: path, options: options, lock: lock)
    }

    /// Returns the file to be replaced and its lock. While this waits for the lock, a link may change its
    /// target.
    private static func lockedTarget(
        of path: String, _ options: PrefsFileWriteOptions
    ) throws(PrefsError) -> (String, PrefsFileLock) {
        var target = try target(of: path, options)
        while true {
            let lock = try PrefsFileLock(on: target, timeout: options.lockTimeout)
            let current = try self.target(of: path, options)
            if current == target { return (target, lock) }
            target = current
        }
    }

    /// Returns the path of the file to be replaced, after creating its folder if it is missing.
    private static func target(
        of path: String, _ options: PrefsFileWriteOptions
    ) throws(PrefsError) -> String {
        do {
            let target = try Folder.resolvingLinks(path)
            // If all users may read the file, all users must be able to enter a folder created for it.
            try Folder.create(target.folder, mode: options.creationMode & 0o044 == 0 ? 0o700 : 0o755)
            return target
        } catch let error {
            throw error.error(.unwritable, path, "cannot create the file's folder")
        }
    }
}
