#if Etcd
    import Glibc

    /// A detached thread that receives no signals.
    enum ClientThread {
        private final class Body: Sendable {
            let run: @Sendable () -> Void

            init(_ run: @escaping @Sendable () -> Void) { self.run = run }
        }

        /// Runs `body` on a new thread; returns false if none can be created.
        static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
            // The new thread inherits the mask. SIGPIPE, too, is then never delivered for a broken connection.
            var everything = sigset_t()
            var before = sigset_t()
            unsafe sigfillset(&everything)
            unsafe pthread_sigmask(SIG_BLOCK, &everything, &before)
            defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
            let argument = unsafe Unmanaged.passRetained(Body(body))
            var thread = pthread_t()
            let status = unsafe pthread_create(&thread, nil, main, argument.toOpaque())
            guard status == 0 else {
                unsafe argument.release()
                return false
            }
            pthread_detach(thread)
            return true
        }

        private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
            argument in
            guard let argument = unsafe argument else { return nil }
            let body = unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
            body.run()
            return nil
        }
    }
#endif
