#if Etcd
    import Foundation
    import LayeredPrefs
    import LayeredPrefsTesting
    import PrefsSystem
    import Testing

    @testable import LayeredPrefsEtcd

    /// The client against a server that behaves as etcd rarely does, or never should.
    @Suite struct EtcdFollowerTests {
        private let port = PersistentKey("port", defaultValue: 80)
        private let diagnostics = PrefsDiagnosticHandler()
        private let reports: Recorder<PrefsDiagnostic>

        init() { reports = .diagnostics(of: diagnostics) }

        private func storage(
            _ servers: FakeServer..., credentials: EtcdPrefsStorage.Credentials? = nil,
            request: Duration = .seconds(60), check: Duration = .seconds(600), start: Duration = .seconds(60)
        ) -> EtcdPrefsStorage {
            EtcdPrefsStorage(
                endpoints: servers.map(\.url), prefix: "/p", credentials: credentials, cache: .none,
                timing: .init(start: start, request: request, check: check, longestPause: .milliseconds(20)),
                diagnostics: diagnostics)
        }

        /// Waits at most a minute until the storage has a value.
        private func wait(for value: Int, in storage: EtcdPrefsStorage) async throws {
            let changes = Recorder<Int>()
            let port = port
            changes.keep(
                storage.changeSource?.observe { [unowned storage] in changes.record(storage.get(port)) })
            changes.record(storage.get(port))
            try await changes.wait(within: .seconds(60)) { $0.last == value }
            changes.stop()
        }

        @Test func `a long list is read in pages of one revision`() throws {
            let server = try FakeServer { request, count in
                switch (request.path, count) {
                case ("/v3/kv/range", 1):
                    .body(
                        #"{\#(FakeServer.header(7)),"kvs":[\#(FakeServer.item("/p/a", "1", 3))],"more":true,"count":"2"}"#
                    )
                case ("/v3/kv/range", _): FakeServer.range(9, [FakeServer.item("/p/port", "81", 7)])
                default: .stream([FakeServer.created(9)])
                }
            }
            let storage = storage(server)
            #expect(storage.get(port) == 81)
            #expect(storage.snapshot.get(PersistentKey("a", defaultValue: 0)) == 1)
            let second = server.requests[1].body
            #expect(second.contains(#""revision":"7""#))
            #expect(second.contains(Array("/p/a\0".utf8).base64))
            #expect(eventually { server.requests.count > 2 })
            let watch = server.requests[2]
            #expect(watch.body.contains(#""start_revision":"7""#) && watch.body.contains(#""fragment":true"#))
            #expect(watch.headers.contains("Grpc-Metadata-hasleader: true"))
        }

        @Test(arguments: [
            #"{"result":{\#(FakeServer.header(5)),"created":true,"canceled":true,"cancel_reason":"x"}}"#,
            #"{"result":{\#(FakeServer.header(5)),"canceled":true,"compact_revision":"6"}}"#,
            #"{"error":{"grpc_code":14,"http_code":503,"message":"etcdserver: no leader","http_status":"x"}}"#,
            #"{"error":{"code":14,"message":"etcdserver: no leader","details":[]}}"#,
            #"{"result":{\#(FakeServer.header(3)),"created":true}}"#,
            #"{"result":{\#(FakeServer.header(5, cluster: "78")),"created":true}}"#,
            #"{"result":{\#(FakeServer.header(5, term: 1)),"created":true}}"#, "{}", "[1]", "garbage",
            #"{"result":7}"#,
        ])
        func `a stream that ends or is irregular is followed by a list, which finds deletions`(
            _ message: String
        ) async throws {
            let server = try FakeServer { request, count in
                switch (request.path, count) {
                case ("/v3/kv/range", 1):
                    FakeServer.range(
                        5, [FakeServer.item("/p/port", "81", 3), FakeServer.item("/p/x", "1", 4)])
                case ("/v3/kv/range", _): FakeServer.range(9, [FakeServer.item("/p/x", "1", 4)])
                case (_, 1): .stream([message + "\n"])
                default: .stream([FakeServer.created(9)])
                }
            }
            let storage = storage(server)
            try await wait(for: 80, in: storage)
            #expect(storage.snapshot.get(PersistentKey("x", defaultValue: 0)) == 1)
        }

        @Test func `a stream that is refused in plain text or never begins is given up`() async throws {
            let refusing = try FakeServer { request, _ in
                request.path == "/v3/kv/range"
                    ? FakeServer.range(5, []) : .body("404 page not found", status: 404)
            }
            let silent = try FakeServer { request, _ in
                request.path == "/v3/kv/range" ? FakeServer.range(5, []) : .silence
            }
            let good = try FakeServer { request, _ in
                request.path == "/v3/kv/range"
                    ? FakeServer.range(5, [])
                    : .stream([FakeServer.created(5), FakeServer.put("/p/port", "82", 6)])
            }
            let storage = storage(refusing, silent, good, request: .milliseconds(300))
            try await wait(for: 82, in: storage)
        }

        @Test func `the messages of a watch are read wherever the pieces of its stream end`() async throws {
            let text = FakeServer.created(5) + "\n" + FakeServer.put("/p/port", "82", 6)
            let server = try FakeServer { request, _ in
                guard request.path == "/v3/kv/range" else { return .stream(text.map(String.init)) }
                return FakeServer.range(5, [FakeServer.item("/p/port", "81", 3)])
            }
            let storage = storage(server)
            try await wait(for: 82, in: storage)
        }

        @Test func `an endpoint that hangs or drops connections is passed over`() async throws {
            let hanging = try FakeServer { _, _ in .silence }
            let dropping = try FakeServer { _, _ in .raw([]) }
            let good = try FakeServer { request, _ in
                request.path == "/v3/kv/range"
                    ? FakeServer.range(5, [FakeServer.item("/p/port", "83", 5)])
                    : .stream([FakeServer.created(5)])
            }
            let storage = storage(hanging, dropping, good, request: .milliseconds(300))
            try await wait(for: 83, in: storage)
        }

        @Test func `the fragments of a transaction are one change`() async throws {
            let events = (0..<6).map { #"{"kv":\#(FakeServer.item("/p/k\($0)", "1", 6))}"# }
            let pieces = [0..<2, 2..<4, 4..<6].map { range in
                #"{"result":{\#(FakeServer.header(6)),"fragment":\#(range.upperBound < 6),"#
                    + #""events":[\#(events[range].joined(separator: ","))]}}"# + "\n"
            }
            let server = try FakeServer { request, _ in
                request.path == "/v3/kv/range"
                    ? FakeServer.range(5, []) : .stream([FakeServer.created(5)] + pieces)
            }
            let storage = storage(server, start: .zero)
            let sizes = Recorder<Int>()
            sizes.keep(
                storage.changeSource?.observe { [unowned storage] in
                    sizes.record(storage.snapshot.dictionary.count)
                })
            sizes.record(storage.snapshot.dictionary.count)
            try await sizes.wait(within: .seconds(60)) { $0.last == 6 }
            #expect(Set(sizes.elements).isSubset(of: [0, 6]))
            sizes.stop()
        }

        @Test func `an outage is reported once, and its end once`() async throws {
            let server = try FakeServer { request, count in
                switch (request.path, count) {
                case ("/v3/kv/range", ...5):
                    .body(#"{"message":"etcdserver: no leader","code":14}"#, status: 503)
                case ("/v3/kv/range", _): FakeServer.range(5, [FakeServer.item("/p/port", "81", 3)])
                default: .stream([FakeServer.created(5)])
                }
            }
            let storage = storage(server)
            let reported = try await reports.wait(within: .seconds(60)) { $0.last?.severity == .recovered }
            #expect(reported.map(\.severity) == [.error, .recovered])
            #expect(reported[0].description.contains("etcdserver: no leader; the layer is empty"))
            #expect(storage.get(port) == 81 && storage.status.first?.problem == nil)
        }

        @Test(arguments: [
            FakeServer.Answer.body("not json"), .body("{}"),
            .body(#"{"header":{"revision":"1"},"kvs":[{"key":"eA=="}]}"#),
            .raw(Array("SSH-2.0-x\r\n".utf8)),
            .raw(Array("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{".utf8)),
            .raw([UInt8](repeating: 0, count: 100_000)), .endless(String(repeating: "x", count: 1 << 20)),
            .endless(
                #"{"header":{"revision":"5"},"more":true,"kvs":[]}"# + String(repeating: " ", count: 1 << 20)),
            .body(
                #"{\#(FakeServer.header(5)),"kvs":[\#(FakeServer.item("/p/b", "1", 3)),\#(FakeServer.item("/p/a", "1", 3))]}"#
            ),
            .body("<html>", status: 302), .body("", status: 200),
            FakeServer.range(5, (0...1000).map { FakeServer.item("/p/\(1000 + $0)", "1", 3) }),
            .body(
                #"{\#(FakeServer.header(5)),"kvs":[{}"# + String(repeating: ",{}", count: 2_000_000) + "]}"),
            .body(#"{"x":"# + String(repeating: "[", count: 100_000)),
        ])
        func `a hostile list is reported, and the layer remains empty`(_ answer: FakeServer.Answer)
            async throws
        {
            let server = try FakeServer { _, _ in answer }
            let storage = storage(server, start: .zero)
            try await reports.wait(within: .seconds(60)) { !$0.isEmpty }
            #expect(storage.snapshot.dictionary.isEmpty && storage.status.first?.problem != nil)
        }

        @Test(arguments: [
            "{", "\"", #"{"result":{"#, String(repeating: "[", count: 1000), #"{"a":""#,
        ])
        func `an endless stream is given up, and the contents remain`(_ piece: String) async throws {
            let piece = String(repeating: piece, count: (1 << 20) / piece.utf8.count)
            let server = try FakeServer { request, _ in
                request.path == "/v3/kv/range"
                    ? FakeServer.range(5, [FakeServer.item("/p/port", "81", 3)]) : .endless(piece)
            }
            let storage = storage(server)
            try await reports.wait(within: .seconds(60)) { !$0.isEmpty }
            #expect(storage.get(port) == 81)
        }

        @Test func `a check finds what a stream has lost`() async throws {
            let server = try FakeServer { request, count in
                switch (request.path, count) {
                case ("/v3/kv/range", 1): FakeServer.range(5, [])
                case ("/v3/kv/range", _): FakeServer.range(9, [FakeServer.item("/p/port", "84", 8)])
                default: .stream([FakeServer.created(9)])
                }
            }
            let storage = storage(server, check: .milliseconds(50))
            try await wait(for: 84, in: storage)
        }

        @Test func `a server that no longer answers is left although its stream is open`() async throws {
            let hanging = try FakeServer { request, count in
                switch (request.path, count) {
                case ("/v3/kv/range", 1): FakeServer.range(5, [FakeServer.item("/p/port", "81", 3)])
                case ("/v3/kv/range", _): .silence
                default: .stream([FakeServer.created(5)])
                }
            }
            let good = try FakeServer { request, _ in
                request.path == "/v3/kv/range"
                    ? FakeServer.range(9, [FakeServer.item("/p/port", "85", 8)])
                    : .stream([FakeServer.created(9)])
            }
            let storage = storage(hanging, good, request: .milliseconds(300), check: .milliseconds(50))
            try await wait(for: 85, in: storage)
        }

        @Test(arguments: [
            [], ["localhost:2379"], ["http://"], ["ftp://a"], ["http://a b"], ["http://a/\r\nX: y"],
        ])
        func `endpoints that are no URLs are reported`(_ endpoints: [String]) {
            let storage = EtcdPrefsStorage(
                endpoints: endpoints, prefix: "/p", cache: .none, isWritable: true, diagnostics: diagnostics)
            #expect(reports.elements.map(\.error.code) == [.invalid])
            #expect(storage.status.first?.problem != nil && storage.get(port) == 80)
            #expect {
                try storage.setValue(1, forKey: "port")
            } throws: { ($0 as? PrefsError)?.code == .notWritable }
            #expect(throws: PrefsError.self) { try storage.history(ofKey: "port") }
        }

        @Test(arguments: [("", nil), ("/", nil), ("//", nil), ("/p", "")] as [(String, String?)])
        func `a prefix of all keys is refused before any request`(_ prefix: String, _ locks: String?) throws {
            let server = try FakeServer { _, _ in FakeServer.range(5, []) }
            let storage = EtcdPrefsStorage(
                endpoints: [server.url], prefix: prefix, locks: locks, cache: .none, isWritable: true,
                diagnostics: diagnostics)
            #expect(reports.elements.map(\.error.code) == [.invalid])
            #expect(storage.status.first?.problem?.code == .invalid)
            #expect(throws: PrefsError.self) { try storage.setValue(1, forKey: "port") }
            #expect(throws: PrefsError.self) { try storage.restore(revision: 3) }
            #expect(throws: PrefsError.self) { try storage.candidates() }
            #expect(server.requests.isEmpty)
        }

        @Test func `a password in an endpoint is refused, and appears in no message`() {
            for endpoint in ["http://ada:hunter2@127.0.0.1:1", "http://ada:hunter2@a b"] {
                let storage = EtcdPrefsStorage(
                    endpoints: [endpoint], prefix: "/p", cache: .none, diagnostics: diagnostics)
                let problem = storage.status.first?.problem
                #expect(problem?.reason.contains("credentials") == true)
                #expect(!"\(reports.elements) \(storage.status)".contains("hunter2"))
            }
        }

        @Test func `the start waits for an endpoint that answers although another one has failed`() throws {
            let good = try FakeServer { request, _ in
                request.path == "/v3/kv/range"
                    ? FakeServer.range(5, [FakeServer.item("/p/port", "81", 5)])
                    : .stream([FakeServer.created(5)])
            }
            // Chance decides which endpoint is tried first.
            for _ in 0..<10 {
                let storage = EtcdPrefsStorage(
                    endpoints: ["http://127.0.0.1:1", good.url], prefix: "/p", cache: .none,
                    timing: .init(start: .seconds(60)), diagnostics: diagnostics)
                #expect(storage.status.first?.problem == nil && storage.get(port) == 81)
            }
        }

        @Test(arguments: [
            FakeServer.Answer.body(
                #"{"error":"grpc: received message larger than max (5000000 vs. 4194304)","code":8}"#,
                status: 429),
            .endless(String(repeating: "x", count: 1 << 20)),
        ])
        func `a page that is too large is asked for in smaller ones`(_ answer: FakeServer.Answer) throws {
            let server = try FakeServer { request, _ in
                guard request.path == "/v3/kv/range" else { return .stream([FakeServer.created(7)]) }
                if request.body.contains(#""limit":"1000""#) { return answer }
                if request.body.contains(Array("/p/a\0".utf8).base64) {
                    return FakeServer.range(7, [FakeServer.item("/p/port", "81", 7)])
                }
                let items = FakeServer.item("/p/a", "1", 3)
                return .body(#"{\#(FakeServer.header(7)),"kvs":[\#(items)],"more":true,"count":"2"}"#)
            }
            let storage = storage(server)
            #expect(storage.get(port) == 81 && storage.snapshot.dictionary.count == 2)
        }

        @Test func `a check asks again before it gives up the stream of a busy prefix`() throws {
            let server = try FakeServer { request, count in
                guard request.path == "/v3/kv/range" else { return .stream([FakeServer.created(5)]) }
                return FakeServer.range(
                    5, count % 2 == 0 ? [FakeServer.item("/p/port", "84", 8)] : [])
            }
            let storage = storage(server, check: .milliseconds(20))
            // The first request is the list. After that, each check at first finds a difference.
            #expect(eventually { server.requests.count > 5 })
            #expect(server.requests.count { $0.path == "/v3/watch" } == 1)
            #expect(server.requests.count { !$0.body.contains("count_only") } == 2)
            withExtendedLifetime(storage) {}
        }

        @Test func `a check gives a stream time to deliver what has been counted`() async throws {
            let feed = Feed()
            feed.send(FakeServer.created(5))
            let server = try FakeServer { request, count in
                guard request.path == "/v3/kv/range" else { return .feed(feed) }
                if count == 1 { return FakeServer.range(5, []) }
                return FakeServer.range(8, [FakeServer.item("/p/port", "84", 8)])
            }
            let storage = storage(server, check: .milliseconds(20))
            #expect(eventually { server.requests.contains { $0.body.contains("count_only") } })
            feed.send(FakeServer.put("/p/port", "84", 8))
            try await wait(for: 84, in: storage)
            #expect(server.requests.count { $0.path == "/v3/watch" } == 1)
            #expect(reports.elements.isEmpty, "\(reports.elements)")
            feed.end()
        }

        @Test func `reloading waits for a list that begins after the call`() throws {
            // A list that is already running when a reload is requested does not count. Here, that is the
            // second list.
            let (isListing, reloads) = (Latch(), Latch())
            let server = try FakeServer { request, count in
                guard request.path == "/v3/kv/range" else { return .stream([FakeServer.created(count)]) }
                if count == 2 {
                    isListing.open()
                    reloads.wait()
                }
                return FakeServer.range(count, [FakeServer.item("/p/port", "\(80 + count)", count)])
            }
            let storage = storage(server)
            #expect(storage.get(port) == 81)
            let first = Thread { storage.reload() }
            first.start()
            isListing.wait()
            let requested = storage.client.state.withLock { $0.requestedLists }
            let second = Thread {
                #expect(eventually { storage.client.state.withLock { $0.requestedLists } > requested })
                reloads.open()
            }
            second.start()
            storage.reload()
            #expect(storage.get(port) == 83)
        }

        @Test func `releasing the storage closes its connections`() throws {
            let server = try FakeServer { request, _ in
                request.path == "/v3/kv/range" ? FakeServer.range(5, []) : .stream([FakeServer.created(5)])
            }
            var storage: EtcdPrefsStorage? = storage(server)
            #expect(eventually { server.openConnections > 0 && storage?.status.first?.problem == nil })
            storage = nil
            #expect(eventually { server.openConnections == 0 })
        }
    }
#endif
