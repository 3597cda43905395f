import PrefsSystem

/// The owners and modes of files that a reader trusts.
///
/// A user who can write a daemon's preferences controls the daemon. So a daemon that runs with privileges reads
/// system-wide files with ``trusted``.
public struct PrefsFilePolicy: Sendable, Hashable {
    /// Whether a file is trusted if its group may write it.
    public var allowsGroupWritable: Bool
    /// Whether a file is trusted if every user may write it.
    public var allowsOtherWritable: Bool
    /// Whether a file is trusted if neither root nor the process's user owns it.
    public var allowsAnyOwner: Bool

    /// Creates a policy.
    public init(allowsGroupWritable: Bool, allowsOtherWritable: Bool, allowsAnyOwner: Bool) {
        self.allowsGroupWritable = allowsGroupWritable
        self.allowsOtherWritable = allowsOtherWritable
        self.allowsAnyOwner = allowsAnyOwner
    }

    /// A policy that trusts every readable file.
    public static let any = PrefsFilePolicy(
        allowsGroupWritable: true, allowsOtherWritable: true, allowsAnyOwner: true)

    /// A policy that trusts a file only if root or the process's user owns it, and no other user may write it.
    public static let trusted = PrefsFilePolicy(
        allowsGroupWritable: false, allowsOtherWritable: false, allowsAnyOwner: false)
}

extension PrefsFilePolicy {
    /// Returns the reason why a file is not trusted, for a message; `nil` if it is trusted.
    ///
    /// If a file has an access list, the group bits of its mode hold the list's mask. So the check of the group
    /// covers the list, too.
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
