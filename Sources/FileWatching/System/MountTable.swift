import PrefsSystem

/// The mount table of the process, as a descriptor. `poll(2)` reports its changes, because inotify does not report
/// mounts.
struct MountTable: Sendable {
    let descriptor: Int32

    /// Returns `nil` where there is no such file.
    init?() {
        descriptor = unsafe open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
    }

    func close() { closeDescriptor(descriptor) }
}
