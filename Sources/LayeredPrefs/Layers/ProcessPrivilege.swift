#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Whether this process runs with more rights than whoever started it.
enum ProcessPrivilege {
    /// True in a set-uid or set-gid process.
    static var isRaised: Bool { getuid() != geteuid() || getgid() != getegid() }
}
