#if canImport(Glibc)
    import Glibc
#else
    package import Darwin
#endif

/// Returns the status of what the path names, without following links; `nil` if it names nothing.
package func linkStatus(of path: RawPath) throws(Errno) -> stat? {
    var status = stat()
    guard unsafe path.withCString({ unsafe lstat($0, &status) }) != 0 else { return status }
    let error = Errno.last
    guard error.code == ENOENT || error.code == ENOTDIR else { throw error }
    return nil
}

/// Returns the path that a symbolic link holds.
package func linkTarget(of path: RawPath) throws(Errno) -> RawPath {
    try unsafe linkTarget { buffer, size in unsafe path.withCString { unsafe readlink($0, buffer, size) } }
}

/// Returns the path that a call such as `readlink(2)` stores in a buffer.
func linkTarget(_ read: (UnsafeMutablePointer<CChar>, Int) -> Int) throws(Errno) -> RawPath {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe read(&buffer, buffer.count)
    guard count >= 0 else { throw .last }
    return RawPath(buffer.prefix(count).lazy.map { UInt8(bitPattern: $0) })
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
