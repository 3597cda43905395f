#if Etcd
    import FoundationEssentials
    import LayeredPrefs
    import PrefsSystem

    /// The contents that a storage has received, as it publishes them, and what else its threads share.
    final class EtcdClient: Sendable {
        struct State {
            var snapshot = PrefsSnapshot(candidates: [:])
            var mirror = EtcdMirror()
            /// The number of changes that can be read but of which the observers have not been notified.
            var unannounced = 0
            /// The time at which the contents were last known to be the server's; `nil` if there are none.
            var lastConfirmed: ContinuousClock.Instant?
            /// The reason for which the client is not connected; `nil` if it is.
            var failure: EtcdFailure? = EtcdFailure.notTried
            /// The kinds of failure that have been reported since the last recovery.
            var reported: [EtcdFailure.Kind] = []
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
            /// True if the storage was released.
            var isStopped = false
            /// The thread that follows the server, on which observers may be called.
            var follower: UInt?
            /// The headers with which the client has logged in; `nil` if it has to log in.
            var login: [String]?
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

        let settings: EtcdSettings
        let diagnostics: PrefsDiagnosticHandler
        let state = Lock(State())
        let changes = PrefsChangeSource(announcesEveryChange: true)
        /// Ends the waits of the thread that follows the server.
        let waker = Waker()
        /// Posted after each change of the state that a thread may wait for.
        private let announcement = Announcement()

        init(settings: EtcdSettings, diagnostics: PrefsDiagnosticHandler) {
            (self.settings, self.diagnostics) = (settings, diagnostics)
        }

        /// Waits until a condition holds; returns false if the deadline passes first.
        func wait(until deadline: ContinuousClock.Instant, _ condition: (State) -> Bool) -> Bool {
            announcement.wait(until: deadline) { state.withLock { condition($0) } }
        }

        /// Makes the threads of the client end.
        func stop() {
            state.withLock { $0.isStopped = true }
            waker.wake()
        }

        var isStopped: Bool { state.withLock { $0.isStopped } }

        var isFollowerThread: Bool { state.withLock { $0.follower } == BackgroundThread.current }
    }

    extension EtcdClient {
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

        private func publish(_ changes: EtcdMirror.Changes, _ state: inout State) -> [PrefsDiagnostic] {
            var candidates: [String: PrefsCandidate?] = [:]
            var (locks, canaries): ([(String, EtcdItem?)], [(String, EtcdItem?)]) = ([], [])
            var reports: [PrefsDiagnostic] = []
            for (key, item) in changes {
                let (role, mapping) = settings.role(of: key)
                do throws(PrefsError) {
                    let name = try mapping.name(of: key)
                    switch role {
                    case .value: candidates[name] = .some(item.map(mapping.candidate))
                    case .lock: locks.append((name, item))
                    case .canary: canaries.append((name, item))
                    }
                } catch {
                    var error = error
                    if item == nil { error.reason = "the key was removed" }
                    error.origin = KeyMapping.origin(of: key, revision: item?.revision)
                    reports.append(PrefsDiagnostic(item == nil ? .recovered : .error, error))
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

        /// Publishes the contents of the cache, before the client has begun to follow the server.
        func adopt(_ cached: CacheFile.Contents) {
            // The file may be that of a client which followed other prefixes.
            let items = cached.items.filter { item in settings.ranges.contains { $0.contains(item.key) } }
            commit { $0.replace(with: items, header: cached.header) }
            // The file may hold any time.
            let age = max(0, Int64(Date.now.timeIntervalSince1970) - max(0, cached.time))
            state.withLock { ($0.areCached, $0.lastConfirmed) = (true, .now - .seconds(age)) }
        }
    }

    extension EtcdClient {
        /// Notes that the server has just confirmed the contents, and reports the end of an outage.
        func noteConnected(to endpoint: String) {
            let wasReported = state.withLock { state in
                defer { state.reported = [] }
                (state.failure, state.endpoint, state.lastConfirmed) = (nil, endpoint, .now)
                return !state.reported.isEmpty
            }
            announcement.post()
            guard wasReported else { return }
            let reason = "connected to \(endpoint)"
            diagnostics.report(.recovered, PrefsError(.unreadable, origin: settings.origin, reason: reason))
        }

        /// Notes that an endpoint has failed, and reports the beginning of an outage, once for each kind of failure.
        ///
        /// - Parameter isTotal: True if every endpoint has failed. Until then only what another endpoint would refuse
        ///   as well is reported.
        func noteFailure(_ failure: EtcdFailure, at endpoint: String, isTotal: Bool) {
            let rest: String? = state.withLock { state in
                (state.failure, state.endpoint) = (failure, endpoint)
                let concernsAll = failure.kind == .permission || failure.kind == .credentials
                guard isTotal || concernsAll, !state.reported.contains(failure.kind) else { return nil }
                state.reported.append(failure.kind)
                let revision = state.mirror.header.revision
                return state.lastConfirmed == nil
                    ? "the layer is empty" : "keeping the previous version, of revision \(revision),"
            }
            announcement.post()
            guard let rest else { return }
            let reason = "\(endpoint): \(failure.message); \(rest) until a server answers"
            diagnostics.report(.error, PrefsError(.unreadable, origin: settings.origin, reason: reason))
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
    }
#endif
