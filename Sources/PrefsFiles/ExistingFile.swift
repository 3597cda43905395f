import PrefsDocuments
import FileWatching

import PrefsSystem

/// The file as a writer finds it while holding the file lock.
struct ExistingFile {
    let target: PathTarget
    let format: PrefsFileFormat?
    let limits: PrefsLimits
    let policy: PrefsFilePolicy

    /// The path with links resolved.
    var path: String { target.path }

    /// The file's contents. The signature and the document are `nil` if there is no file. Only the document is
    /// `nil` if the file is empty, or is broken and may be replaced.
    struct Version {
        var signature: FileSignature?
        var document: PrefsDocument?
        /// The path of the copy that is kept of a broken file.
        var copy: String?
        /// True if the signature suffices to detect a change.
        var isSettled = true
    }

    func read(
        known: (signature: FileSignature, document: PrefsDocument)?, keepingBroken: Bool
    ) throws(PrefsError) -> Version {
        if let known, signature == known.signature {
            return Version(signature: known.signature, document: known.document)
        }
        let start = FileSignature.now
        guard let file = try PrefsFileReader.read(target, limits: limits, policy: policy) else {
            return Version()
        }
        do {
            return Version(
                signature: file.signature, document: try parse(file.bytes, replacing: nil),
                isSettled: file.signature.showsChanges(since: start))
        } catch let error {
            // A file without contents, as `touch` or a crash of another program leaves it, has nothing to lose.
            if file.bytes.isEmpty { return Version(signature: file.signature) }
            guard !keepingBroken else {
                return Version(signature: file.signature, copy: try keepCopy(of: file.bytes, as: .broken))
            }
            throw PrefsError(
                .broken, key: error.key, origin: error.origin,
                reason: "not written because the existing file is invalid: \(error.reason)")
        }
    }

    /// Returns true if the file has not changed since this version was read.
    func isStill(_ version: Version) throws(PrefsError) -> Bool {
        guard signature == version.signature else { return false }
        guard !version.isSettled, let document = version.document else { return true }
        let file = try PrefsFileReader.read(target, limits: limits, policy: policy)
        return file?.bytes == document.bytes
    }

    /// Throws if the owner has made the file read-only.
    ///
    /// The mode asks programs to leave the file alone. Replacing the file would not need the permission.
    func checkMode(of signature: FileSignature) throws(PrefsError) {
        guard signature.mode & 0o222 != 0 || geteuid() == 0 else {
            throw PrefsError(
                .unwritable, origin: PrefsOrigin(file: path), errno: EACCES,
                reason: "not written because the file is read-only\(remedy(forFileOf: signature.owner))")
        }
    }

    /// Returns advice about a read-only file. Only its owner and root can change the mode.
    private func remedy(forFileOf owner: uid_t) -> String {
        let command = "`chmod u+w \(ShellWord.quoting(path))`"
        return switch owner {
        case geteuid(): "; to let programs change it, run \(command)"
        case 0: " and belongs to root; make the change as root"
        default: " and belongs to user \(owner); make the change as root, or as that user after \(command)"
        }
    }

    /// The signature of the file that has the name now.
    var signature: FileSignature? {
        (try? target.folder.status(of: target.name)).map(FileSignature.init)
    }

    func parse(_ bytes: [UInt8], replacing old: PrefsDocument?) throws(PrefsError) -> PrefsDocument {
        let format = format ?? old?.format ?? PrefsFileFormat.detecting(bytes: bytes, path: path)
        return try PrefsDocument(parsing: bytes, replacing: old, as: format, path: path, limits: limits)
    }

    /// Saves the file's old contents under the first free name of a kind, such as `NAME.broken`, and returns the
    /// path of the copy. The copy gets the owner and the permissions of the file, as far as this process may set
    /// them. If a copy with these contents exists, it suffices.
    func keepCopy(of bytes: [UInt8], as kind: BackupName) throws(PrefsError) -> String {
        let file = try PrefsError.reporting(.unwritable, path, Self.noCopy) { () throws(Errno) in
            let file = try TemporaryFile(of: target.name, in: target.folder)
            try file.descriptor.write(bytes)
            return file
        }
        if let original = try? target.folder.openEntry(target.name, O_RDONLY | O_NONBLOCK | O_NOCTTY) {
            try FileAttributes(path: path, accepted: .all).copy(from: original, to: file.descriptor)
        }
        try PrefsError.reporting(.unwritable, path, Self.noCopy) { () throws(Errno) in
            try file.descriptor.synchronize()
        }
        return try kind.giveFirstFree(beside: target) { name throws(Errno) in
            if try !holds(name, bytes) { try file.rename(toFree: name) }
        }
    }

    private static let noCopy = "cannot save a copy of the file"

    /// Returns true if a file in the folder has these contents. An earlier attempt may have left such a copy.
    private func holds(_ name: RawPath, _ bytes: [UInt8]) throws(Errno) -> Bool {
        guard let status = try target.folder.status(of: name), status.st_size == bytes.count else {
            return false
        }
        let copy = PathTarget(folder: target.folder, name: name, status: status)
        guard status.isRegularFile else { return false }
        return (try? PrefsFileReader.read(copy, limits: limits, policy: .any))?.bytes == bytes
    }
}
