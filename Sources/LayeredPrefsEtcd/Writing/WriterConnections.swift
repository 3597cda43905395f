#if Etcd
    import PrefsSystem

    /// A connection that writers use one after another, so that each need not connect again.
    final class WriterConnections: Sendable {
        // Sendable: one thread at a time has the connection. It takes it out of the mutex, and puts it back when
        // it no longer uses it.
        private struct Idle: @unchecked Sendable {
            let connection: EtcdConnection
        }

        private let idle = Lock<Idle?>(nil)

        /// Calls `body` with the idle connection, or with a new one if another thread uses that.
        func use<Value: Sendable, Failure: Error>(
            _ settings: EtcdSettings, _ login: EtcdLogin,
            _ body: (EtcdConnection?) throws(Failure) -> Value
        ) throws(Failure) -> Value {
            let connection = take() ?? EtcdConnection(settings: settings, login: login)
            defer {
                if let connection {
                    let released = Idle(connection: connection)
                    idle.withLock { $0 = released }
                }
            }
            return try body(connection)
        }

        private func take() -> EtcdConnection? {
            let taken = idle.withLock { slot in
                let taken = slot
                slot = nil
                return taken
            }
            return taken?.connection
        }
    }
#endif
