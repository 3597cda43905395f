import PrefsSystem

/// The owners and modes of files that a reader trusts.
///
/// A user who can write a daemon's preferences controls the daemon, so one that runs with privileges reads
/// system-wide files with ``trusted``.
public struct PrefsFilePolicy: Sendable, Hashable {
    /// Trusts a file that its group may write.
    public var allowsGroupWritable: Bool
    /// Trusts a file that every user may write.
    public var allowsOtherWritable: Bool
    /// Trusts a file that is owned by neither root nor the process's user.
    public var allowsAnyOwner: Bool

    /// Creates a policy.
    public init(allowsGroupWritable: Bool, allowsOtherWritable: Bool, allowsAnyOwner: Bool) {
        self.allowsGroupWritable = allowsGroupWritable
        self.allowsOtherWritable = allowsOtherWritable
        self.allowsAnyOwner = allowsAnyOwner
    }

    /// Trusts every readable file.
    public static let any = PrefsFilePolicy(
        allowsGroupWritable: true, allowsOtherWritable: true, allowsAnyOwner: true)

    /// Trusts only files that are owned by root or the process's user and that no other user may write.
    public static let trusted = PrefsFilePolicy(
        allowsGroupWritable: false, allowsOtherWritable: false, allowsAnyOwner: false)
}

extension PrefsFilePolicy {
    /// Returns the reason, for a message, why a file is not trusted; `nil` if it is.
    ///
    /// An access list shows in the group bits, which then hold its mask.
    package func objection(mode: UInt32, owner: UInt32, user: @autoclosure () -> UInt32) -> String? {
        if !allowsOtherWritable, mode & S_IWOTH != 0 {
            return "writable by every user; remove the permission with chmod go-w"
        }
        if !allowsGroupWritable, mode & S_IWGRP != 0 {
            return "writable by its group; remove the permission with chmod go-w"
        }
        if allowsAnyOwner || owner == 0 { return nil }
        let user = user()
        if owner != user {
            return "owned by user \(owner); expected root\(user == 0 ? "" : " or user \(user)")"
        }
        return nil
    }
}
