/// Options for writing a file.
public struct PrefsFileWriteOptions: Sendable, Hashable {
    /// The permissions of a new file; 0600 by default. An existing file keeps its own permissions.
    ///
    /// If a stack creates a file to store a declared secret, only the owner's permissions remain. If a folder is
    /// missing, it is created, too: all users may enter it if these permissions let others read, and otherwise only
    /// the owner may.
    public var creationMode: UInt32
    /// The time to wait for other writers of the file; 10 seconds by default. After that, the write fails with `busy`.
    public var lockTimeout: Duration
    /// The attributes that a write may lose if it cannot preserve them; none by default.
    public var mayDrop: PrefsFileAttributes
    /// Whether to overwrite a file that cannot be parsed. Otherwise the write fails.
    ///
    /// The old contents are kept as `NAME.broken`. If that file exists with other contents, the name is
    /// `NAME.broken.1`, `NAME.broken.2` and so on. A diagnostic tells the name.
    public var replacesBroken: Bool

    /// Whether to write in place a file that is a mount of its own, as with `docker run -v ./my.json:/etc/my.json`.
    /// Otherwise a write to such a file fails and changes nothing.
    ///
    /// A mounted file cannot be replaced. While it is written in place, other processes may read a part of the new
    /// contents, and a crash leaves the file incomplete. In that case, this library keeps the last good contents
    /// active. It is better to mount the folder.
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
/// A write replaces the file with a new one, and copies all of these attributes to the new file. The process may
/// lack permission to do so. Inode flags, which `chattr` sets, are not among these attributes: the new file gets
/// the flags that its folder passes on. So set `+A`, `+C` or `+d` on the folder.
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
    /// The other names of the file. After the write, hard links still refer to the old content.
    public static let hardLinks = PrefsFileAttributes(rawValue: 32)
    /// All attributes.
    public static let all: PrefsFileAttributes = [
        .owner, .mode, .accessList, .label, .extendedAttributes, .hardLinks,
    ]
}
