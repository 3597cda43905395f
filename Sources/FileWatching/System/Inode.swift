import PrefsSystem

/// The inode that one name in one directory refers to, without following a link.
enum Inode {
    case directory(FileSignature)
    case link(target: RawPath)
    /// Anything else: a regular file, but also a pipe, a socket or a device.
    case file(FileSignature, links: Int)
    case missing(Errno)

    var isLink: Bool {
        if case .link = self { true } else { false }
    }

    /// The answer to give to a ``PathWalk`` that looked this name up.
    var walkAnswer: PathWalk.Answer? {
        switch self {
        case .directory: .directory
        case .link(let target): .link(target: target)
        case .file: .other
        case .missing: nil
        }
    }

    init(at path: RawPath) {
        var status = stat()
        guard unsafe path.withCString({ unsafe lstat($0, &status) }) == 0 else {
            self = .missing(.last)
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: self = .directory(FileSignature(status))
        case S_IFLNK:
            do { self = .link(target: try linkTarget(of: path)) } catch let error { self = .missing(error) }
        default: self = .file(FileSignature(status), links: Int(status.st_nlink))
        }
    }
}
