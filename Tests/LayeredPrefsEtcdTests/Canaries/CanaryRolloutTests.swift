#if Etcd
    import Foundation
    import LayeredPrefs
    import LayeredPrefsTesting
    import PrefsSystem
    import TestSupport
    import Testing

    @testable import LayeredPrefsEtcd

    /// Canaries on a real server, seen by two hosts: percentages above 10 reach the one, and only percentages
    /// above 90 reach the other.
    @Suite(.enabled(if: EtcdServer.isInstalled, "etcd is not installed"))
    struct CanaryRolloutTests {
        private let port = PersistentKey("http.port", defaultValue: 80)
        private let diagnostics = PrefsDiagnosticHandler()
        private let reports: Recorder<PrefsDiagnostic>

        init() { reports = .diagnostics(of: diagnostics) }

        private static func host(numbered number: Int) -> String {
            let names = (0..<10_000).map { "host-\($0)" }
            return names.first { EtcdPrefsStorage.Canary.number(ofHost: $0) == number } ?? ""
        }

        private let early = Self.host(numbered: 10)
        private let late = Self.host(numbered: 90)

        private func storage(
            _ server: EtcdServer, on host: String, cache: EtcdPrefsStorage.Cache = .none,
            start: Duration = .seconds(60)
        ) -> EtcdPrefsStorage {
            EtcdPrefsStorage(
                endpoints: [server.url], prefix: "/prefs/x/", cache: cache, isWritable: true, host: host,
                timing: .init(start: start, longestPause: .milliseconds(50)), diagnostics: diagnostics)
        }

        @Test func `a canary reaches the hosts below its percentage, is raised, and promoted`() throws {
            let port = port
            let server = try EtcdServer()
            let (canary, other) = (storage(server, on: early), storage(server, on: late))
            try canary.setValues(["http.port": 8080])
            #expect(eventually { other.get(port) == 8080 })
            // Observe every change of the storage: a stack would combine changes that closely follow each other.
            let seen = Recorder<Int>()
            seen.keep(canary.changeSource?.observe { [unowned canary] in seen.record(canary.get(port)) })

            try canary.setCanaries(["http.port": 9090], percentOfHosts: 10)
            #expect(canary.get(port) == 8080)
            try canary.setCanaries(["http.port": 9090], percentOfHosts: 11)
            #expect(canary.get(port) == 9090)
            let revision = try #require(try canary.canaries().first).revision
            #expect(
                canary.snapshot.resolution(for: port).origin?.description
                    == "canary 11% etcd /prefs/x/.canary/http/port revision \(revision)")
            try canary.setCanaries(["http.port": 9090], percentOfHosts: 90)
            #expect(eventually { (try? other.canaries().first?.percent) == 90 })
            other.reload()
            #expect(other.get(port) == 8080)
            try canary.setCanaries(["http.port": 9090], percentOfHosts: 91)
            #expect(eventually { other.get(port) == 9090 })

            try canary.promoteCanaries(ofKeys: ["http.port"])
            #expect(try canary.canaries().isEmpty)
            #expect(try canary.candidates().mapValues { $0.value } == ["http.port": 9090])
            #expect(
                eventually {
                    !"\(other.snapshot.resolution(for: port).origin?.file ?? "")".contains("canary")
                })
            #expect(other.get(port) == 9090)
            // The value never goes back, not even for the moment between two events.
            let later = seen.elements.drop { $0 == 8080 }
            #expect(!later.isEmpty && later.allSatisfy { $0 == 9090 })
            seen.stop()
            #expect(reports.elements.isEmpty)
        }

        @Test func `an aborted canary leaves the value of all, and so does a value that is set for all`()
            throws
        {
            let server = try EtcdServer()
            let storage = storage(server, on: early)
            try storage.setValues(["http.port": 8080])
            for end in [
                { try storage.abortCanaries(ofKeys: ["http.port"]) },
                { try storage.setValues(["http.port": 8080]) }, { try storage.setValues(["http": nil]) },
            ] as [() throws -> Void] {
                try storage.setCanaries(["http.port": 9090], percentOfHosts: 100)
                #expect(storage.get(port) == 9090)
                try end()
                #expect(storage.get(port) == (try storage.candidates().isEmpty ? 80 : 8080))
                #expect(try storage.canaries().isEmpty)
            }
        }

        @Test func `a rollback also ends the canaries that are newer`() throws {
            let server = try EtcdServer()
            let storage = storage(server, on: early)
            try storage.setValues(["http.port": 8080])
            let revision = storage.client.state.withLock { $0.mirror.header.revision }
            try storage.setCanaries(["http.port": 9090], percentOfHosts: 100)
            try storage.restore(revision: revision)
            #expect(storage.get(port) == 8080)
            #expect(try storage.canaries().isEmpty)
        }

        @Test func `a canary of a dictionary hides what is below it, as the promoted value will`() throws {
            let server = try EtcdServer()
            let (canary, other) = (storage(server, on: early), storage(server, on: late))
            try canary.setValues(["http.port": 8080, "http.host": "a"])
            try canary.setCanaries(["http": ["port": 1]], percentOfHosts: 50)
            #expect(canary.snapshot.dictionary == ["http": ["port": 1]])
            try canary.setValues(["log": "x"])
            #expect(canary.snapshot.dictionary == ["http": ["port": 1], "log": "x"])
            #expect(eventually { other.snapshot.dictionary["log"] == "x" })
            #expect(other.get(port) == 8080)
            try canary.abortCanaries(ofKeys: ["http"])
            #expect(canary.get(port) == 8080)
        }

        @Test func `a program that starts from its cache uses the same canaries`() throws {
            let server = try EtcdServer()
            let folder = try TemporaryFolder()
            let cache = EtcdPrefsStorage.Cache.file(at: folder.path + "/cache")
            do {
                let storage = storage(server, on: early, cache: cache)
                try storage.setValues(["http.port": 8080])
                try storage.setCanaries(["http.port": 9090], percentOfHosts: 50)
            }
            #expect(eventually { folder.names == ["cache"] })
            server.kill()
            #expect(storage(server, on: early, cache: cache, start: .zero).get(port) == 9090)
            #expect(storage(server, on: late, cache: cache, start: .zero).get(port) == 8080)
        }

        @Test func `a canary that cannot be read is reported, once, and its repair`() async throws {
            let server = try EtcdServer()
            let storage = storage(server, on: early)
            try storage.setValues(["http.port": 8080])
            try server.put("/prefs/x/.canary/http/port", "9090")
            try await reports.wait(within: .seconds(60)) { !$0.isEmpty }
            #expect(storage.get(port) == 8080)
            try server.put("/prefs/x/.canary/http/port", #"{"percent":100,"value":9090}"#)
            #expect(eventually { storage.get(port) == 9090 })
            try await reports.wait(within: .seconds(60)) { $0.count == 2 }
            #expect(reports.elements.map(\.severity) == [.error, .recovered])
            #expect(reports.elements.allSatisfy { $0.error.key == "http.port" })
        }
    }
#endif
