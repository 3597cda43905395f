import PrefsSystem

extension Errno {
    /// True if the file, or a directory above it, was replaced or removed a moment ago; the watch on the
    /// parent directory will report it.
    var meansGone: Bool {
        [ENOENT, ENOTDIR, ELOOP].contains(code)
    }

    /// A limit of the process or the user, which other paths meet too.
    var isLimit: Bool {
        [EMFILE, ENFILE, ENOSPC, ENOMEM].contains(code)
    }

    /// What an administrator can do about it.
    var hint: String? {
        switch code {
        case ENOSPC: "raise fs.inotify.max_user_watches"
        case EMFILE: "raise fs.inotify.max_user_instances or the limit of open files"
        case EACCES: "inotify needs read permission"
        default: nil
        }
    }
}
