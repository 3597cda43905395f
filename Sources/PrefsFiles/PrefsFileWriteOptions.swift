/// Options for writing a file.
public struct PrefsFileWriteOptions: Sendable, Hashable {
    /// The permissions of a file that does not exist yet; 0600. An existing file keeps its own. Those of a file that a
    /// stack creates to store a declared secret are reduced to the owner's. A missing folder is created so that all users
    /// may enter it if these permissions let others read, and private otherwise.
    public var creationMode: UInt32
    /// The time to wait for other writers of the file; 10 seconds. Then the write fails with `busy`.
    public var lockTimeout: Duration
    /// The attributes that a write may lose if they cannot be preserved; none.
    public var mayDrop: PrefsFileAttributes
    /// A Boolean value that indicates whether to overwrite a file that cannot be parsed, keeping its contents
    /// as `NAME.broken`, or if that exists with other contents as `NAME.broken.1`, `NAME.broken.2` and so on,
    /// which a diagnostic names; otherwise the write fails.
    public var replacesBroken: Bool

    /// A Boolean value that indicates whether a file that is mounted by itself, as by `docker run -v
    /// ./my.json:/etc/my.json`, is written in place; otherwise a write to it fails, and nothing is changed.
    ///
    /// Such a file cannot be replaced. While it is written in place, other processes may read a part of the new
    /// contents, and a crash leaves it incomplete; this library keeps the last good contents effective then. It is
    /// better to mount the folder.
    public var overwritesMounted: Bool

    /// Creates options.
    public init(
        creationMode: UInt32 = 0o600,
        lockTimeout: Duration = .seconds(10),
        mayDrop: PrefsFileAttributes = [],
        replacesBroken: Bool = false,
        overwritesMounted: Bool = false
    ) {
        self.creationMode = creationMode
        self.lockTimeout = lockTimeout
        self.mayDrop = mayDrop
        self.replacesBroken = replacesBroken
        self.overwritesMounted = overwritesMounted
    }
}

/// The attributes of a file that are not part of its content.
///
/// A write replaces the file by a new one and copies all of these to it; the process may lack
/// permission to do so. Inode flags, which `chattr` sets, are not among them: the new file has those that its
/// folder passes on, so set `+A`, `+C` or `+d` on the folder.
public struct PrefsFileAttributes: OptionSet, Sendable, Hashable {
    /// The set as a bit mask.
    public let rawValue: Int

    /// Creates a set from its raw value.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The owning user and group.
    public static let owner = PrefsFileAttributes(rawValue: 1)
    /// The permissions.
    public static let mode = PrefsFileAttributes(rawValue: 2)
    /// The access control list.
    public static let accessList = PrefsFileAttributes(rawValue: 4)
    /// The security label.
    public static let label = PrefsFileAttributes(rawValue: 8)
    /// The other extended attributes.
    public static let extendedAttributes = PrefsFileAttributes(rawValue: 16)
    /// The file's other names: hard links keep referring to the old content.
    public static let hardLinks = PrefsFileAttributes(rawValue: 32)
    /// All attributes.
    public static let all: PrefsFileAttributes = [
        .owner, .mode, .accessList, .label, .extendedAttributes, .hardLinks,
    ]
}
