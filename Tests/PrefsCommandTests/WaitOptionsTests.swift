import FileWatching
import Foundation
import LayeredPrefs
import LayeredPrefsTesting
import Testing

@testable import LayeredPrefsInspection

/// Commands that write a file of a running process, which is this one. It reads the file only when the test
/// tells it to.
@Suite struct WaitOptionsTests {
    private static let domain = "com.example.waiting"
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
            #"{"http": {"port": 80}, "level": "info"}"#, to: "\(sandbox.root)/xdg/\(Self.domain).json")
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler { _ in }
        options.watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil)
        storage = PrefsStack.standard(
            domain: Self.domain, environment: sandbox.environment, arguments: [], options: options)
        let port = PersistentKey("http.port", defaultValue: 8080, in: 1...65535)
        storage.declare(port)
        inspection = try storage.serveInspection(
            domain: Self.domain, keys: [PrefsKeyDescription(port)], in: "\(sockets.root)/prefs")
    }

    private func prefs(_ arguments: [String]) throws -> Run {
        try sandbox.run(
            Sandbox.tool, arguments + ["--domain", Self.domain],
            environment: ["XDG_RUNTIME_DIR": sockets.root])
    }

    @Test(arguments: [
        ["set", "http.port", "81", "--to", "system"], ["unset", "http.port", "--to", "system"],
    ])
    func `that a process has not loaded a file yet is said only with --wait`(command: [String]) throws {
        let silent = try prefs(command)
        #expect(silent.status == 0 && silent.errors == "", "\(silent)")
        storage.reload()
        let waiting = try prefs([
            "set", "http.port", "82", "--to", "system", "--type", "int", "--wait", "--timeout", "0",
        ])
        #expect(waiting.status == 6, "\(waiting)")
        #expect(waiting.errors == "prefs: process \(pid) has not loaded \(system) yet\n", "\(waiting)")
        #expect(try sandbox.text(of: system).contains("82"))
    }

    @Test func `what a process has not decided on in time is put back with --revert`() throws {
        let before = try sandbox.text(of: system)
        let run = try prefs(["set", "http.port", "82", "--to", "system", "--revert", "--timeout", "0"])
        #expect(run.status == 6 && run.errors.hasSuffix("prefs: \(system): put back as it was\n"), "\(run)")
        #expect(try sandbox.text(of: system) == before)
    }

    @Test func `a process that has loaded the file is not waited for any longer`() throws {
        // Nobody else has written the file, so the process is not behind.
        let run = try prefs(["set", "http.port", "80", "--to", "system", "--wait", "--timeout", "86400"])
        #expect(run.status == 0 && run.errors == "", "\(run)")
    }

    @Test func `that no process reads the file is said, and no error`() throws {
        let run = try sandbox.run(
            Sandbox.tool, ["set", "a", "x", "--wait", "--layer", "user=\(sandbox.user)"],
            environment: ["XDG_RUNTIME_DIR": sockets.root])
        #expect(run.status == 0, "\(run)")
        #expect(run.errors == "prefs: no running process reads \(sandbox.user)\n", "\(run)")
    }

    @Test func `a file that the command line names is waited for`() throws {
        let run = try sandbox.run(
            Sandbox.tool,
            ["set", "http.port", "82", "--wait", "--timeout", "0", "--layer", "system=\(system)"],
            environment: ["XDG_RUNTIME_DIR": sockets.root])
        #expect(run.status == 6, "\(run)")
    }

    @Test(arguments: [
        ["--wait", "--timeout", "-1"], ["--wait", "--timeout", "soon"], ["--timeout", "1"],
        ["--wait", "--pid", "1"], ["--revert", "--pid", "1"],
    ])
    func `a wrong time is an error`(options: [String]) throws {
        let run = try prefs(["unset", "http.port"] + options)
        #expect(run.status == 2, "\(run)")
    }
}
