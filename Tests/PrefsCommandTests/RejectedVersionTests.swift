import Foundation
import LayeredPrefs
import LayeredPrefsInspection
import LayeredPrefsTesting
import Testing

/// The commands' reports of revisions that a running process rejects, and of its differences from the files.
/// The running process is this one.
@Suite struct RejectedVersionTests {
    private static let domain = "com.example.rejected"
    private let sandbox: Sandbox
    private let sockets: PrefsSandbox
    private let storage: PrefsStack
    private let inspection: PrefsInspection
    private let pid = "\(ProcessInfo.processInfo.processIdentifier)"
    private var system: String { "\(sandbox.root)/xdg/\(Self.domain).json" }

    init() throws {
        sandbox = try Sandbox()
        sockets = try PrefsSandbox()
        try sandbox.write(
            Sandbox.schemaText, to: "\(sandbox.root)/share/prefs/schemas/\(Self.domain).schema.json")
        try sandbox.write(
            #"{"http": {"port": 8443}, "timeout": "1500ms"}"#, to: "\(sandbox.root)/xdg/\(Self.domain).json")
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler { _ in }
        storage = PrefsStack.standard(
            domain: Self.domain, environment: sandbox.environment, arguments: [],
            options: options)
        let port = PersistentKey(
            "http.port", defaultValue: 8080, in: 1...65535,
            .validate { $0 == 6666 ? "expected a port that browsers do not block" : nil })
        let timeout = PersistentKey("timeout", defaultValue: Duration.seconds(2))
        let level = PersistentKey("level", defaultValue: "info", .needsRestart)
        storage.declare(port)
        storage.declare(timeout)
        storage.declare(level)
        inspection = try storage.serveInspection(
            domain: Self.domain,
            keys: [PrefsKeyDescription(port), PrefsKeyDescription(timeout), PrefsKeyDescription(level)],
            in: "\(sockets.root)/prefs", permitting: .reload)
    }

    private func prefs(_ arguments: String...) throws -> Run {
        try sandbox.run(Sandbox.tool, arguments, environment: ["XDG_RUNTIME_DIR": sockets.root])
    }

    private var rejection: [String] { storage.status.compactMap(\.rejection).first?.lines ?? [] }

    @Test func `every command words a rejection as the process does`() throws {
        try sandbox.write(#"{"http": {"port": "many"}}"#, to: system)
        storage.reload()
        let line = try #require(rejection.first)
        #expect(line.hasPrefix("rejected since 20"))
        #expect(line.contains("\(system):1:11: http.port: expected an integer, found the string"), "\(line)")
        let doctor = try prefs("doctor", "--pid", pid)
        #expect(doctor.lines.contains("  \(line)"), "\(doctor)")
        let summary = "1 problem; a restart would fall back to lower layers for the rejected values"
        #expect(doctor.lines.contains("  \(summary)"), "\(doctor)")
        #expect(doctor.status == 1)
        #expect(doctor.lines.contains { $0.contains(system) && $0.contains("rejected") })
        let explained = try prefs("explain", "http.port", "--pid", pid)
        #expect(explained.lines.contains("  \(line)"), "\(explained)")
        #expect(explained.lines.last == "  a restart would use 8080 (default)")
        let drift = try prefs("drift", "--pid", pid)
        #expect(drift.output.contains("http.port\t8443\t8080\t\(line)"), "\(drift)")
        #expect(try prefs("ps", "--domain", Self.domain).output.contains("\t1 rejected version\t"))
        let reload = try prefs("reload", "--pid", pid)
        #expect(reload.status == 1 && reload.output == "")
        #expect(
            reload.errors.hasPrefix("prefs: \(line)\nprefs: a restart would fall back to lower layers "),
            "\(reload)")
        let files = try prefs("doctor", "--domain", Self.domain)
        #expect(files.lines.contains("  process \(pid): \(line)"), "\(files)")
        #expect(files.lines.contains("  process \(pid): \(summary)"), "\(files)")
    }

    private struct Server: Codable, Sendable {
        @Setting(required: true) var name = ""
    }

    @Test func `every command tells of a removal that is rejected, and that a restart would fail`() throws {
        try sandbox.write(#"{"http": {"port": 8443}, "server": {"name": "a"}}"#, to: system)
        storage.reload()
        let live = try Live(Server(), storage, at: "server")
        try FileManager.default.removeItem(atPath: system)
        storage.reload()
        #expect(live.current.name == "a")
        let line = try #require(rejection.first)
        #expect(line.hasPrefix("removal rejected since 20"), "\(line)")
        #expect(line.contains("\(system): server.name: a value is required"), "\(line)")
        let failing = "a restart would fail: the program does not start with these problems"
        let doctor = try prefs("doctor", "--pid", pid)
        #expect(doctor.lines.contains("  \(line)"), "\(doctor)")
        #expect(doctor.lines.contains("  1 problem; \(failing)"), "\(doctor)")
        #expect(
            doctor.lines.contains("A restart would fail; 'prefs drift --pid \(pid)' says why"), "\(doctor)")
        #expect(doctor.status == 1)
        #expect(try prefs("ps", "--domain", Self.domain).output.contains("\t1 rejected version\t"))
        for key in ["server.name", "http.port"] {
            let explained = try prefs("explain", key, "--pid", pid)
            #expect(explained.lines.contains("  \(line)"), "\(explained)")
            #expect(explained.lines.last == "  \(failing)", "\(explained)")
        }
        let drift = try prefs("drift", "--pid", pid)
        #expect(drift.status == 1)
        #expect(drift.output.contains("server.name\t\"a\"\tnone\ta restart would fail: "), "\(drift)")
        let reload = try prefs("reload", "--pid", pid)
        #expect(reload.status == 1)
        #expect(reload.errors == "prefs: \(line)\nprefs: \(failing)\n", "\(reload)")
    }

    private struct Limits: Codable, Sendable {
        var limit = 1
    }

    @Test func `the doctor says what a restart would use, and that the program's state is inconsistent`()
        async throws
    {
        let live = try Live(Limits(), storage, at: "limits")
        let first = live.apply(\.limit) { _, new in
            if new == 1 { throw PrefsError(.busy, reason: "cannot go back") }
        }
        let second = live.apply(\.limit) { _, _ in
            throw PrefsError(.busy, reason: "the port is taken")
        }
        try sandbox.write(
            #"{"http": {"port": 8443}, "timeout": "1500ms", "limits": {"limit": 2}}"#, to: system)
        storage.reload()
        try await live.applied()
        let doctor = try prefs("doctor", "--pid", pid)
        #expect(doctor.lines.contains("  1 problem; a restart would use the new version"), "\(doctor)")
        #expect(doctor.output.contains("  inconsistent: "), "\(doctor)")
        #expect(try prefs("ps", "--json", "--domain", Self.domain).output.contains(#""inconsistent": true"#))
        withExtendedLifetime((first, second)) {}
    }

    @Test func `a version that is rejected for another key explains why a value is not in force`() throws {
        try sandbox.write(#"{"http": {"port": "many"}, "timeout": "3s"}"#, to: system)
        storage.reload()
        let run = try prefs("explain", "timeout", "--pid", pid)
        #expect(run.lines.contains("  \(try #require(rejection.first))"), "\(run)")
        #expect(run.lines.last?.hasPrefix("  a restart would use \"3s\" (system ") == true)
    }

    @Test func `get and explain say where a process uses another value`() throws {
        let same = try prefs("get", "http.port", "--domain", Self.domain)
        #expect(same.output == "8443\n" && same.errors == "", "\(same)")
        try sandbox.write(#"{"http": {"port": 6666}}"#, to: system)
        storage.reload()
        let run = try prefs("get", "http.port", "--domain", Self.domain)
        #expect(run.output == "6666\n")
        #expect(run.errors.contains("prefs: warning: process \(pid) uses 8443 (system"), "\(run)")
        #expect(run.errors.contains("prefs: warning: process \(pid): \(try #require(rejection.first))\n"))
        let asked = try prefs("get", "http.port", "--pid", pid)
        #expect(asked.output == "8443\n")
        #expect(
            asked.errors
                == "prefs: warning: http.port: a restart would use 8080: \(try #require(rejection.first))\n",
            "\(asked)")
        let explained = try prefs("explain", "http.port", "--domain", Self.domain)
        #expect(explained.output.contains("  process \(pid) uses 8443 (system"), "\(explained)")
    }

    @Test func `a default that only the process knows is no difference`() throws {
        try FileManager.default.removeItem(atPath: "\(sandbox.root)/share")
        try sandbox.write(#"{"http": {}}"#, to: system)
        storage.reload()
        let run = try prefs("get", "http.port", "--default", "none", "--domain", Self.domain)
        #expect(run.output == "none\n" && run.errors == "", "\(run)")
    }

    @Test func `another spelling of a value is the same value`() throws {
        let schema = Sandbox.schemaText.replacing(
            "\"token\":",
            with:
                "\"timeout\": {\"type\": [\"string\", \"integer\"], \"x-prefs\": {\"type\": \"duration\"}},\n\"token\":"
        )
        try sandbox.write(schema, to: "\(sandbox.root)/share/prefs/schemas/\(Self.domain).schema.json")
        let run = try sandbox.run(
            Sandbox.tool, ["get", "timeout", "--domain", Self.domain],
            environment: ["XDG_RUNTIME_DIR": sockets.root, "REJECTED_TIMEOUT": "1.5s"])
        #expect(run.output == "1.5s\n" && run.errors == "", "\(run)")
        let other = try sandbox.run(
            Sandbox.tool, ["get", "timeout", "--domain", Self.domain],
            environment: ["XDG_RUNTIME_DIR": sockets.root, "REJECTED_TIMEOUT": "1.6s"])
        #expect(other.errors.contains("process \(pid) uses 1.5s ("), "\(other)")
    }

    @Test func `set, unset and edit say that the process rejects the file`() throws {
        let accepted = try prefs("set", "http.port", "9090", "--to", "system", "--domain", Self.domain)
        #expect(accepted.status == 0 && accepted.errors == "", "\(accepted)")
        let run = try prefs("set", "http.port", "6666", "--to", "system", "--domain", Self.domain)
        #expect(run.status == 0)
        let line = try #require(rejection.first)
        #expect(line.contains("expected a port that browsers do not block"))
        #expect(run.errors.contains("prefs: warning: process \(pid): \(line)\n"), "\(run)")
        let unset = try prefs("unset", "timeout", "--to", "system", "--domain", Self.domain)
        #expect(unset.errors.contains("process \(pid): rejected since"), "\(unset)")
        let edit = try sandbox.run(
            Sandbox.tool, ["edit", "--to", "system", "--domain", Self.domain],
            environment: ["XDG_RUNTIME_DIR": sockets.root, "EDITOR": "sed -i s/6666/6666.0/"])
        #expect(edit.errors.contains("6666"), "\(edit)")
        let mended = try prefs("set", "http.port", "9191", "--to", "system", "--domain", Self.domain)
        #expect(mended.errors == "", "\(mended)")
    }

    @Test func `a rejection of another key, from before a write, is not repeated`() throws {
        let user = "\(sandbox.root)/.config/\(Self.domain).json"
        for text in [#"{"http": {"port": 80}}"#, #"{"http": {"port": "many"}}"#] {
            try sandbox.write(text, to: user)
            storage.reload()
        }
        #expect(rejection.first?.contains("http.port") == true)
        let other = try prefs("set", "timeout", "3s", "--allow-unknown", "--domain", Self.domain)
        #expect(other.status == 0 && other.errors == "", "\(other)")
        let same = try prefs("set", "http.port", "81", "--domain", Self.domain)
        #expect(same.errors == "", "\(same)")
    }

    @Test func `get, set, unset and edit say that the process needs a restart`() throws {
        let warning = "prefs: warning: level: process \(pid) needs a restart to use the new value\n"
        func prefs(_ arguments: String...) throws -> Run {
            try sandbox.run(
                Sandbox.tool, arguments + ["--domain", Self.domain],
                environment: ["XDG_RUNTIME_DIR": sockets.root, "EDITOR": "sed -i s/8443/8444/"])
        }
        #expect(try prefs("get", "level").errors == "")
        #expect(try prefs("set", "level", "debug", "--to", "system").errors == warning)
        let read = try prefs("get", "level")
        #expect(read.output == "debug\n" && read.errors == warning, "\(read)")
        let edit = try prefs("edit", "--to", "system", "--allow-unknown")
        #expect(edit.errors.hasSuffix("\n\(warning)"), "\(edit)")
        #expect(try prefs("set", "http.port", "8445", "--to", "system").errors == "")
        #expect(try prefs("unset", "level", "--to", "system").errors == "")
    }

    @Test func `a file that the process does not read is named`() throws {
        let home = "\(sandbox.root)/home"
        let run = try sandbox.run(
            Sandbox.tool, ["set", "http.port", "81", "--domain", Self.domain],
            environment: ["XDG_RUNTIME_DIR": sockets.root, "XDG_CONFIG_HOME": home])
        let file = "\(home)/\(Self.domain).plist"
        #expect(run.errors == "prefs: warning: process \(pid) does not read \(file)\n", "\(run)")
    }
}
