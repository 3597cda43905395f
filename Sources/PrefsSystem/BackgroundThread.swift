#if os(Linux)
    import CPrefsSystem
    import Glibc
#else
    import Darwin
#endif

/// A thread that belongs to nobody and receives no signal.
package enum BackgroundThread {
    /// Runs `body` on a thread of its own; false if there is no thread to be had.
    ///
    /// - Parameter name: What debuggers show; at most 15 bytes of it.
    package static func start(named name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        // A new thread inherits the mask, so that there is no moment in which a signal could hit it.
        var everything = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&everything)
        unsafe pthread_sigmask(SIG_BLOCK, &everything, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        return create(Body(name, body))
    }

    private final class Body: Sendable {
        let name: String
        let run: @Sendable () -> Void

        init(_ name: String, _ run: @escaping @Sendable () -> Void) {
            self.name = name
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
            body.run()
            return nil
        }
    #endif

    /// Tells the calling thread from others.
    package static var current: UInt {
        #if canImport(Darwin)
            UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }
}
