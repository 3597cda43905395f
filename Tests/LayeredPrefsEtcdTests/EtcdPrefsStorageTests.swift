#if Etcd
    import LayeredPrefs
    import LayeredPrefsTesting
    import Testing

    @testable import LayeredPrefsEtcd

    @Suite struct EtcdPrefsStorageTests {
        private let port = PersistentKey("http.port", defaultValue: 80)
        private let level = PersistentKey("log.level", defaultValue: "info")
        private let diagnostics = PrefsDiagnostics()
        private let reports: Recorder<PrefsDiagnostic>

        init() { reports = .diagnostics(of: diagnostics) }

        private func storage(_ server: EtcdServer) -> EtcdPrefsStorage {
            EtcdPrefsStorage(
                endpoints: [server.url], prefix: "/prefs/com.example.myd/", cache: .none,
                timing: .init(start: .seconds(60)),
                diagnostics: diagnostics)
        }

        @Test(.enabled(if: EtcdServer.isInstalled, "etcd is not installed"))
        func `keys change live as they change on the server`() async throws {
            let server = try EtcdServer()
            try server.put("/prefs/com.example.myd/http/port", "8080")
            try server.put("/prefs/com.example.mydother/http/port", "1")
            let storage = storage(server)
            let stack = LayeredPrefsStorage { PrefsLayer("fleet", storage) }
            #expect(stack.get(port) == 8080)
            #expect(
                stack.resolution(for: port).origin?.description
                    == "fleet etcd /prefs/com.example.myd/http/port revision 2")
            let ports = Recorder.changes(of: port, in: stack)
            let revision = try server.put("/prefs/com.example.myd/http/port", "9090")
            try await ports.wait(within: .seconds(60)) { $0.last?.new.value == 9090 }
            #expect(stack.resolution(for: port).origin?.revision == String(revision))
            try server.delete("/prefs/com.example.myd/http/port")
            try await ports.wait(within: .seconds(60)) { $0.last?.new.value == 80 }
            #expect(reports.elements.isEmpty)
        }
    }
#endif
