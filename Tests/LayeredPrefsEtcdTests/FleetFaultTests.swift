#if Etcd
    import Foundation
    import LayeredPrefs
    import PrefsSystem
    import TestSupport
    import Testing

    @testable import LayeredPrefsEtcd

    /// Three members, proxies before them, and clients that must end with exactly the servers' contents.
    ///
    /// Scripts/test --fleet runs this suite. `FLEET_TRANSACTIONS` sets the number of random transactions.
    @Suite(.serialized, .enabled(if: EtcdServer.isInstalled, "etcd is not installed"))
    struct FleetFaultTests {
        private static let transactions =
            ProcessInfo.processInfo.environment["FLEET_TRANSACTIONS"].flatMap { Int($0) }

        @Test(.enabled(if: transactions != nil, "run by Scripts/test --fleet"))
        func `clients end with the contents of the servers, whatever fails in between`() throws {
            let fleet = try Fleet(seed: UInt64(ProcessInfo.processInfo.environment["FLEET_SEED"] ?? "1") ?? 1)
            let count = Self.transactions ?? 0
            for round in 1...max(1, count / Fleet.transactionsPerRound) {
                try fleet.disturb()
                if round % 4 == 2 { try fleet.restoreBackup() }
                let differing = try fleet.settle()
                #expect(differing.isEmpty, "round \(round): \(differing)")
            }
            print(fleet.summary)
        }

        @Test func `contents of a restored server are taken although its revision is lower`() throws {
            let server = try EtcdServer()
            let port = PersistentKey("port", defaultValue: 80)
            try server.put("/p/port", "1")
            let backup = server.data + "-backup"
            server.kill()
            try FileManager.default.copyItem(atPath: server.data, toPath: backup)
            try server.start()
            let storage = EtcdPrefsStorage(
                endpoints: [server.url], prefix: "/p", cache: .none,
                timing: .init(start: .seconds(60), longestPause: .milliseconds(50)),
                diagnostics: PrefsDiagnosticHandler { _ in })
            for value in 2...20 { try server.put("/p/port", "\(value)") }
            try server.put("/p/other", "1")
            #expect(eventually { storage.get(port) == 20 })
            server.kill()
            try FileManager.default.removeItem(atPath: server.data)
            try FileManager.default.moveItem(atPath: backup, toPath: server.data)
            try server.start()
            #expect(eventually { storage.get(port) == 1 && storage.snapshot.dictionary.count == 1 })
        }
    }

    /// The servers and clients of the fault test, and the faults.
    private final class Fleet {
        static let transactionsPerRound = 50

        private let servers: [EtcdServer]
        private let proxies: [Proxy]
        private let clients: [EtcdPrefsStorage]
        private var generator: SeededGenerator
        private var faults: [String: Int] = [:]
        private var (stored, failed) = (0, 0)
        private var undo: [() throws -> Void] = []
        private let folder = try? TemporaryFolder()

        /// The seconds that the servers keep an unused token. Some clients send requests less often, so they
        /// find their token expired each time.
        private static let tokenLifetime = 4

        init(seed: UInt64) throws {
            generator = SeededGenerator(seed: seed)
            servers = try EtcdServer.cluster(of: 3, ["--auth-token-ttl", "\(Self.tokenLifetime)"])
            try folder?.write("rootpw", to: "root")
            let root = EtcdPrefsStorage.Credentials.password(
                user: "root", file: (folder?.path ?? "") + "/root")
            try servers[0].call("/v3/auth/role/add", #"{"name":"root"}"#)
            try servers[0].call("/v3/auth/user/add", #"{"name":"root","password":"rootpw"}"#)
            try servers[0].call("/v3/auth/user/grant", #"{"user":"root","role":"root"}"#)
            try servers[0].call("/v3/auth/enable", "{}")
            for server in servers { server.logIn(as: root) }
            proxies = try servers.map { try Proxy(to: $0.port) }
            let endpoints = proxies.map(\.url)
            clients = (0..<6).map { index in
                EtcdPrefsStorage(
                    endpoints: endpoints, prefix: "/prefs/x", locks: "/prefs-locks/x", credentials: root,
                    cache: .none, isWritable: index < 2,
                    timing: .init(
                        start: .seconds(10), request: .seconds(2), write: .seconds(6),
                        check: .seconds(index < 4 ? 2 : Self.tokenLifetime * 2),
                        longestPause: .milliseconds(500)),
                    diagnostics: PrefsDiagnosticHandler { _ in })
            }
        }

        /// Changes contents while members and connections fail.
        func disturb() throws {
            for _ in 0..<Self.transactionsPerRound {
                if Int.random(in: 0..<8, using: &generator) == 0 { try addFault() }
                if undo.count > 1 { try undo.removeFirst()() }
                do {
                    if Bool.random(using: &generator) {
                        try clients[Int.random(in: 0..<2, using: &generator)].setValues(edits())
                    } else {
                        try servers[Int.random(in: 0..<3, using: &generator)].transaction(
                            changes(), timeout: .seconds(1))
                    }
                    stored += 1
                } catch {
                    failed += 1
                }
            }
        }

        private func edits() -> [String: PrefsValue?] {
            var edits: [String: PrefsValue?] = [:]
            for _ in 0..<Int.random(in: 1...5, using: &generator) {
                let value = PrefsValue.integer(Int128(Int.random(in: 0..<1000, using: &generator)))
                edits[
                    "g\(Int.random(in: 0..<4, using: &generator)).k\(Int.random(in: 0..<10, using: &generator))"
                ] =
                    .some(Bool.random(using: &generator) ? value : nil)
            }
            return edits
        }

        private func changes() -> [EtcdRequests.Change] {
            edits().map { name, value in
                let key = "/prefs/x/" + name.split(separator: ".").joined(separator: "/")
                return .init(key: Array(key.utf8), value: value.map { Array("\($0)".utf8) }, base: 0)
            }
        }

        private func addFault() throws {
            let index = Int.random(in: 0..<3, using: &generator)
            let (server, proxy) = (servers[index], proxies[index])
            let name: String
            switch Int.random(in: 0..<7, using: &generator) {
            case 0:
                name = "kill -9"
                server.kill()
                undo.append { try server.start(waits: false) }
            case 1:
                name = "SIGSTOP"
                server.signal(SIGSTOP)
                undo.append { server.signal(SIGCONT) }
            case 2:
                name = "connections cut"
                proxy.cut(true)
                undo.append { proxy.cut(false) }
            case 3:
                name = "connections frozen"
                proxy.freeze(true)
                undo.append { proxy.freeze(false) }
            case 4:
                name = "connections reset"
                proxy.cut(true)
                proxy.cut(false)
            case 5:
                // A change of users invalidates every token.
                name = "tokens made invalid"
                let number = faults[name, default: 0]
                let others = servers.filter { $0.url != server.url }
                for server in others {
                    let user = #"{"name":"user\#(number)","password":"x"}"#
                    if (try? server.call("/v3/auth/user/add", user, timeout: .seconds(1))) != nil { break }
                }
            default:
                name = "compaction"
                let others = servers.filter { $0.url != server.url }
                for server in others {
                    guard let revision = try? server.put("/other", "x") else { continue }
                    try? server.compact(at: revision)
                    break
                }
            }
            faults[name, default: 0] += 1
        }

        /// Stops all members and starts them with their data from before this round's last changes, so that
        /// the revision goes back. Then changes something else.
        func restoreBackup() throws {
            _ = try settle()
            for server in servers { server.kill() }
            for server in servers {
                try FileManager.default.copyItem(atPath: server.data, toPath: server.data + "-backup")
            }
            try startAll()
            for _ in 0..<20 { try servers[0].transaction(changes(), timeout: .seconds(10)) }
            for server in servers { server.kill() }
            for server in servers {
                try FileManager.default.removeItem(atPath: server.data)
                try FileManager.default.moveItem(atPath: server.data + "-backup", toPath: server.data)
            }
            try startAll()
            try servers[1].transaction(changes(), timeout: .seconds(10))
            faults["backup restored", default: 0] += 1
        }

        private func startAll() throws {
            for server in servers { try server.start(waits: false) }
            for server in servers { try server.waitUntilReady() }
        }

        /// Ends all faults. Returns the clients whose contents differ from the servers'.
        func settle() throws -> [String] {
            for end in undo { try end() }
            undo = []
            for server in servers { try server.waitUntilReady() }
            let range = EtcdKeyRange(prefix: Array("/prefs/x/".utf8))
            let request = EtcdRequests.range(from: range.first, to: range.end, limit: 1000, revision: 0)
            let items = try EtcdRange(answer: try servers[0].call("/v3/kv/range", request)).items
            let contents = EtcdMirror(items: items, header: EtcdHeader()).items
            return clients.indices.compactMap { index in
                let client = clients[index]
                if eventually({ client.client.state.withLock { $0.mirror.items } == contents }) {
                    return nil
                }
                return "client \(index): \(client.status)"
            }
        }

        var summary: String {
            let faults = faults.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
            return
                "\(stored) transactions stored, \(failed) rejected or unknown; \(faults.joined(separator: ", "))"
        }
    }
#endif
