import PrefsSystem

/// The file systems whose content changes without an inotify event, because another machine, a daemon or the
/// kernel itself writes to them.
enum UnreliableFileSystem {
    private static let magics: [(number: UInt32, name: String)] = [
        (0x6969, "NFS"), (0xFF53_4D42, "CIFS"), (0xFE53_4D42, "SMB2"), (0x517B, "SMB"),
        (0x0102_1997, "9P"), (0x5346_414F, "AFS"), (0x6B41_4653, "AFS"), (0x00C3_6400, "Ceph"),
        (0x7375_7245, "Coda"), (0x564C, "NCP"), (0x6573_5546, "FUSE"), (0x0BD0_0BD0, "Lustre"),
        (0x4750_4653, "GPFS"), (0x0116_1970, "GFS2"), (0x7461_636F, "OCFS2"),
        (0x786F_4256, "VirtualBox"), (0xBACB_ACBC, "VMware"), (0x9FA0, "proc"), (0x6265_6572, "sysfs"),
        (0x0027_E0EB, "cgroup"), (0x6367_7270, "cgroup"),
    ]

    /// Returns the file system's name if `path` lies on such a file system.
    static func name(at path: RawPath) -> String? {
        var status = statfs()
        guard unsafe path.withCString({ unsafe statfs($0, &status) }) == 0 else { return nil }
        let number = UInt32(truncatingIfNeeded: status.f_type)
        return magics.first { $0.number == number }?.name
    }
}
