import PrefsSystem

/// The mount table of the process, as a descriptor that `poll(2)` reports when it changes: inotify reports no
/// mount.
struct MountTable: Sendable {
    let descriptor: Int32

    /// Returns nil where there is no such file.
    init?() {
        descriptor = unsafe open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
    }

    func close() { closeDescriptor(descriptor) }
}
