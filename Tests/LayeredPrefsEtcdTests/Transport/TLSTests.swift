#if Etcd
    import Foundation
    import LayeredPrefs
    import LayeredPrefsTesting
    import TestSupport
    import Testing

    @testable import LayeredPrefsEtcd

    @Suite(
        .enabled(if: EtcdServer.isInstalled && Certificates.areAvailable, "etcd or openssl is not installed"))
    struct TLSTests {
        private let port = PersistentKey("port", defaultValue: 80)
        private let diagnostics = PrefsDiagnosticHandler()
        private let reports: Recorder<PrefsDiagnostic>

        init() { reports = .diagnostics(of: diagnostics) }

        private func storage(
            _ server: EtcdServer, _ tls: EtcdPrefsStorage.TLS, start: Duration
        ) -> EtcdPrefsStorage {
            EtcdPrefsStorage(
                endpoints: [server.url], prefix: "/p", tls: tls, cache: .none, timing: .init(start: start),
                diagnostics: diagnostics)
        }

        @Test func `a client presents its certificate, and trusts only the given authority`() async throws {
            let certificates = try Certificates()
            let tls = EtcdPrefsStorage.TLS(
                roots: certificates["ca.pem"], certificate: certificates["client.pem"],
                key: certificates["client.key"])
            let server = try EtcdServer(certificates.options("server", isMutual: true), tls: tls)
            try server.put("/p/port", "81")
            #expect(storage(server, tls, start: .seconds(60)).get(port) == 81)
            for refused in [
                EtcdPrefsStorage.TLS(roots: certificates["ca.pem"]),
                .init(certificate: tls.certificate, key: tls.key),
                .init(roots: certificates["other.pem"], certificate: tls.certificate, key: tls.key),
                .init(roots: certificates["missing.pem"], certificate: tls.certificate, key: tls.key),
                .init(roots: tls.roots, certificate: tls.certificate, key: certificates["server.key"]),
                // This must not ask for a passphrase on a terminal.
                .init(roots: tls.roots, certificate: tls.certificate, key: certificates["encrypted.key"]),
            ] {
                let count = reports.elements.count
                let storage = storage(server, refused, start: .zero)
                try await reports.wait(within: .seconds(60)) { $0.count > count }
                #expect(storage.get(port) == 80 && storage.status.first?.problem != nil, "\(refused)")
            }
        }

        @Test(arguments: ["expired", "elsewhere"])
        func `an expired certificate and one of another host are refused`(_ name: String) async throws {
            let certificates = try Certificates()
            let tls = EtcdPrefsStorage.TLS(roots: certificates["ca.pem"])
            // The server would reject this object's own requests as well.
            let server = try EtcdServer(certificates.options(name, isMutual: false), tls: tls, waits: false)
            let storage = storage(server, tls, start: .zero)
            let reported = try await reports.wait(within: .seconds(60)) { !$0.isEmpty }
            #expect(storage.snapshot.dictionary.isEmpty)
            #expect(
                eventually { storage.status.first?.problem?.reason.contains("SSL") == true }, "\(reported)")
        }
    }

    /// An authority, and certificates for a server and a client, in a temporary folder.
    private final class Certificates: Sendable {
        static let areAvailable = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            for authority in ["ca", "other"] {
                let names = [
                    "-keyout", "\(authority).key", "-out", "\(authority).pem", "-subj", "/CN=\(authority)",
                ]
                try run(["req", "-x509", "-days", "2"] + Self.key + names)
            }
            let hosts = [
                "server": "IP:127.0.0.1", "expired": "IP:127.0.0.1", "elsewhere": "DNS:etcd.example",
                "client": "DNS:client",
            ]
            for (name, host) in hosts {
                // The gateway presents the server's certificate as a client, too, and rejects clients' names.
                let uses = "subjectAltName=\(host)\nextendedKeyUsage=serverAuth,clientAuth\n"
                try folder.write(uses, to: "\(name).ext")
                try run(
                    ["req", "-keyout", "\(name).key", "-out", "\(name).csr", "-subj", "/O=test"] + Self.key)
                try run([
                    "x509", "-req", "-in", "\(name).csr", "-CA", "ca.pem", "-CAkey", "ca.key",
                    "-CAcreateserial",
                    "-extfile", "\(name).ext", "-out", "\(name).pem", "-days", name == "expired" ? "-1" : "2",
                ])
            }
            try run([
                "pkey", "-in", "client.key", "-out", "encrypted.key", "-aes256", "-passout", "pass:x",
            ])
        }

        private static let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]

        subscript(name: String) -> String { "\(folder.path)/\(name)" }

        func options(_ name: String, isMutual: Bool) -> [String] {
            let own = ["--cert-file", self["\(name).pem"], "--key-file", self["\(name).key"]]
            return own + (isMutual ? ["--client-cert-auth", "--trusted-ca-file", self["ca.pem"]] : [])
        }

        private func run(_ arguments: [String]) throws {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/openssl")
            process.arguments = arguments
            process.currentDirectoryURL = URL(filePath: folder.path)
            process.standardError = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw POSIXError(.EINVAL) }
        }
    }
#endif
