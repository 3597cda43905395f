#if Etcd
    import Foundation
    import LayeredPrefs
    import LayeredPrefsTesting
    import TestSupport
    import Testing

    @testable import LayeredPrefsEtcd

    @Suite struct AuthenticationTests {
        private let port = PersistentKey("port", defaultValue: 80)
        private let folder: TemporaryFolder
        private let diagnostics = PrefsDiagnosticHandler()
        private let reports: Recorder<PrefsDiagnostic>
        private let reader: EtcdPrefsStorage.Credentials
        private let root: EtcdPrefsStorage.Credentials

        init() throws {
            folder = try TemporaryFolder()
            try folder.write("s3cret\nignored", to: "reader")
            try folder.write("rootpw", to: "root")
            reader = .password(user: "myd", file: folder.path + "/reader")
            root = .password(user: "root", file: folder.path + "/root")
            reports = .diagnostics(of: diagnostics)
        }

        private func storage(
            _ url: String, _ credentials: EtcdPrefsStorage.Credentials?, isWritable: Bool = false,
            start: Duration = .seconds(60)
        ) -> EtcdPrefsStorage {
            EtcdPrefsStorage(
                endpoints: [url], prefix: "/p", credentials: credentials, cache: .none,
                isWritable: isWritable,
                timing: .init(
                    start: start, check: .milliseconds(100), longestPause: .milliseconds(100)),
                diagnostics: diagnostics)
        }

        /// Creates the users: `myd` may read `/p/`, and root may do everything.
        private func createUsers(_ server: EtcdServer) throws {
            try server.call("/v3/auth/role/add", #"{"name":"root"}"#)
            try server.call("/v3/auth/user/add", #"{"name":"root","password":"rootpw"}"#)
            try server.call("/v3/auth/user/grant", #"{"user":"root","role":"root"}"#)
            try server.call("/v3/auth/user/add", #"{"name":"myd","password":"s3cret"}"#)
            try server.call("/v3/auth/role/add", #"{"name":"reader"}"#)
            let (first, end) = (Array("/p/".utf8).base64, Array("/p0".utf8).base64)
            try server.call(
                "/v3/auth/role/grant",
                #"{"name":"reader","perm":{"permType":"READ","key":"\#(first)","range_end":"\#(end)"}}"#)
            try server.call("/v3/auth/user/grant", #"{"user":"myd","role":"reader"}"#)
        }

        private func enable(_ server: EtcdServer) throws { try server.call("/v3/auth/enable", "{}") }

        @Test(.enabled(if: EtcdServer.isInstalled, "etcd is not installed"))
        func `authentication may be switched on while running, and tokens may become invalid`() throws {
            let server = try EtcdServer(["--auth-token-ttl", "4"])
            try createUsers(server)
            let storage = storage(server.url, reader)
            try server.put("/p/port", "81")
            #expect(eventually { storage.get(port) == 81 })
            try enable(server)
            try server.put("/p/port", "82", as: root)
            #expect(eventually { storage.get(port) == 82 })
            // A change of users invalidates every token.
            try server.call("/v3/auth/user/add", #"{"name":"other","password":"x"}"#, as: root)
            for _ in 0..<2 {
                let confirmed = storage.status.first?.lastGood
                #expect(eventually { storage.status.first?.lastGood != confirmed })
            }
            #expect(storage.status.first?.problem == nil && reports.elements.isEmpty, "\(reports.elements)")
        }

        @Test(.enabled(if: EtcdServer.isInstalled, "etcd is not installed"))
        func `a revoked role ends reading with a report, and the contents remain`() async throws {
            let server = try EtcdServer()
            try createUsers(server)
            try server.put("/p/port", "81")
            try enable(server)
            let storage = storage(server.url, reader, isWritable: true)
            #expect(storage.get(port) == 81)
            #expect {
                try storage.setValue(1, forKey: "port")
            } throws: {
                ($0 as? PrefsError)?.reason.contains("permission denied; nothing was changed") == true
            }
            try server.call("/v3/auth/user/revoke", #"{"name":"myd","role":"reader"}"#, as: root)
            try await reports.wait(within: .seconds(60)) { reports in
                reports.contains { $0.error.reason.contains("permission denied") }
            }
            #expect(storage.get(port) == 81)
            try server.call("/v3/auth/user/grant", #"{"user":"myd","role":"reader"}"#, as: root)
            try await reports.wait(within: .seconds(60)) { $0.last?.severity == .recovered }
        }

        @Test func `a token that expires is renewed once for each request`() throws {
            let server = try FakeServer { request, count in
                let isValid = request.headers.contains("Authorization: t2")
                return switch request.path {
                case "/v3/auth/authenticate": .body(#"{\#(FakeServer.header(5)),"token":"t\#(count)"}"#)
                case "/v3/kv/range" where isValid: FakeServer.range(5, [FakeServer.item("/p/port", "81", 5)])
                case "/v3/kv/range":
                    .body(#"{"error":"etcdserver: invalid auth token","code":16}"#, status: 401)
                default: .stream([FakeServer.created(5)])
                }
            }
            let storage = storage(server.url, reader)
            #expect(storage.get(port) == 81)
            let logins = server.requests.filter { $0.path == "/v3/auth/authenticate" }
            #expect(logins.map(\.body) == Array(repeating: #"{"name":"myd","password":"s3cret"}"#, count: 2))
            #expect(reports.elements.isEmpty)
        }

        @Test func `a wrong password ends the wait at the start`() throws {
            let server = try FakeServer { _, _ in
                .body(
                    #"{"error":"etcdserver: authentication failed, invalid user ID or password","code":3}"#,
                    status: 400)
            }
            let storage = storage(server.url, reader, start: .seconds(3600))
            #expect(storage.status.first?.problem?.reason.contains("authentication failed") == true)
        }

        @Test(arguments: ["missing", "empty", "binary"])
        func `a password that cannot be read is reported`(_ name: String) async throws {
            try folder.write([], to: "empty")
            try folder.write([0xff], to: "binary")
            let server = try FakeServer { _, _ in .body("{}") }
            let storage = storage(
                server.url, .password(user: "myd", file: "\(folder.path)/\(name)"), start: .zero)
            try await reports.wait(within: .seconds(60)) { !$0.isEmpty }
            #expect(reports.elements[0].error.reason.contains(name) && server.requests.isEmpty)
            withExtendedLifetime(storage) {}
        }
    }
#endif
