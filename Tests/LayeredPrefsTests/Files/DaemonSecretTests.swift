import Foundation
import LayeredPrefsTesting
import Testing

@testable import LayeredPrefs

extension PersistentKey where Value == String {
    fileprivate static var token: Self { Self("adminToken", defaultValue: "", .secret) }
}

private struct Relay: Codable, Sendable {
    @Setting(secret: true) var adminToken = ""
    var port = 80
}

/// Secrets that a daemon writes to files that other users may read.
@Suite struct DaemonSecretTests {
    private typealias Write = @Sendable (PrefsStack) async throws -> Void

    /// The ways a program stores a secret.
    private static let writes: [(name: String, write: Write)] = [
        ("typed", { storage in _ = try storage.set(.token, to: "hush") }),
        (
            "untyped",
            { storage in
                storage.declare(.token)
                _ = try storage.setValue("hush", forKey: "adminToken")
            }
        ),
        (
            "transaction",
            { storage in
                _ = try storage.transaction { transaction in
                    transaction.setValue(1, forKey: "port")
                    transaction.set(.token, to: "hush")
                }
            }
        ),
        (
            "struct",
            { storage in
                storage.declare(PersistentKey("admin.token", defaultValue: "", .secret))
                _ = try storage.setValue(["token": "hush", "name": "ada"], forKey: "admin")
            }
        ),
        (
            "stack around it",
            { storage in
                let outer = PrefsStack { PrefsLayer("inner", storage) }
                _ = try outer.set(.token, to: "hush")
            }
        ),
        (
            "whole configuration",
            { storage in
                let relay = try Live(Relay(), storage)
                _ = try await relay.update { $0.adminToken = "hush" }
            }
        ),
    ]

    private func mode(_ name: String, of daemon: Daemon) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: daemon.path(name))[.posixPermissions] as? Int
    }

    @Test(arguments: writes.map(\.name))
    func `a file that is created to store a secret is private`(way: String) async throws {
        let daemon = try Daemon()
        let storage = daemon.open()
        try await #require(Self.writes.first { $0.name == way }).write(storage)
        #expect(try daemon.text("etc/90-local.toml").contains("hush"))
        #expect(try mode("etc/90-local.toml", of: daemon) == 0o600)
    }

    @Test func `a file that is created to store something else is not`() throws {
        let daemon = try Daemon()
        let storage = daemon.open()
        storage.declare(.token)
        try storage.setValue(1, forKey: "port")
        #expect(try mode("etc/90-local.toml", of: daemon) == 0o644)
    }

    @Test func `a secret in a file that others may read is one warning`() throws {
        let daemon = try Daemon()
        try daemon.write("etc.toml", "port = 1\n")
        let file = daemon.path("etc.toml")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: daemon.sandbox.root)
        let reports = Recorder<PrefsDiagnostic>()
        reports.keep(daemon.diagnostics.subscribe { reports.record($0) })
        defer { reports.stop() }
        let storage = daemon.open()
        storage.declare(.token)
        try storage.setValue(2, forKey: "port")
        #expect(reports.elements.isEmpty)
        try storage.set(.token, to: "hush")
        try storage.set(.token, to: "psst")
        #expect(reports.elements.map(\.severity) == [.warning])
        let error = reports.elements.first?.error
        #expect(error?.code == .untrusted && error?.key == "adminToken")
        #expect(error?.origin?.file == file)
        #expect(try mode("etc.toml", of: daemon) == 0o644)
    }
}
