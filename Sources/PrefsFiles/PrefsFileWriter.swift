import PrefsSystem
package import PrefsDocuments
package import FileWatching

/// The one way in which files of preferences are written, by any process and thread.
///
/// Lock; re-read, unless the file is what the caller last saw; change; write beside; fsync; rename; fsync the
/// folder. Nobody ever sees half a file, no change is lost, and what the caller is told is saved is on disk.
///
/// Writing needs the right to write in the file's folder. A writer's `transform` must not write the same file:
/// it would wait for itself.
///
/// Who writes the file without this lock is seen until the very rename; what such a writer does between the
/// last look and the rename, or to a file it opened before, is lost.
///
/// Beside the file `NAME` lie `.NAME.lock`, which stays, and for the time of a write
/// `.NAME.<16 hexadecimal digits>.tmp`. A link is followed: its target is replaced, the link stays.
package struct PrefsFileWriter {
    /// Changes a file.
    ///
    /// - Parameters:
    ///   - format: The format of the file; `nil` for the one it has, XML or by name if it is new.
    ///   - known: What the caller believes the file holds; if its signature is still the file's, it is not read.
    ///   - transform: Makes the new content of the old document, which is `nil` if there is no file. It runs
    ///     under the lock, and again if somebody who does not lock changed the file meanwhile, let the link
    ///     lead elsewhere, or removed the lock. `nil`: leave the file alone.
    /// - Returns: The file's signature, `nil` if there is no file still, and its document.
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
            if let written = try write.commitUnlessOvertaken() { return written }
        }
        throw PrefsError(
            .busy, origin: PrefsOrigin(file: path),
            reason: "the file, or its lock, keeps being changed by somebody who does not lock it")
    }

    private static let attempts = 8

    /// The first half of a write, for one that spans several files: everything but the rename.
    ///
    /// The file stays locked until the result commits, discards, or goes away. Whoever prepares several files
    /// does so in the order of their paths, or two of them could wait for each other until their time is up.
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

    /// The file that is replaced, and its lock: while we wait for it, a link may come to lead elsewhere.
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

    /// The file that is replaced; its folder exists afterwards.
    private static func target(
        of path: String, _ options: PrefsFileWriteOptions
    ) throws(PrefsError) -> String {
        do {
            let target = try Folder.resolvingLinks(path)
            // A folder for a file that everybody may read is one that everybody may enter.
            try Folder.create(target.folder, mode: options.creationMode & 0o044 == 0 ? 0o700 : 0o755)
            return target
        } catch let error {
            throw error.error(.unwritable, path, "cannot create the file's folder")
        }
    }
}
