#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An `errno` value, copied before any other call can change it.
struct Errno: Error, Hashable, Sendable {
    let code: Int32

    init(_ code: Int32) {
        self.code = code
    }

    /// The `errno` of the preceding call.
    static var last: Errno { Errno(errno) }

    var text: String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}

extension Errno {
    /// True if the file, or a directory above it, was replaced or removed a moment ago; the watch on the
    /// parent directory will report it.
    var meansGone: Bool {
        [ENOENT, ENOTDIR, ELOOP].contains(code)
    }

    /// True for a limit of the process or the user, which affects other paths too.
    var isLimit: Bool {
        [EMFILE, ENFILE, ENOSPC, ENOMEM].contains(code)
    }

    /// The remedy available to an administrator.
    var hint: String? {
        switch code {
        case ENOSPC: "raise fs.inotify.max_user_watches"
        case EMFILE: "raise fs.inotify.max_user_instances or the limit of open files"
        case EACCES: "inotify needs read permission"
        default: nil
        }
    }
}
