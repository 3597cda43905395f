/// How a file is written.
public struct PrefsFileWriteOptions: Sendable, Hashable {
    /// The permissions of a file that does not exist yet; 0600. An existing file keeps its own. A folder that
    /// is missing is made for everybody to enter if others may read the file, else private.
    public var creationMode: UInt32
    /// How long to wait for other writers of the file; 10 seconds, then `busy`.
    public var lockTimeout: Duration
    /// What may be lost where it cannot be kept; nothing.
    public var acceptedLosses: PrefsFileLosses
    /// Overwrite a file that cannot be parsed, and keep it as `NAME.broken`; otherwise the write fails.
    public var replacesBroken: Bool

    public init(
        creationMode: UInt32 = 0o600,
        lockTimeout: Duration = .seconds(10),
        acceptedLosses: PrefsFileLosses = [],
        replacesBroken: Bool = false
    ) {
        self.creationMode = creationMode
        self.lockTimeout = lockTimeout
        self.acceptedLosses = acceptedLosses
        self.replacesBroken = replacesBroken
    }
}

/// What belongs to a file and is not its content.
///
/// A file is replaced by a new one, which is given all of this; a process may lack the right to.
public struct PrefsFileLosses: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The user or the group that owns it.
    public static let owner = PrefsFileLosses(rawValue: 1)
    /// Its permissions.
    public static let mode = PrefsFileLosses(rawValue: 2)
    /// Its access control list.
    public static let accessList = PrefsFileLosses(rawValue: 4)
    /// Its security label.
    public static let label = PrefsFileLosses(rawValue: 8)
    /// Other extended attributes.
    public static let extendedAttributes = PrefsFileLosses(rawValue: 16)
    /// Its other names: hard links go on naming the old content.
    public static let hardLinks = PrefsFileLosses(rawValue: 32)
    /// All of it.
    public static let all: PrefsFileLosses = [
        .owner, .mode, .accessList, .label, .extendedAttributes, .hardLinks,
    ]
}
