#if Etcd
    import LayeredPrefs
    import LayeredPrefsTesting
    import PrefsSystem
    import Testing

    @testable import LayeredPrefsEtcd

    /// Writes to a server whose answers the test decides; `txn` gets the number of the transaction.
    @Suite struct EtcdWriterTests {
        private static let rejection = FakeServer.Answer.body(
            #"{"message":"etcdserver: permission denied","code":7}"#, status: 403)
        private static let unknown = FakeServer.Answer.body(
            #"{"error":"context deadline exceeded","message":"context deadline exceeded","code":2}"#,
            status: 500)
        private static let conflict = FakeServer.Answer.body("{\(FakeServer.header(6))}")
        private static let success = FakeServer.Answer.body(#"{\#(FakeServer.header(8)),"succeeded":true}"#)

        /// How a server treats a transaction.
        enum Fate: Sendable {
            case stores, storesAndFails, fails, storesAndHangsUp, conflicts
        }

        /// Writes `port` = 81. Returns the number of transactions that the server received.
        private func write(_ fates: [Fate]) throws -> Int {
            let feed = Feed()
            let isStored = Lock(false)
            let server = try FakeServer { request, count in
                switch request.path {
                case "/v3/kv/range":
                    isStored.withLock { $0 }
                        ? FakeServer.range(8, [FakeServer.item("/p/port", "81", 8)]) : FakeServer.range(5, [])
                case "/v3/kv/txn": Self.answer(fates[count - 1], isStored, feed)
                default: .feed(feed)
                }
            }
            feed.send(FakeServer.created(5))
            defer { feed.end() }
            let storage = storage(server)
            #expect(eventually { storage.status.first?.problem == nil })
            try storage.setValue(81, forKey: "port")
            #expect(storage.get(PersistentKey("port", defaultValue: 0)) == 81)
            return server.requests.count { $0.path == "/v3/kv/txn" }
        }

        private static func answer(_ fate: Fate, _ isStored: borrowing Lock<Bool>, _ feed: Feed)
            -> FakeServer.Answer
        {
            if fate != .fails, fate != .conflicts {
                isStored.withLock { $0 = true }
                feed.send(FakeServer.put("/p/port", "81", 8))
            }
            return switch fate {
            case .stores: success
            case .fails, .storesAndFails: unknown
            case .storesAndHangsUp: .raw([])
            case .conflicts: conflict
            }
        }

        @Test(
            arguments: [
                ([.stores], 1), ([.storesAndFails], 1), ([.storesAndHangsUp], 1), ([.fails, .stores], 2),
                ([.conflicts, .stores], 2), ([.conflicts, .fails, .storesAndFails], 3),
            ] as [([Fate], Int)])
        func `an unknown outcome is looked up before the write is repeated, and the value can be read`(
            _ fates: [Fate], _ count: Int
        ) throws {
            #expect(try write(fates) == count)
        }

        @Test func `a write that would change nothing of what the client has is compared with the server`()
            throws
        {
            let feed = Feed()
            let server = try FakeServer { request, count in
                switch (request.path, count) {
                case ("/v3/kv/range", 1): return FakeServer.range(5, [FakeServer.item("/p/port", "81", 5)])
                // This is another writer's change, which the client has not received yet.
                case ("/v3/kv/range", _): return FakeServer.range(7, [FakeServer.item("/p/port", "82", 7)])
                case ("/v3/kv/txn", _):
                    feed.send(FakeServer.put("/p/port", "81", 8))
                    return Self.success
                default: return .feed(feed)
                }
            }
            feed.send(FakeServer.created(5))
            defer { feed.end() }
            let storage = storage(server)
            #expect(eventually { storage.status.first?.problem == nil })
            try storage.setValue(81, forKey: "port")
            let bodies = server.requests.filter { $0.path == "/v3/kv/txn" }.map(\.body)
            #expect(bodies.count == 1 && bodies.first?.contains(#""mod_revision":"7""#) == true)
        }

        @Test func `each of several endpoints has a share of the time for a write`() throws {
            let hanging = try FakeServer { _, _ in .silence }
            let good = try FakeServer { request, _ in
                switch request.path {
                case "/v3/kv/range": FakeServer.range(8, [FakeServer.item("/p/port", "81", 8)])
                default: .stream([FakeServer.created(8)])
                }
            }
            let storage = EtcdPrefsStorage(
                endpoints: [hanging.url, good.url], prefix: "/p", cache: .none, isWritable: true,
                timing: .init(start: .zero, request: .seconds(3600), write: .seconds(4)),
                diagnostics: PrefsDiagnosticHandler { _ in })
            // The write is planned on the second endpoint's contents. Whether the client receives it in time
            // does not matter.
            do { try storage.setValue(81, forKey: "port") } catch let error as PrefsError {
                #expect(error.code == .busy)
            }
            #expect(good.requests.contains { $0.path == "/v3/kv/range" })
        }

        @Test func `a request of a write ends when the time for the write does`() throws {
            let server = try FakeServer { request, _ in
                switch request.path {
                case "/v3/kv/range": FakeServer.range(5, [])
                case "/v3/kv/txn": .silence
                default: .stream([FakeServer.created(5)])
                }
            }
            let storage = EtcdPrefsStorage(
                endpoints: [server.url], prefix: "/p", cache: .none, isWritable: true,
                timing: .init(start: .seconds(60), request: .seconds(3600), write: .milliseconds(500)),
                diagnostics: PrefsDiagnosticHandler { _ in })
            #expect {
                try storage.setValue(81, forKey: "port")
            } throws: { error in
                (error as? PrefsError)?.reason.contains("it is not known whether the change was stored")
                    == true
            }
        }

        @Test func `a rejection is an error at once, which says that nothing was changed`() throws {
            let server = try FakeServer { request, _ in
                switch request.path {
                case "/v3/kv/range": FakeServer.range(5, [])
                case "/v3/kv/txn": Self.rejection
                default: .stream([FakeServer.created(5)])
                }
            }
            let storage = storage(server)
            #expect {
                try storage.setValue(81, forKey: "port")
            } throws: { error in
                let error = error as? PrefsError
                return error?.code == .unwritable && error?.key == "port"
                    && error?.reason.contains("permission denied; nothing was changed") == true
            }
            #expect(server.requests.count { $0.path == "/v3/kv/txn" } == 1)
        }

        @Test func `after the time for a write the outcome is said to be unknown`() throws {
            let server = try FakeServer { request, _ in
                switch request.path {
                case "/v3/kv/range": FakeServer.range(5, [])
                case "/v3/kv/txn": Self.unknown
                default: .stream([FakeServer.created(5)])
                }
            }
            let storage = storage(server, time: .seconds(1))
            #expect {
                try storage.setValue(81, forKey: "port")
            } throws: { error in
                (error as? PrefsError)?.reason.contains("it is not known whether the change was stored")
                    == true
            }
            #expect(server.requests.count { $0.path == "/v3/kv/txn" } > 1)
        }

        @Test func `a write that fails makes the client check its own connection`() throws {
            let server = try FakeServer { request, _ in
                switch request.path {
                case "/v3/kv/range":
                    request.body.contains("count_only") ? .body("", status: 503) : FakeServer.range(5, [])
                case "/v3/kv/txn": Self.unknown
                default: .stream([FakeServer.created(5)])
                }
            }
            let storage = storage(server, time: .seconds(1))
            #expect(eventually { storage.status.first?.problem == nil })
            #expect(throws: PrefsError.self) { try storage.setValue(81, forKey: "port") }
            #expect(eventually { server.requests.contains { $0.body.contains("count_only") } })
        }

        @Test func `conflicts are bounded, and each attempt compares the revision just read`() throws {
            let server = try FakeServer { request, count in
                switch request.path {
                case "/v3/kv/range": FakeServer.range(5 + count, [FakeServer.item("/p/port", "1", 5 + count)])
                case "/v3/kv/txn": Self.conflict
                default: .stream([FakeServer.created(6)])
                }
            }
            let storage = storage(server)
            #expect { try storage.setValue(81, forKey: "port") } throws: {
                ($0 as? PrefsError)?.code == .busy
            }
            let bodies = server.requests.filter { $0.path == "/v3/kv/txn" }.map(\.body)
            #expect(bodies.count == 17 && Set(bodies).count == 17)
        }

        @Test func `more than 128 changes and writes to a read-only storage are rejected before any request`()
            throws
        {
            let server = try FakeServer { request, _ in
                request.path == "/v3/kv/range" ? FakeServer.range(5, []) : .stream([FakeServer.created(5)])
            }
            let values = Dictionary(uniqueKeysWithValues: (0..<129).map { ("k\($0)", PrefsValue?.some(1)) })
            #expect {
                try storage(server).setValues(values)
            } throws: { ($0 as? PrefsError)?.code == .tooLarge }
            #expect {
                try storage(server, isWritable: false).setValue(1, forKey: "a")
            } throws: { ($0 as? PrefsError)?.code == .notWritable }
            #expect(!server.requests.contains { $0.path == "/v3/kv/txn" })
        }

        private func storage(
            _ server: FakeServer, time: Duration = .seconds(60), isWritable: Bool = true
        ) -> EtcdPrefsStorage {
            EtcdPrefsStorage(
                endpoints: [server.url], prefix: "/p", cache: .none, isWritable: isWritable,
                timing: .init(start: .seconds(60), write: time), diagnostics: PrefsDiagnosticHandler { _ in })
        }
    }
#endif
