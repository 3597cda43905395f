import PrefsSystem

/// Whose files a reader believes.
///
/// Whoever can write a daemon's preferences commands the daemon; one that runs with privileges reads
/// system-wide files with ``trusted``.
public struct PrefsFilePolicy: Sendable, Hashable {
    /// Believe a file that its group may write.
    public var allowsGroupWritable: Bool
    /// Believe a file that everybody may write.
    public var allowsOtherWritable: Bool
    /// Believe a file that neither root nor the process's user owns.
    public var allowsAnyOwner: Bool

    public init(allowsGroupWritable: Bool, allowsOtherWritable: Bool, allowsAnyOwner: Bool) {
        self.allowsGroupWritable = allowsGroupWritable
        self.allowsOtherWritable = allowsOtherWritable
        self.allowsAnyOwner = allowsAnyOwner
    }

    /// Every file that can be read.
    public static let any = PrefsFilePolicy(
        allowsGroupWritable: true, allowsOtherWritable: true, allowsAnyOwner: true)

    /// Only files that root or the process's user owns and nobody else may write.
    public static let trusted = PrefsFilePolicy(
        allowsGroupWritable: false, allowsOtherWritable: false, allowsAnyOwner: false)
}

extension PrefsFilePolicy {
    /// Why a file is not believed, for a sentence; `nil` if it is.
    ///
    /// An access list shows in the group's bits, which then hold its mask.
    func objection(mode: mode_t, owner: uid_t, user: uid_t) -> String? {
        if !allowsOtherWritable, mode & S_IWOTH != 0 {
            return "everybody may write it; make it private with chmod go-w"
        }
        if !allowsGroupWritable, mode & S_IWGRP != 0 {
            return "its group may write it; make it private with chmod go-w"
        }
        if !allowsAnyOwner, owner != 0, owner != user {
            return "user \(owner) owns it; root or user \(user) should"
        }
        return nil
    }
}
