/// Returns the status of the entry at a path, without following links; `nil` if there is no entry.
package func linkStatus(of path: String) throws(Errno) -> stat? {
    var status = stat()
    guard unsafe path.withCString({ unsafe lstat($0, &status) }) != 0 else { return status }
    let error = Errno.last
    guard error.code == ENOENT || error.code == ENOTDIR else { throw error }
    return nil
}

/// Returns the status of the file that a path leads to through links; `nil` if the status is unknown.
package func fileStatus(of path: String) -> stat? {
    var status = stat()
    return unsafe path.withCString { unsafe stat($0, &status) } == 0 ? status : nil
}

/// Returns false only if the path, with links followed, certainly leads to nothing: a file that cannot be reached
/// may exist.
package func isPresent(_ path: String) -> Bool {
    var status = stat()
    if unsafe path.withCString({ unsafe stat($0, &status) }) == 0 { return true }
    return ![ENOENT, ENOTDIR].contains(Errno.last.code)
}

/// Returns true if the modes of a file and of the folders above it let every user read it. The path must be
/// absolute.
package func isReadableByAll(_ path: String) -> Bool {
    guard let mode = fileStatus(of: path)?.st_mode, mode & S_IROTH != 0 else { return false }
    let folders = path.indices.filter { path[$0] == "/" }.map { String(path[...$0]) }
    return folders.allSatisfy { (fileStatus(of: $0)?.st_mode ?? 0) & S_IXOTH != 0 }
}

/// Returns true if a path names a link to `/dev/null`. Such a link masks other files of its name.
package func isMask(_ path: String) -> Bool { (try? linkTarget(of: RawPath(path))) == "/dev/null" }

/// Returns true if a path names a symbolic link, wherever the link leads.
package func isLink(_ path: String) -> Bool { (try? linkTarget(of: RawPath(path))) != nil }

/// Returns the path that a symbolic link holds.
package func linkTarget(of path: RawPath) throws(Errno) -> RawPath {
    try unsafe linkTarget { buffer, size in
        unsafe path.withCString { unsafe CInt(readlink($0, buffer, size)) }
    }
}

/// Returns the path that a call such as `readlink(2)` stores in a buffer.
func linkTarget(_ read: (UnsafeMutablePointer<CChar>, Int) -> CInt) throws(Errno) -> RawPath {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe read(&buffer, buffer.count)
    guard count >= 0 else { throw .last }
    return RawPath(buffer.prefix(Int(count)).lazy.map { UInt8(bitPattern: $0) })
}

/// Returns the names in a folder, including `.` and `..`, in no particular order; none if there is no such folder.
///
/// Throws for an error in the middle of the folder, too, because half a listing is not a listing.
package func folderEntries(in folder: String) throws(Errno) -> [FolderEntry] {
    guard let stream = unsafe opendir(folder) else {
        let error = Errno.last
        if error.code == ENOENT || error.code == ENOTDIR { return [] }
        throw error
    }
    return try unsafe readEntries(of: stream)
}

/// Reads the entries of an open folder, and closes it.
func readEntries(of stream: OpaquePointer) throws(Errno) -> [FolderEntry] {
    defer { unsafe closedir(stream) }
    var entries: [FolderEntry] = []
    while true {
        errno = 0
        guard let entry = unsafe readdir(stream) else {
            let error = Errno.last
            if error.code != 0 { throw error }
            return entries
        }
        let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { name in
            unsafe Array(name.prefix { $0 != 0 })
        }
        let mayBeLink = unsafe [UInt8(DT_LNK), UInt8(DT_UNKNOWN)].contains(entry.pointee.d_type)
        entries.append(FolderEntry(name: FileName(bytes: bytes), mayBeLink: mayBeLink))
    }
}

/// Returns the names in a folder that are UTF-8, including `.` and `..`; none if the folder cannot be read.
package func entryNames(in folder: String) -> [String] {
    ((try? folderEntries(in: folder)) ?? []).compactMap(\.name.text)
}

/// An entry of a folder.
package struct FolderEntry: Sendable {
    package let name: FileName
    /// False if the file system knows that the entry is not a symbolic link.
    package let mayBeLink: Bool
}

/// The name of a file in its folder, as bytes. Two names that differ in their Unicode normalization are equal as
/// strings, but name two files.
package struct FileName: Sendable, Hashable, Comparable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// The name as a string; `nil` if it is not UTF-8.
    package var text: String? { String(validating: bytes, as: UTF8.self) }

    /// The name for people. If the name is not UTF-8, every byte beyond ASCII is written as in `\xE9`.
    package var description: String {
        if let text { return text }
        return bytes.map { byte in
            if byte < 0x80 { return String(Unicode.Scalar(byte)) }
            return "\\x" + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    /// Compares the bytes.
    package static func < (lhs: FileName, rhs: FileName) -> Bool {
        lhs.bytes.lexicographicallyPrecedes(rhs.bytes)
    }
}

extension stat {
    package var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }

    package var isLink: Bool { st_mode & S_IFMT == S_IFLNK }

    package func isSameFile(as other: stat) -> Bool {
        st_dev == other.st_dev && st_ino == other.st_ino
    }
}
