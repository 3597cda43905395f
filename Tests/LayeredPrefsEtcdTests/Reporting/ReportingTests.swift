#if Etcd
    import Foundation
    import LayeredPrefs
    import LayeredPrefsTesting
    import Testing

    @testable import LayeredPrefsEtcd

    /// Reports by processes, on a real server.
    @Suite(.enabled(if: EtcdServer.isInstalled, "etcd is not installed"))
    struct ReportingTests {
        private let port = PersistentKey("http.port", defaultValue: 80, in: 1...65535)
        private let diagnostics = PrefsDiagnosticHandler()
        private let reports: Recorder<PrefsDiagnostic>
        private static let prefix = "/prefs-instances/x/"

        init() { reports = .diagnostics(of: diagnostics) }

        private func storage(
            _ url: String, prefix: String = "/prefs/x/", credentials: EtcdPrefsStorage.Credentials? = nil
        ) -> EtcdPrefsStorage {
            EtcdPrefsStorage(
                endpoints: [url], prefix: prefix, locks: "/prefs-locks/x/", credentials: credentials,
                cache: .none, host: "web-1",
                timing: .init(
                    start: .seconds(60), request: .seconds(30), check: .seconds(1),
                    longestPause: .milliseconds(100)),
                diagnostics: diagnostics)
        }

        private func report(
            _ stack: PrefsStack, _ storage: EtcdPrefsStorage, lifetime: Duration = .seconds(60)
        ) -> PrefsObservation {
            storage.reportInstance(
                of: stack, keys: [PrefsKeyDescription(port)], under: Self.prefix, lifetime: lifetime,
                delay: .milliseconds(20))
        }

        @Test func `a process reports its revision and what it rejects, until it ends the report`() throws {
            let server = try EtcdServer()
            try server.put("/prefs/x/http/port", "8080")
            let storage = storage(server.url)
            let stack = PrefsStack { PrefsLayer("fleet", storage) }
            let report = report(stack, storage)
            #expect(eventually { (try? storage.instances(under: Self.prefix).count) == 1 })
            let first = try #require(try storage.instances(under: Self.prefix).first)
            #expect(
                first.host == "web-1" && first.pid == getpid() && first.program == CommandLine.arguments[0])
            #expect(!first.isBehind && first.rejected.isEmpty && !first.values.isEmpty)

            let revision = try server.put("/prefs/x/http/port", "70000")
            #expect(
                eventually { (try? storage.instances(under: Self.prefix).first?.rejected) == ["http.port"] })
            let second = try #require(try storage.instances(under: Self.prefix).first)
            #expect(second.revision == revision && !second.isBehind && second.values != first.values)

            try server.put("/prefs-locks/x/http/port", "")
            try server.delete("/prefs/x/http/port")
            #expect(eventually { (try? storage.instances(under: Self.prefix).first?.rejected) == [] })
            #expect(eventually { (try? storage.instances(under: Self.prefix).first?.isBehind) == false })

            report.cancel()
            #expect(eventually { (try? storage.instances(under: Self.prefix).isEmpty) == true })
            #expect(reports.elements.isEmpty)
        }

        @Test(arguments: ["/prefs/x/http/port", "/prefs/x/.canary/http/port"])
        func `a value that the stack rejects is reported, a canary's included`(key: String) throws {
            let isCanary = key.contains("canary")
            let server = try EtcdServer()
            try server.put("/prefs/x/http/port", "8080")
            let storage = storage(server.url)
            let stack = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) {
                PrefsLayer("fleet", storage)
            }
            // The snapshot keeps the previous value of a declared key.
            stack.declare(port)
            let report = report(stack, storage)
            func put(_ value: Int) throws -> Int64 {
                try server.put(key, isCanary ? #"{"percent":100,"value":\#(value)}"# : "\(value)")
            }
            func answer(to revision: Int64) -> EtcdPrefsStorage.Instance? {
                var instance: EtcdPrefsStorage.Instance?
                let hasAnswered = eventually {
                    instance = try? storage.instances(under: Self.prefix).first
                    return instance.map { $0.revision >= revision } ?? false
                }
                #expect(hasAnswered)
                return instance
            }
            let first = answer(to: try put(9090))
            #expect(first?.rejected == [] && stack.get(port) == 9090)
            let second = answer(to: try put(70_000))
            #expect(second?.rejected == ["http.port"] && stack.get(port) == 9090)
            #expect(second?.isBehind == false && second?.waiting == [] && second?.values == first?.values)
            let third = answer(to: try put(9191))
            #expect(third?.rejected == [] && stack.get(port) == 9191)
            withExtendedLifetime(report) {}
        }

        @Test func `a value that a closure applies or rejects is reported`() async throws {
            struct Relay: Codable, Sendable { var http = HTTP() }
            struct HTTP: Codable, Sendable { var port = 80 }
            struct Rejected: Error {}
            let server = try EtcdServer()
            let storage = storage(server.url)
            let stack = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) {
                PrefsLayer("fleet", storage)
            }
            let relay = try Live(Relay(), stack)
            let (gate, open) = AsyncStream<Void>.makeStream()
            let calls = Recorder<Int>()
            let applying = relay.apply(\.http) { _, new in
                calls.record(new.port)
                if new.port == 1 { throw Rejected() }
                if new.port == 2 { for await _ in gate { return } }
            }
            let report = report(stack, storage)
            func instance(_ isWanted: (EtcdPrefsStorage.Instance) -> Bool) -> Bool {
                eventually { (try? storage.instances(under: Self.prefix).first).map(isWanted) ?? false }
            }
            let rejected = try server.put("/prefs/x/http/port", "1")
            // Wait before this thread is blocked, because the handler may need a thread.
            _ = try await calls.wait { $0 == [1] }
            try await relay.applied()
            #expect(instance { $0.revision >= rejected && $0.rejected == ["http.port"] && $0.waiting == [] })
            let waiting = try server.put("/prefs/x/http/port", "2")
            _ = try await calls.wait { $0 == [1, 2] }
            #expect(instance { $0.revision >= waiting && $0.waiting == ["http.port"] })
            #expect(relay.current.http.port == 80)
            open.yield()
            try await relay.applied()
            #expect(instance { $0.waiting == [] && $0.rejected == [] })
            #expect(relay.current.http.port == 2)
            withExtendedLifetime((report, applying)) {}
        }

        @Test func `a process that is cut off is behind`() throws {
            let server = try EtcdServer()
            let proxy = try Proxy(to: server.port)
            let (storage, observer) = (storage(proxy.url), storage(server.url))
            let stack = PrefsStack { PrefsLayer("fleet", storage) }
            let report = report(stack, storage)
            #expect(eventually { (try? observer.instances(under: Self.prefix).count) == 1 })
            proxy.cut(true)
            try server.put("/prefs/x/http/port", "9090")
            #expect(try observer.instances(under: Self.prefix).map(\.isBehind) == [true])
            proxy.cut(false)
            #expect(eventually { (try? observer.instances(under: Self.prefix).map(\.isBehind)) == [false] })
            withExtendedLifetime(report) {}
        }

        @Test func `a lease that is lost is replaced, and the report of a released stack vanishes`() throws {
            let server = try EtcdServer()
            let storage = storage(server.url)
            var stack: PrefsStack? = PrefsStack { PrefsLayer("fleet", storage) }
            let report = report(try #require(stack), storage, lifetime: .seconds(3))
            func lease() throws -> String? {
                let range = EtcdKeyRange(prefix: Array(Self.prefix.utf8))
                let body = try server.call(
                    "/v3/kv/range",
                    EtcdRequests.range(from: range.first, to: range.end, limit: 2, revision: 0))
                let text = String(decoding: body, as: UTF8.self)
                return text.range(of: #""lease":""#).map { text[$0.upperBound...].prefix { $0 != "\"" } }
                    .map(String.init)
            }
            #expect(eventually { (try? lease()) != nil })
            let first = try #require(try lease())
            try server.call("/v3/lease/revoke", EtcdRequests.lease(try #require(Int64(first))))
            #expect(eventually { (try? lease()).map { $0 != first } ?? false })
            stack = nil
            #expect(eventually { (try? storage.instances(under: Self.prefix).isEmpty) == true })
            #expect(reports.elements.isEmpty)
            withExtendedLifetime(report) {}
        }

        @Test func `a server that restarts without the report gets it again`() throws {
            let server = try EtcdServer()
            let storage = storage(server.url)
            let stack = PrefsStack { PrefsLayer("fleet", storage) }
            let report = report(stack, storage)
            #expect(eventually { (try? storage.instances(under: Self.prefix).count) == 1 })
            server.kill()
            try FileManager.default.removeItem(atPath: server.data)
            try server.start()
            #expect(eventually { (try? storage.instances(under: Self.prefix).count) == 1 })
            withExtendedLifetime(report) {}
        }

        @Test func `what is no report is left out with a diagnostic`() throws {
            let server = try EtcdServer()
            try server.put(Self.prefix + "web-2/1", "hello")
            let storage = storage(server.url)
            #expect(try storage.instances(under: Self.prefix).isEmpty)
            #expect(reports.elements.count == 1)
            #expect(reports.elements.first?.error.reason.hasPrefix("not a report: ") == true)
        }

        @Test func `reports under a prefix that is followed are rejected`() throws {
            let server = try EtcdServer()
            let storage = storage(server.url)
            let stack = PrefsStack { PrefsLayer("fleet", storage) }
            let report = storage.reportInstance(of: stack, under: "/prefs/x/instances")
            #expect(reports.elements.map(\.error.code) == [.invalid])
            withExtendedLifetime(report) {}
        }
    }

    /// Reports to a server whose answers the test decides.
    @Suite struct RejectedReportTests {
        @Test func `a rejection is one diagnostic, and the contents are followed as before`() async throws {
            let feed = Feed()
            let server = try FakeServer { request, _ in
                switch request.path {
                case "/v3/kv/range": FakeServer.range(5, [FakeServer.item("/p/port", "81", 3)])
                case "/v3/watch": .feed(feed)
                case "/v3/lease/grant": .body(#"{\#(FakeServer.header(5)),"ID":"7","TTL":"1"}"#)
                case "/v3/lease/keepalive":
                    .body(#"{"result":{\#(FakeServer.header(5)),"ID":"7","TTL":"1"}}"#)
                default: .body(#"{"error":"etcdserver: permission denied","code":7}"#, status: 403)
                }
            }
            defer { feed.end() }
            feed.send(FakeServer.created(5))
            let diagnostics = PrefsDiagnosticHandler()
            let reports = Recorder.diagnostics(of: diagnostics)
            let storage = EtcdPrefsStorage(
                endpoints: [server.url], prefix: "/p", cache: .none, timing: .init(start: .seconds(60)),
                diagnostics: diagnostics)
            let stack = PrefsStack { PrefsLayer("fleet", storage) }
            let report = storage.reportInstance(
                of: stack, under: "/r", lifetime: .seconds(1), delay: .milliseconds(1))
            #expect(eventually { server.requests.count { $0.path == "/v3/kv/put" } > 2 })
            feed.send(FakeServer.put("/p/port", "82", 6))
            #expect(eventually { stack.get(PersistentKey("port", defaultValue: 0)) == 82 })
            #expect(reports.elements.map(\.severity) == [.warning])
            #expect(reports.elements.first?.error.reason.contains("permission denied") == true)
            withExtendedLifetime(report) {}
        }
    }
#endif
