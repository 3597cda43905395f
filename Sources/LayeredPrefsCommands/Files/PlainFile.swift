import LayeredPrefs

import PrefsSystem

/// A file that is replaced as a whole, such as a locks file or an export.
///
/// Like the library's writes, a replacement takes the file lock, writes a temporary file in the same folder,
/// syncs it and renames it over the file.
struct PlainFile {
    let path: String

    init(_ path: String) {
        // A symbolic link is kept; its target is replaced.
        self.path =
            unsafe realpath(path, nil).map { resolved in
                defer { unsafe free(resolved) }
                return unsafe String(cString: resolved)
            } ?? path
    }

    /// Replaces the content of the file, under its file lock.
    ///
    /// - Parameters:
    ///   - mode: The permissions of a new file, minus the umask; an existing file keeps its own, and its
    ///     owner.
    ///   - transform: Returns the new content for the old, which is `nil` if there is no file; returning
    ///     `nil` leaves the file unchanged.
    func update(mode: mode_t = 0o644, _ transform: ([UInt8]?) throws -> [UInt8]?) throws {
        let lock = try opened("\(folder)/.\(name).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        defer { close(lock) }
        guard flock(lock, LOCK_EX) == 0 else { throw failure(errno, "cannot lock the file") }
        guard let bytes = try transform(try PrefsFileReader.read(path)?.bytes) else { return }
        try replace(with: bytes, mode: mode)
    }

    private func replace(with bytes: [UInt8], mode: mode_t) throws {
        let draft = "\(folder)/.\(name).\(getpid()).tmp"
        let file = try opened(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        defer { close(file) }
        do {
            try store(bytes, to: file)
            try keepAttributes(on: file)
            guard fsync(file) == 0 else { throw failure(errno, "cannot write the file") }
            guard unsafe rename(draft, path) == 0 else { throw failure(errno, "cannot replace the file") }
        } catch {
            unsafe unlink(draft)
            throw error
        }
        // The rename is durable only once the folder is on disk.
        let directory = try opened(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        fsync(directory)
        close(directory)
    }

    private func store(_ bytes: [UInt8], to file: CInt) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(errno, "cannot write the file") }
            rest = rest.dropFirst(count)
        }
    }

    private func keepAttributes(on file: CInt) throws {
        var old = stat()
        guard unsafe stat(path, &old) == 0 else { return }
        var new = stat()
        guard unsafe fstat(file, &new) == 0 else { throw failure(errno, "cannot write the file") }
        if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid), fchown(file, old.st_uid, old.st_gid) != 0 {
            throw failure(errno, "cannot keep the file's owner")
        }
        guard fchmod(file, old.st_mode & 0o7777) == 0 else {
            throw failure(errno, "cannot keep the file's mode")
        }
    }

    private func opened(_ path: String, _ flags: CInt, _ mode: mode_t) throws -> CInt {
        let file = unsafe open(path, flags, mode)
        guard file >= 0 else { throw failure(errno, "cannot write to \(folder)") }
        return file
    }

    private func failure(_ code: CInt, _ words: String) -> PrefsError {
        let reason = unsafe String(cString: strerror(code))
        return PrefsError(
            .unwritable, origin: PrefsOrigin(file: path), errno: code, reason: "\(words): \(reason)")
    }

    private var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private var name: Substring {
        path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
    }
}
