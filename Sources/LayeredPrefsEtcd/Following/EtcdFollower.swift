#if Etcd
    import LayeredPrefs
    import PrefsSystem

    /// Follows the server: lists everything, then watches what changes, for ever.
    ///
    /// Each stream begins after a complete list and ends at the first irregularity, so whatever a server has
    /// lost or rewritten is found by the next list. Confined to the client's thread.
    final class EtcdFollower {
        private let settings: EtcdSettings
        private let contents: EtcdContents
        private let connection: EtcdConnection
        private var endpoints: Endpoints
        private var outages: OutageLog
        private let cache: CacheKeeper?
        private let reports: ReportKeeper
        private var nextCheck = ContinuousClock.now
        private var establishedAt: ContinuousClock.Instant?

        /// A stream that ends sooner does not count as a success.
        private static let shortestStream = Duration.seconds(5)

        init(
            settings: EtcdSettings, contents: EtcdContents, connection: EtcdConnection,
            diagnostics: PrefsDiagnostics
        ) {
            self.settings = settings
            self.contents = contents
            self.connection = connection
            endpoints = Endpoints(
                settings.endpoints, startingAt: .random(in: 0..<settings.endpoints.count),
                longestPause: settings.timing.longestPause)
            cache = CacheKeeper(settings: settings, diagnostics: diagnostics)
            reports = ReportKeeper(settings: settings, contents: contents, diagnostics: diagnostics)
            outages = OutageLog(diagnostics: diagnostics, prefix: settings.prefix)
        }

        /// Runs until the storage is released.
        func run() {
            contents.noteFollowerThread()
            while !settings.isStopped {
                establishedAt = nil
                do {
                    try follow()
                } catch {
                    if !settings.isStopped { recover(from: error) }
                }
            }
            cache?.saveAll { mirror }
        }

        private func recover(from failure: EtcdFailure) {
            if let establishedAt, establishedAt.duration(to: .now) >= Self.shortestStream {
                endpoints.noteSuccess()
            }
            let failed = endpoints.current
            let pause = endpoints.noteFailure(jitter: .random(in: 0...1))
            contents.noteFailure(failure, at: failed, haveAllFailed: endpoints.haveAllFailed)
            let revision = contents.state.withLock {
                $0.lastConfirmed == nil ? nil : $0.mirror.header.revision
            }
            outages.note(failure, at: failed, isTotal: endpoints.haveAllFailed, revision: revision)
            let end = ContinuousClock.now.advanced(by: pause)
            while !settings.isStopped, !isListRequested, ContinuousClock.now < end { wait(until: end) }
        }

        /// Waits until a transfer advances, a list is requested, or a time has come.
        private func wait(until end: ContinuousClock.Instant) {
            cache?.saveIfDue { mirror }
            let next = min(end, cache?.deadline ?? end)
            connection.transport.poll(for: ContinuousClock.now.duration(to: next))
        }

        private var mirror: EtcdMirror { contents.state.withLock { $0.mirror } }

        private func note(_ didChange: Bool) {
            guard didChange else { return }
            cache?.noteChange()
            reports.noteChange()
        }

        private var isListRequested: Bool { contents.state.withLock { $0.requestedLists > $0.begunLists } }

        /// Returns if a list is requested or the client stops.
        private func follow() throws(EtcdFailure) {
            let number = contents.beginList()
            let list = try connection.list(settings.ranges, at: endpoints.current)
            note(contents.commit(list: number) { $0.replace(with: list.items, header: list.header) })
            let stream = try EtcdStream(
                connection, settings.ranges, after: list.header, at: endpoints.current)
            defer { stream.close() }
            scheduleCheck()
            let deadline = ContinuousClock.now.advanced(by: settings.timing.request)
            while !settings.isStopped, !isListRequested {
                let next = establishedAt == nil ? deadline : nextCheck
                wait(until: establishedAt == nil ? next : min(next, reports.deadline(now: .now) ?? next))
                try receive(from: stream)
                if establishedAt != nil { try report(meanwhile: stream) }
                let isCheckRequested = establishedAt != nil && contents.takeCheckRequest()
                guard ContinuousClock.now >= next || isCheckRequested else { continue }
                if establishedAt == nil { throw EtcdFailure(.unavailable, "the watch does not begin") }
                try check(stream)
            }
        }

        private func receive(from stream: EtcdStream) throws(EtcdFailure) {
            for batch in try stream.receive() {
                note(contents.commit { $0.apply(batch.events, header: batch.header) })
            }
            if stream.isEstablished, establishedAt == nil {
                establishedAt = .now
                contents.noteConnected(to: endpoints.current)
                reports.noteConnection()
                outages.noteRecovery(at: endpoints.current)
            }
        }

        /// Checks that the server answers, permits reading and has as many keys, because a stream of a server
        /// that hangs, or has revoked the permission, is only silent.
        private func check(_ stream: EtcdStream) throws(EtcdFailure) {
            scheduleCheck()
            for range in settings.ranges {
                let answer = try connection.call(
                    "/v3/kv/range", EtcdRequests.check(range), at: endpoints.current,
                    meanwhile: { () throws(EtcdFailure) in try receive(from: stream) })
                let count = try EtcdRange(answer: answer).count
                let known = contents.state.withLock { state in
                    state.mirror.items.keys.count(where: range.contains)
                }
                if count != known {
                    throw EtcdFailure(.revision, "the server has \(count) keys, \(known) are known")
                }
            }
            contents.noteConnected(to: endpoints.current)
        }

        /// Sends what this process reports, if that is due, and receives from the stream meanwhile.
        private func report(meanwhile stream: EtcdStream) throws(EtcdFailure) {
            do throws(EtcdFailure) {
                try reports.run { path, body throws(EtcdFailure) in
                    try connection.call(
                        path, body, at: endpoints.current,
                        meanwhile: { () throws(EtcdFailure) in try receive(from: stream) })
                }
            } catch {
                if let failure = stream.failure { throw failure }
                // A server that does not answer may hang with all its connections open.
                if error.kind == .unavailable { contents.requestCheck() }
                reports.noteFailure(error)
            }
        }

        private func scheduleCheck() {
            nextCheck = .now.advanced(by: settings.timing.check * Double.random(in: 0.8...1.2))
        }
    }
#endif
