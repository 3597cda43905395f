#if Etcd
    import Foundation
    import LayeredPrefs
    import PrefsSystem

    @testable import LayeredPrefsEtcd

    /// A real etcd server on the loopback interface, with its data in a temporary folder.
    final class EtcdServer: Sendable {
        /// The program: the one that `ETCD` names, or the installed one.
        static let program: String? = {
            let named = ProcessInfo.processInfo.environment["ETCD"]
            return [named, "/usr/bin/etcd", "/usr/local/bin/etcd"].compactMap(\.self)
                .first { FileManager.default.isExecutableFile(atPath: $0) }
        }()

        static var isInstalled: Bool { program != nil }

        private let folder: String
        private let arguments: [String]
        private let process = Lock<Process?>(nil)
        /// The user for requests that name none.
        private let user = Lock<EtcdPrefsStorage.Credentials?>(nil)
        let url: String
        private let tls: EtcdPrefsStorage.TLS

        /// - Parameters:
        ///   - tls: How this object's requests connect if the options make the server use TLS.
        ///   - waits: True to wait until the server answers this object's requests.
        convenience init(
            _ options: [String] = [], tls: EtcdPrefsStorage.TLS? = nil, waits: Bool = true
        ) throws {
            let (client, peer) = (try Self.freePort(), try Self.freePort())
            try self.init(
                options, name: "m", client: client, peer: peer, cluster: "m=http://127.0.0.1:\(peer)",
                tls: tls)
            try start(waits: waits)
        }

        private init(
            _ options: [String], name: String, client: UInt16, peer: UInt16, cluster: String,
            tls: EtcdPrefsStorage.TLS?
        ) throws {
            self.tls = tls ?? .init()
            folder = NSTemporaryDirectory() + "/etcd-test-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            // The gateway dials the address that it is given, so the system cannot choose the port.
            url = "\(tls == nil ? "http" : "https")://127.0.0.1:\(client)"
            arguments =
                [
                    "--name", name, "--data-dir", folder + "/data", "--listen-client-urls", url,
                    "--advertise-client-urls", url, "--listen-peer-urls", "http://127.0.0.1:\(peer)",
                    "--log-level", "error", "--initial-advertise-peer-urls", "http://127.0.0.1:\(peer)",
                    "--initial-cluster", cluster,
                ] + options
        }

        /// Starts a cluster.
        ///
        /// - Parameter options: The options of each member.
        static func cluster(of count: Int, _ options: [String] = []) throws -> [EtcdServer] {
            let ports = try (0..<count).map { _ in (client: try freePort(), peer: try freePort()) }
            let cluster = ports.map { "m\($0.peer)=http://127.0.0.1:\($0.peer)" }.joined(separator: ",")
            let servers = try ports.map { port in
                try EtcdServer(
                    options, name: "m\(port.peer)", client: port.client, peer: port.peer, cluster: cluster,
                    tls: nil)
            }
            for server in servers { try server.start(waits: false) }
            for server in servers { try server.waitUntilReady() }
            return servers
        }

        var port: UInt16 { UInt16(url.split(separator: ":").last ?? "") ?? 0 }

        /// The folder of the server's data.
        var data: String { folder + "/data" }

        deinit {
            kill()
            try? FileManager.default.removeItem(atPath: folder)
        }

        /// Starts the server unless it is running.
        func start(waits: Bool = true) throws {
            if process.withLock({ $0?.isRunning == true }) { return }
            let process = Process()
            process.executableURL = URL(filePath: Self.program ?? "/usr/bin/etcd")
            process.arguments = arguments
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            self.process.withLock { $0 = process }
            if waits { try waitUntilReady() }
        }

        /// Waits at most a minute until the server answers.
        func waitUntilReady() throws {
            let deadline = ContinuousClock.now.advanced(by: .seconds(60))
            while ContinuousClock.now < deadline, process.withLock({ $0?.isRunning == true }) {
                if (try? call("/v3/kv/range", #"{"key":"AQ=="}"#)) != nil { return }
                usleep(20_000)
            }
            throw POSIXError(.ECONNREFUSED)
        }

        func kill() { signal(SIGKILL) }

        func signal(_ number: Int32) {
            process.withLock { process in
                guard let process else { return }
                Foundation.kill(process.processIdentifier, number)
                if number == SIGKILL { process.waitUntilExit() }
            }
        }

        /// From now on, sends requests that name no user as this user.
        func logIn(as user: EtcdPrefsStorage.Credentials) { self.user.withLock { $0 = user } }

        /// Sends a request to the gateway. Returns the answer.
        @discardableResult
        func call(
            _ path: String, _ body: String, as user: EtcdPrefsStorage.Credentials? = nil,
            timeout: Duration = .seconds(5)
        ) throws -> [UInt8] {
            let settings = EtcdSettings(
                endpoints: [url], prefix: "/", credentials: user ?? self.user.withLock { $0 }, tls: tls,
                timing: .init(request: timeout))
            let client = EtcdClient(settings: settings, diagnostics: PrefsDiagnosticHandler { _ in })
            guard let connection = EtcdConnection(client) else { throw POSIXError(.ENOMEM) }
            return try connection.call(path, body, at: url)
        }

        @discardableResult
        func put(
            _ key: String, _ value: String, as user: EtcdPrefsStorage.Credentials? = nil
        ) throws -> Int64 {
            try transaction(
                [EtcdRequests.Change(key: Array(key.utf8), value: Array(value.utf8), base: -1)], as: user)
        }

        @discardableResult
        func delete(_ key: String) throws -> Int64 {
            try transaction([EtcdRequests.Change(key: Array(key.utf8), value: nil, base: -1)])
        }

        /// Makes changes whatever the current revisions. Returns the new revision.
        @discardableResult
        func transaction(
            _ changes: [EtcdRequests.Change], as user: EtcdPrefsStorage.Credentials? = nil,
            timeout: Duration = .seconds(5)
        ) throws -> Int64 {
            let request = EtcdRequests.transaction(changes)
            let unconditional = request.range(of: #""success""#).map { "{" + request[$0.lowerBound...] }
            return try EtcdTransactionAnswer(
                answer: try call("/v3/kv/txn", unconditional ?? request, as: user, timeout: timeout)
            ).header.revision
        }

        func compact(at revision: Int64) throws {
            try call("/v3/kv/compaction", #"{"revision":"\#(revision)","physical":true}"#)
        }

        static func freePort() throws -> UInt16 {
            let probe = try FakeServer { _, _ in .silence }
            defer { probe.stop() }
            return probe.port
        }
    }
#endif
