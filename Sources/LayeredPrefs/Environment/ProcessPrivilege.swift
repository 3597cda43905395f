import FoundationEssentials
import PrefsSystem

/// The facts that decide whether this process has more privileges than the process that started it.
struct ProcessPrivilege {
    /// The kernel's `AT_SECURE` flag at program start: set-uid, set-gid, file capabilities or a security
    /// module gave the process privileges that its caller lacks.
    var isSecureStart: Bool
    /// The real and effective user IDs.
    var users: (real: uid_t, effective: uid_t)
    /// The real and effective group IDs.
    var groups: (real: gid_t, effective: gid_t)

    /// True if the process is privileged by either criterion. The IDs are checked in addition to the kernel's
    /// flag, because the program may have changed them since it started.
    var isRaised: Bool {
        isSecureStart || users.real != users.effective || groups.real != groups.effective
    }

    /// True in a set-uid or set-gid process, and in a process whose program file has capabilities.
    static var isRaised: Bool {
        ProcessPrivilege(
            isSecureStart: isSecureStart, users: (getuid(), geteuid()), groups: (getgid(), getegid())
        ).isRaised
    }

    private static var isSecureStart: Bool {
        getauxval(UInt(AT_SECURE)) != 0
    }
}

extension ProcessPrivilege {
    /// This process's environment. It is empty if the process has more privileges than its caller, because
    /// the caller chooses the variables and must not choose the settings.
    static var trustedEnvironment: [String: String] {
        isRaised ? [:] : environment
    }

    /// The environment. If a name occurs twice, the last value counts.
    private static var environment: [String: String] {
        // ProcessInfo returns the same, but it searches each variable by characters, which takes much of a
        // program's start.
        var variables: [String: String] = [:]
        var next = unsafe ps_environment()
        while let entry = unsafe next?.pointee {
            let text = unsafe String(cString: entry)
            if let end = text.utf8.firstIndex(of: UInt8(ascii: "=")) {
                variables[String(text[..<end])] = String(text[text.utf8.index(after: end)...])
            }
            unsafe next = unsafe next?.advanced(by: 1)
        }
        return variables
    }

    /// This process's arguments without the program's name. There are none if the process has more privileges
    /// than its caller.
    static var trustedArguments: [String] {
        isRaised ? [] : Array(ProcessInfo.processInfo.arguments.dropFirst())
    }
}
