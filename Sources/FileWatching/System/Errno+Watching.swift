import PrefsSystem

extension Errno {
    /// True if the file, or a directory above it, was replaced or removed a moment ago; the watch on the
    /// parent directory will report it.
    var meansGone: Bool {
        [ENOENT, ENOTDIR, ELOOP].contains(code)
    }

    /// The remedy for an administrator, if there is one.
    var hint: String? {
        switch code {
        case ENOSPC: "raise fs.inotify.max_user_watches"
        case EMFILE: "raise fs.inotify.max_user_instances or the limit of open files"
        case EACCES: "inotify needs read permission"
        default: nil
        }
    }
}
