/// A thread that receives no signals.
package enum BackgroundThread {
    /// Runs `body` on a new, detached thread. Returns false if no thread can be created.
    ///
    /// - Parameter name: The thread's name in debuggers; at most 15 bytes.
    package static func start(named name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        guard let thread = create(Body(name, body)) else { return false }
        pthread_detach(thread)
        return true
    }

    /// Runs `body` on a new thread, and returns the thread's identifier; `nil` if no thread can be created. The
    /// caller has to ``join(_:)`` the thread.
    package static func startJoinable(
        named name: String, _ body: @escaping @Sendable () -> Void
    ) -> UInt? {
        create(Body(name, body))
    }

    /// Waits for the end of a thread.
    package static func join(_ identifier: UInt) {
        pthread_join(identifier, nil)
    }

    private static func create(_ body: Body) -> pthread_t? {
        // The new thread inherits the mask, so there is no moment when a signal could reach it.
        var everything = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&everything)
        unsafe pthread_sigmask(SIG_BLOCK, &everything, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        let argument = unsafe Unmanaged.passRetained(body)
        var thread = pthread_t()
        guard unsafe pthread_create(&thread, nil, main, argument.toOpaque()) == 0 else {
            unsafe argument.release()
            return nil
        }
        return thread
    }

    private final class Body: Sendable {
        let name: String
        let run: @Sendable () -> Void

        init(_ name: String, _ run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
        argument in
        guard let argument = unsafe argument else { return nil }
        let body = unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
        unsafe ps_name_thread(body.name)
        body.run()
        return nil
    }

    /// An identifier of the calling thread.
    package static var current: UInt { pthread_self() }
}
