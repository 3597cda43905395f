#if os(Linux)
    import CPrefsSystem
#endif

/// A descriptor that wakes a thread which waits for descriptors.
struct Wakeup: Sendable {
    let reader: Int32
    private let writer: Int32

    /// Returns nil if no descriptor can be opened.
    init?() {
        #if os(Linux)
            reader = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
            writer = reader
            guard reader >= 0 else { return nil }
        #else
            var ends: [Int32] = [-1, -1]
            guard unsafe pipe(&ends) == 0 else { return nil }
            for end in ends {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
            (reader, writer) = (ends[0], ends[1])
        #endif
    }

    func signal() {
        var one: UInt64 = 1
        _ = unsafe write(writer, &one, MemoryLayout<UInt64>.size)
    }

    func reset() {
        var count: UInt64 = 0
        while unsafe read(reader, &count, MemoryLayout<UInt64>.size) > 0 {}
    }

    func close() {
        closeDescriptor(reader)
        if writer != reader { closeDescriptor(writer) }
    }
}

/// Closes a descriptor. Named so that it can be called where a method shadows the system call.
package func closeDescriptor(_ descriptor: Int32) {
    close(descriptor)
}
