import PrefsSystem

/// The mount table of the process, as a descriptor that `poll(2)` reports when it changes: inotify reports no
/// mount.
struct MountTable: Sendable {
    let descriptor: Int32

    /// Returns nil where there is no such file.
    init?() {
        #if os(Linux)
            descriptor = unsafe open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
        #else
            return nil
        #endif
    }

    func close() { closeDescriptor(descriptor) }
}
