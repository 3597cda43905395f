import LayeredPrefs
import PrefsSystem

/// A file that is installed for all users, such as a schema.
///
/// Nobody edits the file in place, so writing it takes no file lock. A file lock would leave a lock file behind in
/// a folder that belongs to packages.
struct InstalledFile {
    let path: String

    /// Replaces the file atomically, with the mode 0644, and creates missing folders. Returns false if the file
    /// already has these contents.
    ///
    /// - Throws: ``PrefsError``. The file is then unchanged.
    func replace(with bytes: [UInt8]) throws(PrefsError) -> Bool {
        let isReadable = fileStatus(of: path).map { $0.st_mode & 0o777 == 0o644 } ?? false
        if isReadable, let present = try? PrefsFileReader.read(path)?.bytes, present == bytes { return false }
        do throws(Errno) {
            try createFolders()
            try write(bytes)
            return true
        } catch {
            throw error.error(.unwritable, path, "cannot install the file")
        }
    }

    private var folder: Substring { path[..<(path.lastIndex(of: "/") ?? path.startIndex)] }
    private var name: Substring { path[folder.endIndex...].drop { $0 == "/" } }

    private func createFolders() throws(Errno) {
        var missing: [String] = []
        var folder = folder
        while !folder.isEmpty, unsafe access(String(folder), F_OK) != 0 {
            missing.append(String(folder))
            folder = folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)]
        }
        for path in missing.reversed() {
            guard unsafe mkdir(path, 0o755) == 0 else {
                if Errno.last.code == EEXIST { continue }
                throw .last
            }
            // The umask may have removed permissions that other users need.
            guard unsafe chmod(path, 0o755) == 0 else { throw .last }
        }
    }

    private func write(_ bytes: [UInt8]) throws(Errno) {
        let open = try OpenFolder(at: RawPath(String(folder)))
        let next = RawPath(".\(name).\(getpid()).tmp")
        // Left over if a process with the same pid was killed while it wrote.
        open.remove(next)
        do throws(Errno) {
            let file = try open.openEntry(next, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            try writeAll(bytes, to: file.number)
            guard fchmod(file.number, 0o644) == 0 else { throw .last }
            try file.synchronize()
            try open.rename(next, to: RawPath(String(name)))
        } catch {
            open.remove(next)
            throw error
        }
        try open.synchronize()
    }
}
