#if Etcd
    import FoundationEssentials
    import LayeredPrefs
    import PrefsSystem

    /// The published contents of a storage, and the other state that its threads share.
    final class EtcdClient: Sendable {
        struct State {
            var snapshot = PrefsSnapshot(candidates: [:])
            var mirror = EtcdMirror()
            /// The number of changes that are readable but not yet announced to the observers.
            var unannounced = 0
            /// The time when a server last confirmed the contents; `nil` if there are no contents.
            var lastConfirmed: ContinuousClock.Instant?
            /// The reason why the client is not connected; `nil` if it is connected.
            var failure: EtcdFailure? = EtcdFailure.notTried
            /// The kinds of failure that have been reported since the last recovery.
            var reported: [EtcdFailure.Kind] = []
            /// The endpoint that is in use, or the last one that was tried.
            var endpoint = ""
            /// True if the contents come from the cache.
            var areCached = false
            /// The number of lists that were begun.
            var begunLists = 0
            /// The number of the last list that was received; 0 if there is none.
            var lists = 0
            /// The number of the list that calls of `reload()` wait for. It begins after the call.
            var requestedLists = 0
            /// True if the client should check its connection now, because another request has failed.
            var needsCheck = false
            /// True if the storage was released.
            var isStopped = false
            /// The thread that follows the server. Observers may be called on it.
            var follower: UInt?
            /// The headers of the client's login; `nil` if it has to log in.
            var login: [String]?
            /// The places of the locks, by the names of the locked keys.
            var locks: [String: PrefsOrigin] = [:]
            /// The canaries that reach this host, by the names of their keys.
            var canaries: [String: PrefsCandidate] = [:]
            /// The names of the keys whose canaries cannot be read.
            var brokenCanaries: Set<String> = []
            /// The report that the process has asked for, if there is one.
            var reporter: InstanceReporter?
            /// True if the report may differ from the previous one.
            var needsReport = false
        }

        let settings: EtcdSettings
        let diagnostics: PrefsDiagnosticHandler
        let state = Lock(State())
        let changes = PrefsChangeSource(announcesEveryChange: true)
        /// Ends the waits of the thread that follows the server.
        let waker = Waker()
        /// Posted after every change of the state that a thread may be waiting for.
        private let announcement = Announcement()

        init(settings: EtcdSettings, diagnostics: PrefsDiagnosticHandler) {
            (self.settings, self.diagnostics) = (settings, diagnostics)
        }

        /// Waits until a condition is true. Returns false if the deadline passes first.
        func wait(until deadline: ContinuousClock.Instant, _ condition: (State) -> Bool) -> Bool {
            announcement.wait(until: deadline) { state.withLock { condition($0) } }
        }

        /// Tells the client's threads to end.
        func stop() {
            state.withLock { $0.isStopped = true }
            waker.wake()
        }

        var isStopped: Bool { state.withLock { $0.isStopped } }

        var isFollowerThread: Bool { state.withLock { $0.follower } == BackgroundThread.current }
    }

    extension EtcdClient {
        /// Records that a list begins and returns its number.
        func beginList() -> Int {
            state.withLock { state in
                state.begunLists += 1
                return state.begunLists
            }
        }

        /// Publishes the changes that `update` makes in the mirror, as one generation.
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

        /// Publishes the cached contents. Called before the client begins to follow the server.
        func adopt(_ cached: CacheFile.Contents) {
            // Another client, which followed other prefixes, may have written the file.
            let items = cached.items.filter { item in settings.ranges.contains { $0.contains(item.key) } }
            commit { $0.replace(with: items, header: cached.header) }
            // The time in the file may be wrong, even in the future.
            let age = max(0, Int64(Date.now.timeIntervalSince1970) - max(0, cached.time))
            state.withLock { ($0.areCached, $0.lastConfirmed) = (true, .now - .seconds(age)) }
        }
    }

    extension EtcdClient {
        /// Records that the server has just confirmed the contents. Reports the end of an outage.
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

        /// Records that an endpoint has failed. Reports the beginning of an outage, once for each kind of failure.
        ///
        /// - Parameter isTotal: True if every endpoint has failed. Until then, only a failure that every endpoint
        ///   would repeat is reported, such as a wrong password.
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

        /// Makes the client check its connection because a request on another thread has failed. A stream from a
        /// hanging server would only be silent.
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
