import PrefsSystem

/// Operations on the folder of a file to be written.
enum Folder {
    /// Creates the folder and its missing ancestors.
    static func create(_ path: String, mode: mode_t) throws(Errno) {
        if unsafe mkdir(path, mode) == 0 { return try synchronize(path.folder) }
        let error = Errno.last
        switch error.code {
        case EEXIST: return
        case ENOENT where path.folder != path:
            try create(path.folder, mode: mode)
            guard unsafe mkdir(path, mode) != 0 else { return try synchronize(path.folder) }
            let error = Errno.last
            // Another process may have created it in the meantime.
            if error.code != EEXIST { throw error }
        default: throw error
        }
    }

    /// Syncs the folder's entries to disk: only then is a rename durable.
    static func synchronize(_ path: String) throws(Errno) {
        let folder = try Descriptor(opening: path, O_RDONLY | O_DIRECTORY)
        do {
            try folder.synchronize()
        } catch let error {
            // Some file systems cannot sync a folder and report one of these errors.
            guard error.code == EINVAL || error.code == ENOTSUP else { throw error }
        }
    }

    /// Returns the path with links resolved, whether or not the file exists.
    static func resolvingLinks(_ path: String) throws(Errno) -> String {
        var path = path
        for _ in 0..<40 {
            guard let status = try linkStatus(of: path), status.isLink else { return path }
            let target = try linkTarget(of: path)
            path = target.utf8.first == UInt8(ascii: "/") ? target : "\(path.folder)/\(target)"
        }
        throw Errno(ELOOP)
    }
}
