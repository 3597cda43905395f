/// A descriptor that wakes a thread from waiting for descriptors.
struct Wakeup: Sendable {
    let descriptor: Int32

    /// Returns `nil` if no descriptor can be opened.
    init?() {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { return nil }
    }

    func signal() {
        var one: UInt64 = 1
        _ = unsafe write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    func reset() {
        var count: UInt64 = 0
        while unsafe read(descriptor, &count, MemoryLayout<UInt64>.size) > 0 {}
    }

    func close() {
        closeDescriptor(descriptor)
    }
}

/// Closes a descriptor. Methods named `close` do not shadow this function.
package func closeDescriptor(_ descriptor: Int32) {
    close(descriptor)
}
