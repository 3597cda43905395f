import Foundation
import LayeredPrefs
import LayeredPrefsInspection
import LayeredPrefsReference
import LayeredPrefsTesting
import Testing

/// The script of the guide “Scripts”, run against a program that may reject its settings.
@Suite struct ScriptGuideTests {
    private struct Relay: Codable, Sendable {
        struct Listen: Codable, Sendable {
            var host = "localhost"
            var port = 8080
        }
        var listen = Listen()
        var limit = 100
        var level = "debug"
        var telemetry = true
    }

    private let sandbox: Sandbox
    private let sockets: PrefsSandbox
    private let live: Live<Relay>
    private let inspection: PrefsInspection
    private let script: String
    private var etc: String { "\(sandbox.root)/etc/relay" }

    init() throws {
        sandbox = try Sandbox()
        sockets = try PrefsSandbox()
        let root = sandbox.root
        try sandbox.write("# ours\n[listen]\nport = 80\n", to: "\(root)/etc/relay/relay.toml")
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler { _ in }
        let storage = PrefsStack.daemon(
            "relay", root: root, environment: [:], arguments: [], options: options)
        live = try Live(Relay(), storage) { relay in
            if FileManager.default.fileExists(atPath: "\(root)/taken"), relay.listen.port == 8443 {
                throw PrefsError(.invalid, key: "listen.port", reason: "port 8443 is taken")
            }
        }
        inspection = try storage.serveInspection(
            domain: "relay", keys: live.keys, in: "\(sockets.root)/prefs")
        let reference = PrefsReference(
            live.keys, title: "relay", environmentPrefix: "RELAY_", locations: .daemon("relay", root: root))
        try sandbox.write(reference.jsonSchema, to: "\(root)/share/prefs/schemas/relay.schema.json")
        let guide = URL(filePath: #filePath)
            .appending(path: "../../../Sources/LayeredPrefs/LayeredPrefs.docc/Scripts.md").standardizedFileURL
        let text = try String(contentsOf: guide, encoding: .utf8)
        let parts = text.components(separatedBy: "```sh\n#!/bin/sh\n")
        script = try #require(parts.dropFirst().first?.components(separatedBy: "\n```").first)
    }

    /// Runs the script without blocking a thread that the program's closures need.
    private func run() async throws -> Run {
        let tools = URL(fileURLWithPath: Sandbox.tool).deletingLastPathComponent().path
        let variables = ["XDG_RUNTIME_DIR": sockets.root, "PATH": "\(tools):/usr/bin:/bin"]
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { [sandbox, script] in
                continuation.resume(
                    with: Result { try sandbox.run("/bin/sh", ["-c", script], environment: variables) })
            }
        }
    }

    @Test func `it has at most twelve lines`() {
        #expect(script.split(separator: "\n").count + 1 <= 12)
    }

    @Test func `it enforces settings and locks, and tells changed from unchanged`() async throws {
        let first = try await run()
        #expect(first.status == 0 && first.output == "changed\n" && first.errors == "", "\(first)")
        #expect(live.current.listen.port == 8443 && live.current.limit == 200 && !live.current.telemetry)
        #expect(try sandbox.text(of: "\(etc)/relay.locks") == "listen\ntelemetry\n")
        let second = try await run()
        #expect(second.status == 0 && second.output == "unchanged\n" && second.errors == "", "\(second)")
        let edited = try sandbox.text(of: "\(etc)/relay.toml").replacing("200", with: "300")
        try sandbox.write(edited, to: "\(etc)/relay.toml")
        let third = try await run()
        #expect(third.status == 0 && third.output == "changed\n", "\(third)")
    }

    @Test func `it puts back what the program rejects`() async throws {
        try sandbox.write("", to: "\(sandbox.root)/taken")
        let before = try sandbox.text(of: "\(etc)/relay.toml")
        let run = try await run()
        #expect(run.status == 5 && run.output == "", "\(run)")
        #expect(run.errors.contains("port 8443 is taken"), "\(run)")
        #expect(try sandbox.text(of: "\(etc)/relay.toml") == before)
        #expect(!FileManager.default.fileExists(atPath: "\(etc)/relay.locks"))
        #expect(live.current.listen.port == 80)
    }
}
