import FoundationEssentials
import LayeredPrefs
import PrefsSystem

/// The folders of the sockets. There is one folder for each domain. In it, each process has a socket that is named
/// after its pid.
package enum InspectionFolder {
    /// The folder `$XDG_RUNTIME_DIR/prefs`. It is `/run/prefs` if the variable does not contain an absolute path,
    /// if the process is set-uid or set-gid, or if the folder belongs to another user, as after `sudo`.
    package static var standard: String {
        let variable = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"]
        guard getuid() == geteuid(), getgid() == getegid(), let folder = variable, folder.hasPrefix("/")
        else {
            return "/run/prefs"
        }
        var status = stat()
        guard unsafe stat(folder, &status) == 0, status.st_uid == geteuid() else { return "/run/prefs" }
        return "\(folder)/prefs"
    }

    /// Creates a domain's folder, removes the sockets of dead processes, and returns the path for this process's
    /// socket.
    ///
    /// - Throws: ``PrefsError`` if the folder cannot be created or belongs to another user.
    static func prepare(_ folder: String, domain: String) throws -> String {
        guard isName(domain) else {
            throw PrefsError(
                .unwritable, reason: "“\(domain)” is not a domain; expected a name such as com.example.myd")
        }
        // All users can read this folder, so that they can list root's processes. A domain's folder is private.
        try create(folder, mode: 0o755)
        let own = "\(folder)/\(domain)"
        try create(own, mode: 0o700)
        sweep(own)
        let path = "\(own)/\(getpid())"
        // A dead process that had the same pid may have left a socket.
        unsafe unlink(path)
        return path
    }

    /// Returns true if a domain is a single component of a path.
    package static func isName(_ domain: String) -> Bool {
        !domain.isEmpty && !domain.hasPrefix(".") && !domain.utf8.contains { $0 == 0x2F || $0 == 0 }
    }

    /// Returns the sockets of existing processes, in the folder of one domain or of all domains.
    package static func sockets(in folder: String, domain: String?) -> [InspectionSocket] {
        let domains = domain.map { [$0] } ?? entryNames(in: folder).filter(isName)
        return domains.sorted().flatMap { domain in
            entryNames(in: "\(folder)/\(domain)").compactMap(CInt.init).sorted().compactMap { pid in
                exists(pid)
                    ? InspectionSocket(domain: domain, pid: pid, path: "\(folder)/\(domain)/\(pid)") : nil
            }
        }
    }

    private static func sweep(_ folder: String) {
        for name in entryNames(in: folder) {
            if let pid = CInt(name), !exists(pid) { unsafe unlink("\(folder)/\(name)") }
        }
    }

    private static func exists(_ pid: CInt) -> Bool { kill(pid, 0) == 0 || errno == EPERM }

    private static func create(_ folder: String, mode: mode_t) throws {
        if unsafe mkdir(folder, mode) != 0, errno != EEXIST {
            throw failure("cannot create the folder of the inspection sockets", folder)
        }
        var status = stat()
        // lstat(2) does not follow a link that another user has placed here.
        guard unsafe lstat(folder, &status) == 0 else { throw failure("cannot examine the folder", folder) }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() || status.st_uid == 0 else {
            throw PrefsError(
                .untrusted, origin: PrefsOrigin(file: folder),
                reason: "expected a folder of this user or of root for the inspection sockets")
        }
        // In a folder with the sticky bit, other users cannot replace this user's files. The domain's own folder
        // is private.
        let isSafe = status.st_mode & 0o022 == 0 || mode & 0o055 != 0 && status.st_mode & 0o1000 != 0
        guard isSafe else {
            throw PrefsError(
                .untrusted, origin: PrefsOrigin(file: folder),
                reason: "other users may write to the folder of the sockets; prevent that with `chmod go-w`")
        }
    }

    private static func failure(_ reason: String, _ folder: String) -> PrefsError {
        let code = errno
        return PrefsError(
            .unwritable, origin: PrefsOrigin(file: folder), errno: code,
            reason: "\(reason): \(Errno(code).text)")
    }
}

/// The socket of a process.
package struct InspectionSocket: Sendable {
    package var domain: String
    package var pid: CInt
    package var path: String
}
