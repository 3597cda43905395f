#if Etcd
    import LayeredPrefs
    import PrefsSystem

    /// Follows the server: lists all keys, then watches for changes, and starts again when the watch ends.
    ///
    /// Each stream begins after a complete list and ends at the first irregularity. So the next list finds
    /// everything that a server has lost or rewritten. Confined to the client's thread.
    final class EtcdFollower {
        private let client: EtcdClient
        private let connection: EtcdConnection
        private var endpoints: Endpoints
        private let cache: CacheKeeper?
        private let reports: ReportKeeper
        private var nextCheck = ContinuousClock.now
        private var establishedAt: ContinuousClock.Instant?

        /// A shorter stream does not count as a success.
        private static let shortestStream = Duration.seconds(5)

        init(_ client: EtcdClient, _ connection: EtcdConnection) {
            (self.client, self.connection) = (client, connection)
            let urls = client.settings.endpoints
            endpoints = Endpoints(
                urls, startingAt: .random(in: 0..<urls.count),
                longestPause: client.settings.timing.longestPause)
            cache = CacheKeeper(client)
            reports = ReportKeeper(client)
        }

        /// Runs until the storage is released.
        func run() {
            client.state.withLock { $0.follower = BackgroundThread.current }
            while !client.isStopped {
                establishedAt = nil
                do { try follow() } catch { if !client.isStopped { recover(from: error) } }
            }
            cache?.saveChanges()
        }

        private func recover(from failure: EtcdFailure) {
            if let establishedAt, establishedAt.duration(to: .now) >= Self.shortestStream {
                endpoints.noteSuccess()
            }
            let failed = endpoints.current
            let pause = endpoints.noteFailure(jitter: .random(in: 0...1))
            client.noteFailure(failure, at: failed, isTotal: endpoints.haveAllFailed)
            let end = ContinuousClock.now.advanced(by: pause)
            while continues, ContinuousClock.now < end { wait(until: end) }
        }

        /// False if somebody has requested a list, or if the client stops.
        private var continues: Bool {
            client.state.withLock { !$0.isStopped && $0.requestedLists <= $0.begunLists }
        }

        /// Waits until a transfer advances, a list is requested, or `end` has come.
        private func wait(until end: ContinuousClock.Instant) {
            cache?.saveChanges(ifDue: .now)
            let next = min(end, cache?.deadline ?? end)
            connection.transport.poll(for: ContinuousClock.now.duration(to: next))
        }

        private func commit(list: Int? = nil, _ update: (inout EtcdMirror) -> EtcdMirror.Changes) {
            guard client.commit(list: list, update) else { return }
            cache?.noteChange()
            reports.noteChange()
        }

        /// Lists and watches. Returns if somebody has requested a list, or if the client stops.
        private func follow() throws(EtcdFailure) {
            let ranges = client.settings.ranges
            let number = client.beginList()
            let list = try connection.list(ranges, at: endpoints.current)
            commit(list: number) { $0.replace(with: list.items, header: list.header) }
            let stream = try EtcdStream(connection, ranges, after: list.header, at: endpoints.current)
            defer { stream.close() }
            let deadline = ContinuousClock.now.advanced(by: client.settings.timing.request)
            while establishedAt == nil, continues {
                guard ContinuousClock.now < deadline else {
                    throw EtcdFailure(.unavailable, "the watch does not begin")
                }
                wait(until: deadline)
                try receive(from: stream)
            }
            scheduleCheck()
            while continues {
                wait(until: min(nextCheck, reports.deadline(now: .now) ?? nextCheck))
                try receive(from: stream)
                try report(meanwhile: stream)
                if client.takeCheckRequest() || ContinuousClock.now >= nextCheck { try check(stream) }
            }
        }

        private func receive(from stream: EtcdStream) throws(EtcdFailure) {
            for batch in try stream.receive() {
                commit { $0.apply(batch.events, header: batch.header) }
            }
            if stream.isEstablished, establishedAt == nil {
                establishedAt = .now
                client.noteConnected(to: endpoints.current)
                reports.noteConnection()
            }
        }

        /// Sends a request. Keeps receiving from the stream until the answer comes.
        private func call(
            _ path: String, _ body: String, meanwhile stream: EtcdStream
        ) throws(EtcdFailure) -> [UInt8] {
            try connection.call(
                path, body, at: endpoints.current,
                meanwhile: { () throws(EtcdFailure) in try receive(from: stream) })
        }

        /// Checks that the server answers, permits reading, and has the expected number of keys. If a server
        /// hangs, or has revoked the permission, its stream is only silent.
        private func check(_ stream: EtcdStream) throws(EtcdFailure) {
            scheduleCheck()
            for range in client.settings.ranges {
                let first = try count(of: range, stream)
                // The answer may be newer than the stream's last event.
                let end = ContinuousClock.now.advanced(by: Self.longestLag)
                while continues, known(in: range) != first, ContinuousClock.now < end {
                    wait(until: end)
                    try receive(from: stream)
                }
                guard continues else { return }
                if known(in: range) == first { continue }
                let (count, known) = (try count(of: range, stream), known(in: range))
                guard count == known else {
                    throw EtcdFailure(.revision, "the server has \(count) keys, \(known) are known")
                }
            }
            client.noteConnected(to: endpoints.current)
        }

        /// After this time, an event that has not arrived counts as lost.
        private static let longestLag = Duration.seconds(1)

        /// Asks the server for the number of its keys.
        private func count(of range: EtcdKeyRange, _ stream: EtcdStream) throws(EtcdFailure) -> Int {
            let answer = try call("/v3/kv/range", EtcdRequests.check(range), meanwhile: stream)
            return try Int(EtcdRange(answer: answer).count)
        }

        private func known(in range: EtcdKeyRange) -> Int {
            client.state.withLock { $0.mirror.items.keys.count(where: range.contains) }
        }

        private func scheduleCheck() {
            nextCheck = .now.advanced(by: client.settings.timing.check * Double.random(in: 0.8...1.2))
        }

        /// Sends this process's report if it is due.
        private func report(meanwhile stream: EtcdStream) throws(EtcdFailure) {
            do throws(EtcdFailure) {
                try reports.run { path, body throws(EtcdFailure) in
                    try call(path, body, meanwhile: stream)
                }
            } catch {
                if let failure = stream.failure { throw failure }
                // The server may hang with all its connections open.
                if error.kind == .unavailable { client.requestCheck() }
                reports.noteFailure(error)
            }
        }
    }
#endif
