#if Etcd
    public import LayeredPrefs
    import PrefsSystem

    /// Preferences that many machines share: the keys under a prefix in etcd v3, followed as they change.
    ///
    /// ```swift
    /// PrefsStack {
    ///     PrefsLayer.defaults(["http.port": 8080])
    ///     PrefsLayer(
    ///         "fleet",
    ///         .etcd(
    ///             endpoints: ["https://a:2379", "https://b:2379", "https://c:2379"],
    ///             prefix: "/prefs/com.example.myd/",
    ///             tls: .init(roots: "/etc/myd/ca.pem")))
    /// }
    /// ```
    ///
    /// The key `/prefs/com.example.myd/http/port` is `http.port`. Its value is JSON, or text that the key's type
    /// parses, as for an environment variable. One transaction of etcd is one change of the storage.
    ///
    /// Reads never wait for the network. While no server can be reached, the last contents stay active.
    public final class EtcdPrefsStorage: PrefsStorage {
        let client: EtcdClient
        public let isWritable: Bool

        /// Creates a storage and begins to follow the server, on a thread of its own.
        ///
        /// The initializer waits for the server's contents, for at most ``Timing/start``. It does not wait if the
        /// user, the password or the permission is wrong. Relative file paths are resolved against the working
        /// directory at the time of the call.
        ///
        /// - Parameters:
        ///   - endpoints: The URLs of the cluster's members, such as `https://host:2379`, without a user. They are
        ///     tried in turn.
        ///   - prefix: The beginning of the keys, which must not be empty. A missing final slash is added.
        ///   - locks: The beginning of the keys of key locks, such as `/prefs-locks/com.example.myd/`; `nil` if there
        ///     are none. You can permit one group of users to write key locks and another to write values. The key
        ///     `/prefs-locks/com.example.myd/http/port`, whatever its value, locks `http.port` and everything below
        ///     it.
        ///   - credentials: The identity that the client logs in with; `nil` if the cluster has no users.
        ///   - tls: The certificates for `https` endpoints.
        ///   - cache: The file with the last received contents. A program starts from it while no server answers.
        ///   - isWritable: Whether this program may change the contents of the whole fleet. If so, a stack writes to
        ///     this layer by default, unless there is a persistent layer above it that can be written.
        ///   - host: The name of this machine for canaries and reports; `nil` for the system's host name. Pass a name
        ///     where the system's host name is not stable, as in a container.
        ///   - timing: The time limits and intervals of the client.
        ///   - diagnostics: The destination of reports on the connection and on keys that name no preference.
        public init(
            endpoints: [String], prefix: String, locks: String? = nil, credentials: Credentials? = nil,
            tls: TLS = TLS(), cache: Cache = .standard, isWritable: Bool = false, host: String? = nil,
            timing: Timing = Timing(), diagnostics: PrefsDiagnosticHandler = .shared
        ) {
            self.isWritable = isWritable
            let settings = EtcdSettings(
                endpoints: endpoints, prefix: prefix, locks: locks,
                credentials: credentials?.absolute(diagnostics), tls: tls.absolute(diagnostics),
                cache: cache.absolute(diagnostics), host: host, timing: timing)
            client = EtcdClient(settings: settings, diagnostics: diagnostics)
            if let problem = settings.problem {
                refuse(problem)
                return
            }
            readCache()
            let client = client
            let isStarted = ClientThread.start(stop: client.stop) {
                guard let connection = EtcdConnection(client, waker: client.waker) else {
                    let failure = EtcdFailure(.unavailable, "libcurl cannot be initialized")
                    return client.noteFailure(failure, at: "", isTotal: true)
                }
                EtcdFollower(client, connection).run()
            }
            if isStarted { waitForContents() } else { refuse("the system cannot start a thread") }
        }

        deinit { client.stop() }

        public var diagnostics: PrefsDiagnosticHandler { client.diagnostics }

        /// Leaves the storage empty for its whole lifetime.
        private func refuse(_ reason: String) {
            client.state.withLock { $0.failure = EtcdFailure(.invalidRequest, reason) }
            diagnostics.report(.error, PrefsError(.invalid, origin: client.settings.origin, reason: reason))
        }

        private func waitForContents() {
            let deadline = ContinuousClock.now.advanced(by: client.settings.timing.start)
            _ = client.wait(until: deadline) { state in
                let isRefused = state.reported.contains { $0 == .credentials || $0 == .permission }
                // Any other failure is reported only when every endpoint has failed.
                let hasContents = state.lists > 0 || state.areCached
                return state.failure == nil || isRefused || hasContents && !state.reported.isEmpty
            }
        }

        private func readCache() {
            do throws(PrefsError) {
                guard let cached = try client.settings.cacheFile?.read() else { return }
                client.adopt(cached)
            } catch {
                diagnostics.report(.warning, error)
            }
        }

        public var isPersistent: Bool { true }

        public var snapshot: PrefsSnapshot { client.state.withLock { $0.snapshot } }

        public var changeSource: PrefsChangeSource? { client.changes }

        /// Fetches the server's contents. Waits for them at most as long as the initializer does.
        public func reload() {
            let target = client.state.withLock { state in
                state.requestedLists = state.begunLists + 1
                return state.requestedLists
            }
            client.waker.wake()
            // An observer on the client's thread cannot wait for that thread.
            if client.isFollowerThread { return }
            let deadline = ContinuousClock.now.advanced(by: client.settings.timing.start)
            _ = client.wait(until: deadline) { $0.lists >= target }
        }

        /// The status of the only source: the connection, the revision of the contents and their age.
        ///
        /// Its problem is the reason why the client is not connected. It is `.invalid` if the settings cannot be
        /// used. While there are contents, the problem does not prevent a stack that requires this layer from
        /// starting.
        public var status: [PrefsSourceStatus] {
            let state = client.state.withLock { $0 }
            return [
                PrefsSourceStatus(
                    file: "etcd \(client.settings.prefix)",
                    problem: client.settings.problem.map { PrefsError(.invalid, reason: $0) }
                        ?? state.failure.map {
                            PrefsError(.unreadable, reason: "\(state.endpoint): \($0.message)")
                        },
                    lastGood: state.lastConfirmed, isWritable: isWritable,
                    generation: client.changes.generation, detail: state.summary)
            ]
        }
    }

    extension EtcdClient.State {
        /// The state in words: `connected to https://a:2379, revision 4711` or `not connected, cached contents of
        /// revision 4711`.
        fileprivate var summary: String {
            let revision = mirror.header.revision
            if failure == nil { return "connected to \(endpoint), revision \(revision)" }
            guard lastConfirmed != nil else { return "not connected, no contents" }
            return "not connected, \(areCached ? "cached " : "")contents of revision \(revision)"
        }
    }

    extension PrefsStorage where Self == EtcdPrefsStorage {
        /// Returns a storage of the keys under a prefix in etcd; see
        /// ``EtcdPrefsStorage/init(endpoints:prefix:locks:credentials:tls:cache:isWritable:host:timing:diagnostics:)``.
        public static func etcd(
            endpoints: [String], prefix: String, locks: String? = nil,
            credentials: EtcdPrefsStorage.Credentials? = nil,
            tls: EtcdPrefsStorage.TLS = .init(), cache: EtcdPrefsStorage.Cache = .standard,
            isWritable: Bool = false, host: String? = nil, timing: EtcdPrefsStorage.Timing = .init(),
            diagnostics: PrefsDiagnosticHandler = .shared
        ) -> EtcdPrefsStorage {
            EtcdPrefsStorage(
                endpoints: endpoints, prefix: prefix, locks: locks, credentials: credentials, tls: tls,
                cache: cache, isWritable: isWritable, host: host, timing: timing, diagnostics: diagnostics)
        }
    }
#endif
