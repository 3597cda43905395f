import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A thread of the library's own, in which the host program's signals are blocked.
enum DetachedThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread; where the system has none left, a thread of the global queue's pool serves.
    static func start(name: String, _ run: @escaping @Sendable () -> Void) {
        var all = sigset_t()
        var old = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &old)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &old, nil) }
        let body = unsafe Unmanaged.passRetained(Body(run))
        let status = unsafe create(body.toOpaque())
        guard status == 0 else {
            unsafe body.release()
            return DispatchQueue.global().async(execute: run)
        }
    }

    #if os(Linux)
        private static func create(_ body: UnsafeMutableRawPointer) -> CInt {
            var thread = pthread_t()
            let status = unsafe pthread_create(
                &thread, nil,
                { body in
                    unsafe Unmanaged<Body>.fromOpaque(body!).takeRetainedValue().run()
                    return nil
                }, body)
            if status == 0 { pthread_detach(thread) }
            return status
        }
    #else
        private static func create(_ body: UnsafeMutableRawPointer) -> CInt { EAGAIN }
    #endif
}
