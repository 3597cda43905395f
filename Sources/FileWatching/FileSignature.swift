import PrefsSystem

/// Tells one version of a file from another without reading it.
///
/// Two equal signatures are the same inode, unchanged as far as `stat(2)` can say: device, inode, size, the
/// times of the last change of content and of status, mode and owner. Writers take one of what they wrote
/// and recognise their own change when the watcher reports it. A kernel before 6.13 counts time in steps of
/// some milliseconds, so two changes of equal size within one step look alike there.
public struct FileSignature: Sendable, Hashable {
    /// The device the file lies on.
    public var device: UInt64
    /// The inode number, unique within the device.
    public var inode: UInt64
    /// Bytes.
    public var size: Int64
    /// The last change of content, in nanoseconds since 1970.
    public var modified: Int64
    /// The last change of content, mode, owner or links, in nanoseconds since 1970.
    public var changed: Int64
    /// Type and permission bits.
    public var mode: UInt32
    /// The user the file belongs to.
    public var owner: UInt32

    /// The signature of what `path` leads to, links followed; nil if it cannot be reached.
    public init?(path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The signature of an open file; all zeros if `fileDescriptor` is not open.
    public init(fileDescriptor: Int32) {
        var status = stat()
        _ = unsafe fstat(fileDescriptor, &status)
        self.init(status)
    }

    init(_ status: stat) {
        #if canImport(Darwin)
            let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
        #else
            let (modified, changed) = (status.st_mtim, status.st_ctim)
        #endif
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        self.modified = Int64(modified.tv_sec) &* 1_000_000_000 &+ Int64(modified.tv_nsec)
        self.changed = Int64(changed.tv_sec) &* 1_000_000_000 &+ Int64(changed.tv_nsec)
        mode = UInt32(status.st_mode)
        owner = status.st_uid
    }
}
