#if Etcd
    import PrefsSystem

    /// A thread that ends before its process does.
    ///
    /// When a process exits, `atexit` handlers of the libraries under libcurl release their global state. A thread
    /// that uses these libraries meanwhile crashes, even if it is only ending. Threads are therefore not detached.
    /// ``endAll()`` stops and joins them first. Threads that ended earlier are joined when the next one starts.
    enum ClientThread {
        private struct State {
            /// For each running thread, the function that makes its body return soon.
            var running: [UInt: @Sendable () -> Void] = [:]
            /// The threads whose bodies have returned. They have to be joined.
            var ended: [UInt] = []
            /// The process that started the threads.
            var process = getpid()
        }

        private static let state = Lock(State())

        /// The longest time that a thread that does not stop can delay the end of the process.
        private static let patience = Duration.seconds(2)

        /// Posted when a thread's body has returned.
        private static let endings = Announcement()

        /// The number of threads whose bodies have not returned.
        static var count: Int { state.withLock { $0.running.count } }

        /// Runs `body` on a new thread. Returns false if the system cannot create one.
        ///
        /// - Parameter stop: Makes `body` return soon. Called on any thread, at most once.
        static func start(
            stop: @escaping @Sendable () -> Void, _ body: @escaping @Sendable () -> Void
        ) -> Bool {
            // Initialize libcurl here: the process could end while the new thread initializes it. If the
            // initialization fails, the new thread notices it.
            _ = HTTPTransport.isReady
            joinEnded()
            // The mutex is held, so that the thread is listed before it can end.
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
            // Release it outside the mutex, because that may release objects of the program.
            withExtendedLifetime(stop) {}
            endings.post()
        }

        /// Stops all threads and joins them. Gives up on a thread that has not stopped after ``patience``.
        static func endAll() {
            // After fork(2), the child has no threads to join.
            guard state.withLock({ $0.process == getpid() }) else { return }
            for stop in state.withLock({ Array($0.running.values) }) { stop() }
            // The process may be ending because of a callback on one of these threads.
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
