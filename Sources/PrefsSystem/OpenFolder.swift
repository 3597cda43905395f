/// A folder that stays the same folder while it is open, whatever its path comes to name.
///
/// Names are looked up in the open folder, and never followed if they are links. So another user who may rename
/// the folders above cannot redirect an operation in this folder.
package final class OpenFolder: Sendable {
    private let descriptor: Descriptor
    /// The path that the folder was opened with, for messages.
    package let path: RawPath

    private init(_ descriptor: consuming Descriptor, path: RawPath) {
        self.descriptor = descriptor
        self.path = path
    }

    // Looking up names in a folder needs no permission to read it.
    private static let flags = openForStatus | O_DIRECTORY | O_CLOEXEC

    /// Opens a folder, following links as the kernel does.
    package convenience init(at path: RawPath) throws(Errno) {
        let number = try retryingInterrupts { unsafe path.withCString { unsafe open($0, Self.flags) } }.get()
        self.init(Descriptor(number), path: path)
    }

    /// Opens a folder whose path contains no link. Returns `nil` if that is impossible in a single step.
    package static func withoutLinks(at path: RawPath) -> OpenFolder? {
        let number = unsafe path.withCString { unsafe ps_open_without_links($0, flags) }
        return number < 0 ? nil : OpenFolder(Descriptor(number), path: path)
    }

    /// Opens a folder inside this one. `path` is the path of that folder, for messages.
    package func folder(_ name: RawPath, at path: RawPath) throws(Errno) -> OpenFolder {
        OpenFolder(try openEntry(name, Self.flags), path: path)
    }

    /// Opens a file in the folder, with close-on-exec set.
    package func openEntry(_ name: RawPath, _ flags: CInt, mode: mode_t = 0) throws(Errno) -> Descriptor {
        let number = descriptor.number
        return Descriptor(
            try retryingInterrupts {
                unsafe name.withCString { unsafe openat(number, $0, flags | O_NOFOLLOW | O_CLOEXEC, mode) }
            }.get())
    }

    /// Creates a folder inside this one. Returns false if something with that name exists.
    package func createFolder(_ name: RawPath, mode: mode_t) throws(Errno) -> Bool {
        if unsafe name.withCString({ unsafe mkdirat(descriptor.number, $0, mode) }) == 0 { return true }
        let error = Errno.last
        guard error.code == EEXIST else { throw error }
        return false
    }

    /// The status of the folder itself.
    package func status() throws(Errno) -> stat { try descriptor.status() }

    /// Returns the status of an entry; `nil` if there is none.
    package func status(of name: RawPath) throws(Errno) -> stat? {
        var status = stat()
        let result = unsafe name.withCString {
            unsafe fstatat(descriptor.number, $0, &status, AT_SYMLINK_NOFOLLOW)
        }
        guard result != 0 else { return status }
        let error = Errno.last
        guard error.code == ENOENT else { throw error }
        return nil
    }

    /// Returns the path that a symbolic link in the folder holds.
    package func linkTarget(of name: RawPath) throws(Errno) -> RawPath {
        let number = descriptor.number
        return try unsafe PrefsSystem.linkTarget { buffer, size in
            unsafe name.withCString { unsafe CInt(readlinkat(number, $0, buffer, size)) }
        }
    }

    package func rename(_ name: RawPath, to target: RawPath) throws(Errno) {
        let result = unsafe name.withCString { name in
            unsafe target.withCString { unsafe renameat(descriptor.number, name, descriptor.number, $0) }
        }
        guard result == 0 else { throw .last }
    }

    /// Renames a file. Throws `EEXIST` if the new name exists.
    package func rename(_ name: RawPath, toFree target: RawPath) throws(Errno) {
        let number = descriptor.number
        let result = unsafe name.withCString { name in
            unsafe target.withCString { unsafe ps_rename_to_free(number, name, $0) }
        }
        if result == 0 { return }
        let error = Errno.last
        // The kernel or the file system lacks this call.
        guard error.code == EINVAL || error.code == ENOSYS else { throw error }
        try rename(name, toReserved: target)
    }

    /// Renames a file as ``rename(_:toFree:)`` does, on a system that has no call for it: reserves the new name
    /// with an empty file, and then replaces that file.
    package func rename(_ name: RawPath, toReserved target: RawPath) throws(Errno) {
        _ = try openEntry(target, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        do throws(Errno) {
            try rename(name, to: target)
        } catch let error {
            remove(target)
            throw error
        }
    }

    /// Gives a file a second name. Throws `EEXIST` if that name exists.
    package func link(_ name: RawPath, to second: RawPath) throws(Errno) {
        let result = unsafe name.withCString { name in
            unsafe second.withCString { unsafe linkat(descriptor.number, name, descriptor.number, $0, 0) }
        }
        guard result == 0 else { throw .last }
    }

    package func remove(_ name: RawPath) {
        _ = unsafe name.withCString { unsafe unlinkat(descriptor.number, $0, 0) }
    }

    /// The names of the entries, including `.` and `..`; none if they cannot be read.
    package var names: [RawPath] {
        let copy = unsafe openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { return [] }
        guard let stream = unsafe fdopendir(copy) else {
            close(copy)
            return []
        }
        return unsafe ((try? readEntries(of: stream)) ?? []).map { RawPath($0.name.bytes) }
    }

    /// Syncs the folder's entries to disk: only then is a rename durable.
    package func synchronize() throws(Errno) { try entries().synchronize() }

    /// Opens the folder so that its entries can be synced later. This needs permission to read the folder.
    package func entries() throws(Errno) -> Entries {
        Entries(try openEntry(".", O_RDONLY | O_DIRECTORY))
    }

    /// The entries of a folder, which can be synced.
    package final class Entries: Sendable {
        private let descriptor: Descriptor

        fileprivate init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

        /// Syncs the entries to disk.
        package func synchronize() throws(Errno) {
            do {
                try descriptor.synchronize()
            } catch let error {
                // Some file systems cannot sync a folder and report one of these errors.
                guard error.code == EINVAL || error.code == ENOTSUP else { throw error }
            }
        }
    }

    /// Returns true if something is mounted over an entry. Such an entry cannot be replaced.
    package func isMountedOver(_ name: RawPath) -> Bool {
        unsafe name.withCString { unsafe ps_is_mounted_over(descriptor.number, $0) } == 1
    }
}
