#if InotifyTools
    import CInotifyTools
    import PrefsSystem

    /// libinotifytools, wrapped so that its quirks stay hidden from the hub that owns it.
    ///
    /// - The library has one instance per process and no use count: any cleanup call ends it for all users.
    ///   It is therefore used only if no other code in the process uses it, which is detected by checking
    ///   that initialising it opens a new descriptor.
    /// - It waits with `select`, which aborts the process from descriptor 1024 on. It is not used once
    ///   descriptors come near that number, and it is never asked to wait: the hub polls the descriptor, and
    ///   events are only fetched when there are some.
    /// - It does not notice that a watch has ended. Removing such a watch prints to standard error, and its
    ///   name still maps to the dead watch descriptor. Watches are therefore removed through the kernel, each
    ///   is added under a spelling that the library has never seen, and the memory that this leaks is
    ///   reclaimed by reopening the library.
    /// - Calls must come from one thread, which the hub ensures.
    final class LibraryInotify: InotifyBackend {
        private struct Identity: Hashable {
            var device: UInt64
            var inode: UInt64
        }

        private struct Known {
            var watches: [Identity: Int32] = [:]
            var identities: [Int32: Identity] = [:]
            /// The number of watches added since the library was initialised.
            var added: UInt64 = 0

            mutating func forget(_ watch: Int32) -> Bool {
                guard let identity = identities.removeValue(forKey: watch) else { return false }
                watches[identity] = nil
                return true
            }
        }

        let descriptor: Int32
        private let known = Lock(Known())
        private let leakLimit: Int

        /// - Parameter leakLimit: The number of dead watches to tolerate before reopening.
        init(leakLimit: Int) throws(Problem) {
            self.leakLimit = leakLimit
            descriptor = try Self.initialize()
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }

        /// Each dead watch costs the library some 200 bytes.
        var shouldReopen: Bool {
            known.withLock { $0.added > UInt64($0.watches.count + leakLimit) }
        }

        func add(_ path: RawPath, as target: WatchTarget) throws(Errno) -> Int32 {
            let identity = try Self.identity(of: path)
            if let watch = known.withLock({ $0.watches[identity] }) { return watch }
            let spelling = Self.spelling(
                of: path,
                known.withLock { known in
                    known.added += 1
                    return known.added
                })
            let isWatched = unsafe spelling.withCString {
                unsafe inotifytools_watch_file($0, Int32(bitPattern: target.mask))
            }
            guard isWatched != 0 else {
                throw Errno(inotifytools_error())
            }
            // The library appends a slash to the name of a directory.
            let watch =
                [spelling, spelling.appending("")].map { name in
                    unsafe name.withCString { unsafe inotifytools_wd_from_filename($0) }
                }.max() ?? 0
            guard watch > 0 else { throw Errno(ENOENT) }
            known.withLock { known in
                known.watches[identity] = watch
                known.identities[watch] = identity
            }
            return watch
        }

        func remove(_ watch: Int32) {
            if known.withLock({ $0.forget(watch) }) {
                _ = inotify_rm_watch(descriptor, watch)
            }
        }

        /// The library reads as many events as its buffer holds. So after a turn, further events may be in the
        /// buffer only. The event that reports an overflow of the kernel's queue comes after all queued events.
        func drain(into events: inout [InotifyEvent]) -> Bool {
            for _ in 0..<Self.eventsPerTurn {
                guard let next = unsafe inotifytools_next_events(0, 1) else { return false }
                let event = unsafe InotifyEvent(next)
                if event.mask.contains(.watchEnded) {
                    known.withLock { _ = $0.forget(event.watch) }
                }
                events.append(event)
            }
            return true
        }

        /// Drains the library before closing it, because its cleanup keeps the events that it has read.
        func close() {
            for watch in known.withLock({ $0.identities.keys.map(\.self) }) { remove(watch) }
            var rest: [InotifyEvent] = []
            _ = drain(into: &rest)
            inotifytools_cleanup()
        }

        // The number of events that the kernel queues by default.
        private static let eventsPerTurn = 16_384

        private static func identity(of path: RawPath) throws(Errno) -> Identity {
            switch Inode(at: path) {
            case .directory(let signature), .file(let signature, _):
                return Identity(device: signature.device, inode: signature.inode)
            case .link: throw Errno(ELOOP)
            case .missing(let errno): throw errno
            }
        }

        /// Returns a different spelling of the same absolute path for each number.
        private static func spelling(of path: RawPath, _ number: UInt64) -> RawPath {
            var (rest, prefix) = (number, "/")
            while rest > 0 {
                prefix += "." + String(repeating: "/", count: Int(rest % 4) + 1)
                rest /= 4
            }
            return RawPath(Array(prefix.utf8) + path.bytes)
        }
    }

    extension LibraryInotify {
        /// The first descriptor that the library must not get, some distance below the number that makes it abort.
        private static let firstUnsafeDescriptor: Int32 = 1000

        private static func initialize() throws(Problem) -> Int32 {
            guard let free = lowestFreeDescriptor(), free < firstUnsafeDescriptor else {
                throw Problem(
                    reason: "too many open files for libinotifytools, which aborts on descriptors above 1023")
            }
            let before = inotifyDescriptors()
            guard inotifytools_initialize() != 0 else {
                throw Problem(
                    reason: "libinotifytools cannot be initialised: \(Errno(inotifytools_error()).text)")
            }
            let new = inotifyDescriptors().subtracting(before)
            guard new.count == 1, let descriptor = new.first else {
                throw Problem(reason: "libinotifytools is used by another part of this process")
            }
            return descriptor
        }

        private static func lowestFreeDescriptor() -> Int32? {
            let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            closeDescriptor(descriptor)
            return descriptor
        }

        /// Returns all inotify descriptors of the process. The library does not expose its own.
        private static func inotifyDescriptors() -> Set<Int32> {
            Set(
                entryNames(in: "/proc/self/fd").compactMap { name in
                    guard case .link("anon_inode:inotify") = Inode(at: RawPath("/proc/self/fd/" + name))
                    else {
                        return nil
                    }
                    return Int32(name)
                })
        }
    }
#endif
