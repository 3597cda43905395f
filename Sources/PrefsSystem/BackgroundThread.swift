#if os(Linux)
    import CPrefsSystem
    import Glibc
#else
    import Darwin
#endif

/// A detached thread that receives no signals.
package enum BackgroundThread {
    /// Runs `body` on a new thread; returns false if none can be created.
    ///
    /// - Parameters:
    ///   - name: The thread's name in debuggers; at most 15 bytes.
    ///   - isUrgent: False for a thread that leaves the processors to others if they are busy: on Linux, its
    ///     nice value is 10 above that of the calling thread, see `sched(7)`.
    package static func start(
        named name: String, isUrgent: Bool = true, _ body: @escaping @Sendable () -> Void
    ) -> Bool {
        // The new thread inherits the mask, so there is no moment at which a signal could reach it.
        var everything = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&everything)
        unsafe pthread_sigmask(SIG_BLOCK, &everything, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        return create(Body(name, isUrgent, body))
    }

    private final class Body: Sendable {
        let name: String
        let isUrgent: Bool
        let run: @Sendable () -> Void

        init(_ name: String, _ isUrgent: Bool, _ run: @escaping @Sendable () -> Void) {
            self.name = name
            self.isUrgent = isUrgent
            self.run = run
        }
    }

    private static func create(_ body: Body) -> Bool {
        let argument = unsafe Unmanaged.passRetained(body)
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        guard unsafe pthread_create(&thread, nil, main, argument.toOpaque()) == 0 else {
            unsafe argument.release()
            return false
        }
        #if canImport(Darwin)
            if let thread { pthread_detach(thread) }
        #else
            pthread_detach(thread)
        #endif
        return true
    }

    #if canImport(Darwin)
        private static let main: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = {
            argument in
            unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
            return nil
        }
    #else
        private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
            argument in
            guard let argument = unsafe argument else { return nil }
            let body = unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
            unsafe ps_name_thread(body.name)
            // Nice values are those of threads on Linux, and a higher one needs no privilege.
            if !body.isUrgent { _ = nice(10) }
            body.run()
            return nil
        }
    #endif

    /// An identifier of the calling thread.
    package static var current: UInt {
        #if canImport(Darwin)
            UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }
}
