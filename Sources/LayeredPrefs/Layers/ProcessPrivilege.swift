#if os(Linux)
    import CPrefsSystem
#endif
import PrefsSystem

/// Whether this process runs with more rights than whoever started it.
struct ProcessPrivilege {
    /// What the kernel said when it started the program: set-uid, set-gid, capabilities of the program's file,
    /// or a security module gave it rights that its caller has not.
    var isSecureStart: Bool
    /// The real and the effective user.
    var users: (real: uid_t, effective: uid_t)
    /// The real and the effective group.
    var groups: (real: gid_t, effective: gid_t)

    /// The identities count beside the kernel's word: a program may have changed them since.
    var isRaised: Bool {
        isSecureStart || users.real != users.effective || groups.real != groups.effective
    }

    /// True in a set-uid or set-gid process, and in one that its file's capabilities raise.
    static var isRaised: Bool {
        ProcessPrivilege(
            isSecureStart: isSecureStart, users: (getuid(), geteuid()), groups: (getgid(), getegid())
        ).isRaised
    }

    private static var isSecureStart: Bool {
        #if os(Linux)
            getauxval(UInt(AT_SECURE)) != 0
        #else
            issetugid() != 0
        #endif
    }
}
