import PrefsDocuments
import PrefsSystem
import FileWatching

/// A file as a writer found it, together with the file lock that the writer holds, if it needs one.
struct LockedFile {
    /// The requested path, which may be a link.
    let name: String
    let file: ExistingFile
    /// The contents that the next version is based on.
    let version: ExistingFile.Version
    let lock: PrefsFileLock?

    private var target: PathTarget { file.target }

    /// The path with links resolved.
    var path: String { file.path }

    /// Writes the next version beside the file, with the file's attributes, and syncs it.
    ///
    /// - Throws: ``PrefsError`` for anything that can be known in advance to prevent the commit.
    func write(_ bytes: [UInt8], _ options: PrefsFileWriteOptions) throws(PrefsError) -> NextVersion {
        if target.folder.isMountedOver(target.name) { return try overwriting(bytes, options) }
        let entries = try PrefsError.reporting(
            .unwritable, path, "cannot open the file's folder, which this user needs the permission to read"
        ) {
            () throws(Errno) in try target.folder.entries()
        }
        let new = try reporting { () throws(Errno) in
            let new = try TemporaryFile(of: target.name, in: target.folder)
            try new.descriptor.write(bytes)
            return new
        }
        try applyAttributes(to: new, options)
        try reporting { () throws(Errno) in
            try new.descriptor.stamp()
            try new.descriptor.synchronize()
        }
        return .beside(new, entries)
    }

    private func overwriting(
        _ bytes: [UInt8], _ options: PrefsFileWriteOptions
    ) throws(PrefsError) -> NextVersion {
        guard options.overwritesMounted else {
            throw PrefsError(
                .unwritable, origin: PrefsOrigin(file: path), errno: EBUSY,
                reason:
                    "cannot replace the file, because it is mounted by itself; mount its folder instead, or "
                    + "let the program set `PrefsFileWriteOptions.overwritesMounted`")
        }
        return .inPlace(
            try reporting { () throws(Errno) in
                try OverwrittenFile(target.name, in: target.folder, holding: bytes)
            })
    }

    private func applyAttributes(
        to new: TemporaryFile, _ options: PrefsFileWriteOptions
    ) throws(PrefsError) {
        guard let signature = version.signature else {
            return try reporting { () throws(Errno) in
                // Otherwise a user could not read settings that were first written under sudo.
                if geteuid() == 0 { try new.descriptor.takeOwner(of: try target.folder.status()) }
                guard fchmod(new.descriptor.number, mode_t(options.creationMode)) == 0 else { throw .last }
            }
        }
        try file.checkMode(of: signature)
        // Without O_NONBLOCK, opening a pipe that has replaced the file would block.
        let original = try reporting { () throws(Errno) in
            try target.folder.openEntry(target.name, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        }
        try FileAttributes(path: path, accepted: options.mayDrop).copy(from: original, to: new.descriptor)
    }

    private func reporting<Value: ~Copyable>(
        _ body: () throws(Errno) -> Value
    ) throws(PrefsError) -> Value {
        try PrefsError.reporting(.unwritable, path, "cannot write the file", body)
    }

    /// Puts the next version in place. It is on disk once the folder's entries have been synced, too.
    func put(_ new: NextVersion) throws(PrefsError) -> FileSignature? {
        switch new {
        case .beside(let new, _):
            try PrefsError.reporting(.unwritable, path, "cannot put the new file in place") {
                () throws(Errno) in
                try new.rename(to: target.name)
                return FileSignature(fileDescriptor: new.descriptor.number)
            }
        case .inPlace(let new):
            try PrefsError.reporting(
                .unwritable, path, "cannot finish writing the file in place, which may be incomplete now"
            ) { () throws(Errno) in try new.overwrite() }
        }
    }

    /// Throws if another process did something that the file lock cannot prevent.
    func checkUnchanged() throws(PrefsError) {
        guard lock?.isEffective != false else { throw conflict("removed the lock file") }
        let current = try? PathTargetSearch.target(of: name, creationMode: nil)
        guard let current, (try? current.isSame(as: target)) == true else {
            throw conflict("changed what the path \(name) leads to")
        }
        guard try file.isStill(version) else { throw conflict("changed the file without locking it") }
    }

    private func conflict(_ action: String) -> PrefsError {
        PrefsError(
            .busy, origin: PrefsOrigin(file: path),
            reason: "another process \(action) during the write; try again")
    }
}
