#if Etcd
    import Glibc
    import LayeredPrefs
    import PrefsSystem
    import Synchronization

    /// The contents that a client has received, as the storage publishes them.
    final class EtcdContents: Sendable {
        struct State {
            var snapshot = PrefsSnapshot(candidates: [:])
            var mirror = EtcdMirror()
            /// The number of changes that can be read but of which the observers have not been notified.
            var unannounced = 0
            /// The time at which the contents were last known to be the server's; `nil` if there are none.
            var lastConfirmed: ContinuousClock.Instant?
            /// The reason for which the client is not connected; `nil` if it is.
            var failure: EtcdFailure? = EtcdFailure(.unavailable, "not connected yet")
            /// True until the first attempt to connect has succeeded or failed.
            var isStarting = true
            /// The endpoint that is used, or that was tried last.
            var endpoint = ""
            /// True if the contents are those of the cache.
            var areCached = false
            /// The number of lists that were begun.
            var begunLists = 0
            /// The number of the last list that was received; 0 if there is none.
            var lists = 0
            /// The number of the list that calls of `reload()` wait for: one that begins after the call.
            var requestedLists = 0
            /// True if the client should check its connection now, because another request has failed.
            var needsCheck = false
            /// True if the first attempt with every endpoint has failed.
            var haveAllFailed = false
            /// The places of the locks, by the names of the locked keys.
            var locks: [String: PrefsOrigin] = [:]
            /// The canaries that reach this host, by the names of their keys.
            var canaries: [String: PrefsCandidate] = [:]
            /// The names of the keys whose canaries cannot be read.
            var brokenCanaries: Set<String> = []
            /// The report that the process has asked for.
            var reporter: InstanceReporter?
            /// True if the report may differ from the one made before.
            var needsReport = false
        }

        let state = Lock(State())
        let changes = PrefsChangeSource(announcesEveryChange: true)
        /// Posted after each change of the state that a thread may wait for.
        let announcement = Announcement()
        /// Ends the waits of the client's thread.
        let waker = Waker()
        private let followerThread = Atomic<UInt>(0)
        private let settings: EtcdSettings
        private let diagnostics: PrefsDiagnostics

        init(settings: EtcdSettings, diagnostics: PrefsDiagnostics) {
            self.settings = settings
            self.diagnostics = diagnostics
        }

        /// Notes that a list begins, and returns its number.
        func beginList() -> Int {
            state.withLock { state in
                state.begunLists += 1
                return state.begunLists
            }
        }

        /// Publishes what `update` changes in the mirror as one generation.
        ///
        /// - Returns: True if anything changed.
        @discardableResult
        func commit(list: Int? = nil, _ update: (inout EtcdMirror) -> EtcdMirror.Changes) -> Bool {
            let (isChanged, reports) = state.withLock { state in
                let changes = update(&state.mirror)
                if let list { (state.lists, state.areCached) = (list, false) }
                state.lastConfirmed = .now
                if !changes.isEmpty { state.unannounced += 1 }
                return (!changes.isEmpty, publish(changes, &state))
            }
            if isChanged {
                changes.advance()
                state.withLock { $0.unannounced -= 1 }
            }
            announcement.post()
            for report in reports { diagnostics.report(report.severity, report.error) }
            return isChanged
        }

        /// Notes that this thread is the one that follows the server.
        func noteFollowerThread() { followerThread.store(UInt(pthread_self()), ordering: .releasing) }

        /// True on the thread that follows the server, on which observers may be called.
        var isFollowerThread: Bool { followerThread.load(ordering: .acquiring) == UInt(pthread_self()) }

        /// Publishes the contents of the cache, before the client has begun to follow the server.
        func adopt(_ cached: CacheFile.Contents, now: Int64) {
            // The file may be that of a client which followed other prefixes.
            let items = cached.items.filter { item in settings.ranges.contains { $0.contains(item.key) } }
            commit { $0.replace(with: items, header: cached.header) }
            state.withLock { state in
                state.areCached = true
                // The file may hold any time.
                state.lastConfirmed = .now - .seconds(max(0, now - max(0, cached.time)))
            }
        }

        private func publish(_ changes: EtcdMirror.Changes, _ state: inout State) -> [PrefsDiagnostic] {
            var candidates: [String: PrefsCandidate?] = [:]
            var (locks, canaries): ([(String, EtcdItem?)], [(String, EtcdItem?)]) = ([], [])
            var reports: [PrefsDiagnostic] = []
            for (key, item) in changes {
                let (role, mapping) = settings.role(of: key)
                switch (role, mapping.name(of: key)) {
                case (.value, .success(let name)):
                    candidates[name] = .some(item.map(settings.mapping.candidate))
                case (.lock, .success(let name)): locks.append((name, item))
                case (.canary, .success(let name)): canaries.append((name, item))
                case (_, .failure(let unnamed)): reports.append(report(unnamed, key, item))
                }
            }
            if !state.canaries.isEmpty || !canaries.isEmpty {
                reports += state.apply(canaries, settings, to: &candidates)
            }
            if !candidates.isEmpty { state.snapshot = state.snapshot.replacing(candidates) }
            if !locks.isEmpty {
                for (name, item) in locks { state.locks[name] = item.map(settings.mapping.origin) }
                state.snapshot = state.snapshot.locking(state.locks)
            }
            return reports
        }

        private func report(_ unnamed: KeyMapping.Unnamed, _ key: [UInt8], _ item: EtcdItem?)
            -> PrefsDiagnostic
        {
            let origin = PrefsOrigin(
                file: "etcd \(KeyMapping.text(of: key))", revision: item.map { String($0.revision) })
            return item == nil
                ? PrefsDiagnostic(
                    .recovered, PrefsError(.invalid, origin: origin, reason: "the key was removed"))
                : PrefsDiagnostic(.error, PrefsError(.invalid, origin: origin, reason: unnamed.reason))
        }

        /// Notes that the server has just confirmed the contents.
        func noteConnected(to endpoint: String) {
            state.withLock { state in
                (state.failure, state.endpoint, state.lastConfirmed) = (nil, endpoint, .now)
                state.isStarting = false
            }
            announcement.post()
        }

        /// Makes the client check its connection, because a request of another thread has failed: a stream of a
        /// server that hangs is only silent.
        func requestCheck() {
            state.withLock { $0.needsCheck = true }
            waker.wake()
        }

        /// Returns true if a check was requested since the last call.
        func takeCheckRequest() -> Bool {
            state.withLock { state in
                defer { state.needsCheck = false }
                return state.needsCheck
            }
        }

        func noteFailure(_ failure: EtcdFailure, at endpoint: String, haveAllFailed: Bool) {
            state.withLock { state in
                (state.failure, state.endpoint, state.isStarting) = (failure, endpoint, false)
                if haveAllFailed { state.haveAllFailed = true }
            }
            announcement.post()
        }
    }
#endif
