#if Etcd
    import PrefsSystem

    /// A thread that ends before the process does.
    ///
    /// When a process exits, the libraries under libcurl release their global state, in handlers of `atexit`. A thread
    /// that uses them meanwhile crashes, also while it only ends. Threads are therefore not detached: ``endAll()``
    /// stops and joins them first, and those that have ended before are joined when the next one starts.
    enum ClientThread {
        private struct State {
            /// The function that has each thread end soon, until its body has returned.
            var running: [UInt: @Sendable () -> Void] = [:]
            /// The threads whose bodies have returned, which have to be joined.
            var ended: [UInt] = []
            /// The process that started them.
            var process = getpid()
        }

        private static let state = Lock(State())

        /// The time for which the end of a process is delayed at most, by a thread that does not stop.
        private static let patience = Duration.seconds(2)

        /// Posted when a body has returned.
        private static let endings = Announcement()

        /// The number of threads whose bodies have not returned.
        static var count: Int { state.withLock { $0.running.count } }

        /// Runs `body` on a new thread; returns false if none can be created.
        ///
        /// - Parameter stop: Has `body` return soon. Called on any thread, at most once.
        static func start(
            stop: @escaping @Sendable () -> Void, _ body: @escaping @Sendable () -> Void
        ) -> Bool {
            // Not on the thread, because the process may end while libcurl is being initialized. The thread finds out that
            // it could not be.
            _ = HTTPTransport.isReady
            joinEnded()
            // Under the mutex, so that the thread is listed before it can end.
            return state.withLock { state in
                if state.process != getpid() { state = State() }
                let thread = BackgroundThread.startJoinable(named: "prefs-etcd") {
                    body()
                    noteEnd(of: BackgroundThread.current)
                }
                if let thread { state.running[thread] = stop }
                return thread != nil
            }
        }

        private static func noteEnd(of thread: UInt) {
            let stop = state.withLock { state in
                state.ended.append(thread)
                return state.running.removeValue(forKey: thread)
            }
            // Released without the mutex, because that may release objects of the program.
            withExtendedLifetime(stop) {}
            endings.post()
        }

        /// Stops all threads and joins them, unless one does not stop for as long as ``patience``.
        static func endAll() {
            // After fork(2), the child has no threads to join.
            guard state.withLock({ $0.process == getpid() }) else { return }
            for stop in state.withLock({ Array($0.running.values) }) { stop() }
            // A callback on one of the threads may be what ends the process.
            _ = endings.wait(until: .now.advanced(by: patience)) {
                state.withLock { $0.running.keys.allSatisfy { $0 == BackgroundThread.current } }
            }
            joinEnded()
        }

        private static func joinEnded() {
            let ended = state.withLock { state in
                defer { state.ended = [] }
                return state.process == getpid() ? state.ended : []
            }
            for thread in ended { BackgroundThread.join(thread) }
        }
    }
#endif
