#if Etcd
    import Glibc
    import PrefsSystem

    /// A thread that receives no signals and ends before the process does.
    ///
    /// When a process exits, the libraries under libcurl release their global state, in handlers of `atexit`. A thread
    /// that uses them meanwhile crashes, also while it only ends. Threads are therefore not detached: ``endAll()``
    /// stops and joins them first, and those that have ended before are joined when the next one starts.
    enum ClientThread {
        private final class Body: Sendable {
            let run: @Sendable () -> Void

            init(_ run: @escaping @Sendable () -> Void) { self.run = run }
        }

        private struct Running {
            let thread: pthread_t
            /// Has the thread end soon; `nil` once its body has returned.
            var stop: (@Sendable () -> Void)?
        }

        private struct State {
            var threads: [Running] = []
            /// The process that started them.
            var process = getpid()

            /// Removes the threads whose bodies have returned; the caller joins them, without the mutex.
            mutating func takeEnded() -> [pthread_t] {
                defer { threads.removeAll { $0.stop == nil } }
                return threads.filter { $0.stop == nil }.map(\.thread)
            }
        }

        private static let state = Lock(State())

        /// The time for which the end of a process is delayed at most, by a thread that does not stop.
        private static let patience = Duration.seconds(2)

        /// Posted when a body has returned.
        private static let endings = Announcement()

        /// The number of threads whose bodies have not returned.
        static var count: Int { state.withLock { $0.threads.count { $0.stop != nil } } }

        /// Runs `body` on a new thread; returns false if none can be created.
        ///
        /// - Parameter stop: Has `body` return soon. Called on any thread, at most once.
        static func start(
            stop: @escaping @Sendable () -> Void, _ body: @escaping @Sendable () -> Void
        ) -> Bool {
            // The new thread inherits the mask. SIGPIPE, too, is then never delivered for a broken connection.
            var everything = sigset_t()
            var before = sigset_t()
            unsafe sigfillset(&everything)
            unsafe pthread_sigmask(SIG_BLOCK, &everything, &before)
            defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
            let (ended, isStarted) = state.withLock { state in
                if state.process != getpid() { state = State() }
                let ended = state.takeEnded()
                // Under the mutex, so that the thread is listed before it can end.
                let argument = unsafe Unmanaged.passRetained(Body(body))
                var thread = pthread_t()
                guard unsafe pthread_create(&thread, nil, main, argument.toOpaque()) == 0 else {
                    unsafe argument.release()
                    return (ended, false)
                }
                state.threads.append(Running(thread: thread, stop: stop))
                return (ended, true)
            }
            for thread in ended { pthread_join(thread, nil) }
            return isStarted
        }

        /// Stops all threads and joins them, unless one does not stop for as long as ``patience``.
        static func endAll() {
            // After fork(2), the child has no threads to join.
            guard state.withLock({ $0.process == getpid() }) else { return }
            for stop in state.withLock({ $0.threads.compactMap(\.stop) }) { stop() }
            _ = endings.wait(until: .now.advanced(by: patience)) { others.allSatisfy { $0.stop == nil } }
            for thread in state.withLock({ $0.takeEnded() }) { pthread_join(thread, nil) }
        }

        /// The threads but the calling one: a callback on one of them may be what ends the process.
        private static var others: [Running] {
            state.withLock { $0.threads.filter { pthread_equal($0.thread, pthread_self()) == 0 } }
        }

        private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
            argument in
            guard let argument = unsafe argument else { return nil }
            unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
            // Released without the mutex, because that may release objects of the program.
            var stop: (@Sendable () -> Void)?
            state.withLock { state in
                let index = state.threads.firstIndex { pthread_equal($0.thread, pthread_self()) != 0 }
                if let index { swap(&state.threads[index].stop, &stop) }
            }
            stop = nil
            endings.post()
            return nil
        }
    }
#endif
