import LayeredPrefsTesting
import Testing

@testable import LayeredPrefs

/// Edits of a daemon's files while it runs, found by the kernel's notifications.
@Suite struct DaemonLiveTests {
    @Test func `files that appear, are masked, and are removed take effect`() async throws {
        let daemon = try Daemon()
        try daemon.write("usr.toml")
        let storage = daemon.open(isWatched: true)
        let changes = Recorder<PrefsChange<String>>()
        changes.keep(storage.observe(.by, changes.record))
        func expect(_ value: String, _ edit: () throws -> Void) async throws {
            try edit()
            _ = try await changes.wait(within: .seconds(60)) { $0.last?.new.value == value }
            #expect(storage.get(.by) == value)
        }
        #expect(storage.get(.by) == "usr.toml")
        try await expect("run.toml") { try daemon.write("run.toml") }
        try await expect("etc.toml") { try daemon.write("etc.toml") }
        try await expect("") {
            try daemon.remove("etc.toml")
            try daemon.mask("etc.toml")
        }
        try await expect("run.toml") { try daemon.remove("etc.toml") }
        try await expect("") { try daemon.write("etc.toml", "") }
        try await expect("usr/10.toml") { try daemon.write("usr/10.toml") }
        try await expect("run/20.toml") { try daemon.write("run/20.toml") }
        try await expect("usr/10.toml") { try daemon.mask("etc/20.toml") }
        try await expect("etc/10.toml") { try daemon.write("etc/10.toml") }
        try await expect("usr/10.toml") { try daemon.remove("etc/10.toml") }
        try await expect("") { try daemon.write("etc/10.toml", "") }
        try await expect("run/20.toml") { try daemon.remove("etc/20.toml") }
        try await expect("") { try daemon.remove("run/20.toml") }
        try await expect("run.toml") { try daemon.remove("etc.toml") }
        try await expect("usr.toml") { try daemon.remove("run.toml") }
        changes.stop()
    }

    @Test func `locks that appear and go take effect`() async throws {
        let daemon = try Daemon()
        try daemon.write("usr.toml")
        let storage = daemon.open(environment: ["RELAY_BY": "variable"], isWatched: true)
        let changes = Recorder<PrefsChange<String>>()
        changes.keep(storage.observe(.by, changes.record))
        try daemon.write("run.locks", "by\n")
        _ = try await changes.wait(within: .seconds(60)) { $0.last?.new.value == "usr.toml" }
        try daemon.remove("run.locks")
        _ = try await changes.wait(within: .seconds(60)) { $0.last?.new.value == "variable" }
        changes.stop()
    }
}
