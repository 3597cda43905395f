package import PrefsSystem

/// The identity of one revision of a file, obtained without reading the file.
///
/// Equal signatures denote the same inode, unchanged as far as `stat(2)` shows. A signature consists of the device, the
/// inode, the size, the mode, the owner, and the times of the last change of content and of status. A writer can keep
/// the signature of the file that it wrote, and recognise its own change when the watcher reports it.
///
/// Kernels before 6.13 count time in steps of some milliseconds. There, two changes of equal size within one step
/// cannot be distinguished.
public struct FileSignature: Sendable, Hashable {
    /// The device that holds the file.
    public var device: UInt64
    /// The inode number, unique within the device.
    public var inode: UInt64
    /// The size in bytes.
    public var size: Int64
    /// The time of the last change of content, in nanoseconds since 1970. For a time before 1677 or after 2262, it is
    /// the smallest or largest number.
    public var modified: Int64
    /// The time of the last change of content, mode, owner or links, in nanoseconds since 1970. It has the same
    /// limits as ``modified``.
    public var changed: Int64
    /// The type and permission bits.
    public var mode: UInt32
    /// The ID of the owning user.
    public var owner: UInt32

    /// Creates the signature of the file at `path`, following links; `nil` if the file cannot be reached.
    public init?(path: String) {
        guard let status = fileStatus(of: path) else { return nil }
        self.init(status)
    }

    /// Creates the signature of an open file. All its numbers are zero if `fileDescriptor` is not open.
    public init(fileDescriptor: Int32) {
        var status = stat()
        _ = unsafe fstat(fileDescriptor, &status)
        self.init(status)
    }

    /// True for a device, which has no contents of its own.
    var isOfDevice: Bool { [S_IFCHR, S_IFBLK].contains(mode_t(mode) & S_IFMT) }

    /// True for a regular file without contents.
    var isOfEmptyFile: Bool { size == 0 && mode_t(mode) & S_IFMT == S_IFREG }

    /// Returns true if the other signature belongs to the same inode.
    func isOfSameFile(as other: FileSignature?) -> Bool { device == other?.device && inode == other?.inode }

    /// Creates the signature of a file with this status.
    package init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        modified = Self.nanoseconds(status.st_mtim)
        changed = Self.nanoseconds(status.st_ctim)
        mode = UInt32(status.st_mode)
        owner = status.st_uid
    }

    /// Returns a time in nanoseconds since 1970, or the nearest number that fits: file systems can store other
    /// times.
    package static func nanoseconds(_ time: timespec) -> Int64 {
        let (seconds, isTooLarge) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isSumTooLarge) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
        return isTooLarge || isSumTooLarge ? (time.tv_sec < 0 ? .min : .max) : sum
    }
}
