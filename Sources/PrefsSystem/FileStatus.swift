#if canImport(Glibc)
    import Glibc
#else
    package import Darwin
#endif

/// Returns the status of what the path names, without following links; `nil` if it names nothing.
package func linkStatus(of path: String) throws(Errno) -> stat? {
    var status = stat()
    guard unsafe lstat(path, &status) != 0 else { return status }
    let error = Errno.last
    guard error.code == ENOENT || error.code == ENOTDIR else { throw error }
    return nil
}

/// Returns the path that a symbolic link holds.
package func linkTarget(of path: String) throws(Errno) -> String {
    let limit = Int(PATH_MAX)
    let target: Result<String, Errno> = unsafe withUnsafeTemporaryAllocation(
        of: CChar.self, capacity: limit
    ) { buffer in
        guard let start = buffer.baseAddress else { return .failure(Errno(ENOMEM)) }
        let count = unsafe readlink(path, start, limit)
        guard count >= 0 else { return .failure(.last) }
        let bytes = unsafe UnsafeRawBufferPointer(buffer).prefix(count)
        return .success(unsafe String(decoding: bytes, as: UTF8.self))
    }
    return try target.get()
}

/// Returns the names in a folder, `.` and `..` among them; none if it cannot be read.
package func entryNames(in folder: String) -> [String] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
        let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        names.append(name)
    }
    return names
}

extension stat {
    package var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }

    package var isLink: Bool { st_mode & S_IFMT == S_IFLNK }

    package func isSameFile(as other: stat) -> Bool {
        st_dev == other.st_dev && st_ino == other.st_ino
    }
}
