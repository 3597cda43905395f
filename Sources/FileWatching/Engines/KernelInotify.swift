import PrefsSystem

/// The kernel's inotify, used directly.
struct KernelInotify: InotifyBackend {
    let descriptor: Int32

    init() throws(Errno) {
        descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else { throw .last }
    }

    var shouldReopen: Bool { false }

    func add(_ path: RawPath, as target: WatchTarget) throws(Errno) -> Int32 {
        let watch = unsafe path.withCString { unsafe inotify_add_watch(descriptor, $0, target.mask) }
        guard watch >= 0 else { throw .last }
        return watch
    }

    func remove(_ watch: Int32) {
        _ = inotify_rm_watch(descriptor, watch)
    }

    func drain(into events: inout [InotifyEvent]) -> Bool {
        for _ in 0..<Self.readsPerTurn where !readBuffer(into: &events) { break }
        return false
    }

    func close() {
        closeDescriptor(descriptor)
    }

    // Small enough for malloc to reuse: fresh pages for each read would cost more than reading twice.
    private static let capacity = 8 << 10

    // The kernel queues 16,384 events by default, of at least 16 bytes.
    private static let readsPerTurn = 64

    /// Reads one buffer of events. Returns true if there may be more.
    private func readBuffer(into events: inout [InotifyEvent]) -> Bool {
        unsafe withUnsafeTemporaryAllocation(byteCount: Self.capacity, alignment: 8) { buffer in
            let count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
            guard count > 0 else { return count < 0 && errno == EINTR }
            unsafe Self.parse(UnsafeRawBufferPointer(rebasing: buffer.prefix(count)), into: &events)
            // After a short read the queue was empty: another event would still have fitted.
            return count > Self.capacity - MemoryLayout<inotify_event>.size - Int(NAME_MAX) - 1
        }
    }

    private static func parse(_ bytes: UnsafeRawBufferPointer, into events: inout [InotifyEvent]) {
        var rest = unsafe bytes
        while let start = rest.baseAddress, unsafe !rest.isEmpty {
            let event = unsafe start.assumingMemoryBound(to: inotify_event.self)
            events.append(unsafe InotifyEvent(event))
            let size = unsafe MemoryLayout<inotify_event>.size + Int(event.pointee.len)
            unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(size))
        }
    }
}

extension WatchTarget {
    var mask: UInt32 {
        switch self {
        case .directory: Self.directoryMask
        case .file: Self.fileMask
        }
    }

    private static let anyMask = UInt32(IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_DONT_FOLLOW)
    private static let directoryMask =
        anyMask
        | UInt32(IN_CREATE | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR)
    private static let fileMask = anyMask | UInt32(IN_MODIFY | IN_CLOSE_WRITE)
}

extension InotifyEvent {
    init(_ event: UnsafePointer<inotify_event>) {
        watch = unsafe event.pointee.wd
        mask = Mask(rawValue: unsafe event.pointee.mask)
        name = unsafe event.pointee.len == 0 ? "" : RawPath(cString: ps_event_name(event))
    }
}
