import Foundation
import LayeredPrefs
import LayeredPrefsInspection
import LayeredPrefsTesting
import Testing

/// Commands that wait for the decision of a running process. This process is the running one.
@Suite struct ProcessDecisionTests {
    private static let domain = "com.example.deciding"
    private static let start = #"{"port": 80, "host": "a", "level": "info"}"# + "\n"
    private let sandbox: Sandbox
    private let sockets: PrefsSandbox
    private let storage: PrefsStack
    private let inspection: PrefsInspection
    private let live: Live<Server>
    private let pid = "\(ProcessInfo.processInfo.processIdentifier)"
    private var system: String { "\(sandbox.root)/xdg/\(Self.domain).json" }

    private struct Server: Codable, Sendable {
        var port = 8080
        var host = "localhost"
        @Setting(needsRestart: true) var level = "info"
    }

    init() async throws {
        sandbox = try Sandbox()
        sockets = try PrefsSandbox()
        try sandbox.write(Self.start, to: "\(sandbox.root)/xdg/\(Self.domain).json")
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler { _ in }
        storage = PrefsStack.standard(
            domain: Self.domain, environment: sandbox.environment.merging(["DECIDING_HOST": "b"]) { $1 },
            arguments: [], options: options)
        let (root, file) = (sandbox.root, "\(sandbox.root)/xdg/\(Self.domain).json")
        live = try Live(Server(), storage) { server in
            guard [22, 23].contains(server.port) else { return }
            let intruder = URL(fileURLWithPath: "\(root)/intruder.json")
            if let edit = try? Data(contentsOf: intruder) {
                try FileManager.default.removeItem(at: intruder)
                try edit.write(to: URL(fileURLWithPath: file))
            }
            throw PrefsError(.invalid, key: "port", reason: "port \(server.port) is taken")
        }
        inspection = try storage.serveInspection(
            domain: Self.domain, keys: live.keys, in: "\(sockets.root)/prefs", permitting: .reload)
    }

    /// Runs the tool without blocking a thread that the program's closures need.
    private func prefs(_ arguments: String..., editor: String = "") async throws -> Run {
        let words = arguments + ["--domain", Self.domain]
        let variables = ["XDG_RUNTIME_DIR": sockets.root, "EDITOR": editor]
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { [sandbox] in
                continuation.resume(
                    with: Result { try sandbox.run(Sandbox.tool, words, environment: variables) })
            }
        }
    }

    @Test func `a change that the process uses is a success`() async throws {
        let run = try await prefs("set", "port", "8443", "--to", "system", "--wait", "--timeout=60")
        #expect(run.status == 0 && run.errors == "", "\(run)")
        #expect(live.current.port == 8443)
    }

    @Test(arguments: [["set", "port", "22"], ["import", "new.json"], ["edit"]])
    func `a change that the process rejects has a status of its own`(command: [String]) async throws {
        try sandbox.write(#"{"port": 22}"#, to: "\(sandbox.root)/new.json")
        let words = command + Array(repeating: "--to=system", count: 4 - command.count)
        let (editor, timeout) = ("sed -i s/80/22/", "--timeout=60")
        let reverted = try await prefs(
            words[0], words[1], words[2], words[3], "--revert", timeout, editor: editor)
        #expect(reverted.status == 5, "\(reverted)")
        #expect(reverted.errors.contains("prefs: process \(pid): rejected since "), "\(reverted)")
        #expect(reverted.errors.contains("port 22 is taken"), "\(reverted)")
        #expect(reverted.errors.hasSuffix("prefs: \(system): put back as it was\n"), "\(reverted)")
        #expect(try sandbox.text(of: system) == Self.start)
        let waiting = try await prefs(
            words[0], words[1], words[2], words[3], "--wait", timeout, editor: editor)
        #expect(waiting.status == 5, "\(waiting)")
        #expect(try sandbox.text(of: system).contains("22"))
        #expect(live.current.port == 80)
    }

    @Test func `a file that the command has created is removed again`() async throws {
        let user = "\(sandbox.root)/.config/\(Self.domain).plist"
        let run = try await prefs("set", "port", "23", "--revert", "--timeout=60")
        #expect(run.status == 5, "\(run)")
        #expect(!FileManager.default.fileExists(atPath: user))
    }

    @Test func `keys that somebody else has changed since are left and named`() async throws {
        // Somebody else edits the file before the command can put it back.
        let edited = #"{"port": 22, "host": "other", "level": "debug"}"#
        try sandbox.write(edited, to: "\(sandbox.root)/intruder.json")
        try sandbox.write(
            #"{"port": 22, "host": "new"}"#, to: "\(sandbox.root)/new.json")
        let run = try await prefs(
            "import", "\(sandbox.root)/new.json", "--to", "system", "--revert", "--timeout=60")
        #expect(run.status == 5, "\(run)")
        #expect(run.errors.contains("prefs: \(system): put back port\n"), "\(run)")
        #expect(
            run.errors.contains("prefs: host: left in \(system), because somebody else has changed it since"),
            "\(run)")
        let content = try PrefsDocument(parsing: Array(sandbox.text(of: system).utf8), path: system).content
        #expect(content == ["port": 80, "host": "other", "level": "debug"])
    }

    @Test func `a value that is overridden or needs a restart is a success, and is said`() async throws {
        let restart = try await prefs("set", "level", "debug", "--to", "system", "--wait", "--timeout=60")
        #expect(restart.status == 0, "\(restart)")
        #expect(
            restart.errors
                == "prefs: warning: level: process \(pid) needs a restart to use the new value\n",
            "\(restart)")
        let overridden = try await prefs("set", "host", "c", "--to", "system", "--wait", "--timeout=60")
        #expect(overridden.status == 0, "\(overridden)")
        #expect(
            overridden.errors.contains("prefs: warning: process \(pid) uses b (environment"), "\(overridden)")
    }

    @Test func `a process that is still deciding at the end of the time is named`() async throws {
        let (endings, ending) = AsyncStream.makeStream(of: Void.self)
        let slow = live.apply(\.port) { _, _ in for await _ in endings {} }
        let run = try await prefs("set", "port", "8444", "--to", "system", "--wait", "--timeout", "1")
        #expect(run.status == 6, "\(run)")
        #expect(run.errors.contains("prefs: process \(pid) has not "), "\(run)")
        ending.finish()
        try await live.applied()
        #expect(live.current.port == 8444)
        withExtendedLifetime(slow) {}
    }

    @Test func `a lock that the process uses is a success`() async throws {
        let file = "\(sandbox.root)/locked/settings.json"
        try sandbox.write(#"{"port": 80}"#, to: file)
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler { _ in }
        let system = SystemPrefsStorage(locations: [PrefsFileLocations.System(path: file)], options: options)
        let storage = PrefsStack(diagnostics: options.diagnostics) { PrefsLayer(.system, system) }
        let inspection = try storage.serveInspection(
            domain: "com.example.locked", keys: live.keys, in: "\(sockets.root)/prefs")
        defer { inspection.close() }
        for (command, locked) in [("lock", ["port"]), ("unlock", [])] {
            let run = try sandbox.run(
                Sandbox.tool, [command, "port", "--wait", "--timeout=60", "--layer", "system=\(file)"],
                environment: ["XDG_RUNTIME_DIR": sockets.root])
            #expect(run.status == 0 && run.errors == "", "\(run)")
            #expect(storage.locks.map(\.key) == locked)
        }
    }

    @Test func `values that a process rejects for a declared range are put back`() async throws {
        let run = try await prefs(
            "import", "--allow-unknown", "\(sandbox.root)/new.json", "--to", "system", "--revert",
            "--timeout=60")
        #expect(run.status == 1, "\(run)")
        try sandbox.write(#"{"port": "many"}"#, to: "\(sandbox.root)/new.json")
        let rejected = try await prefs(
            "import", "\(sandbox.root)/new.json", "--to", "system", "--revert", "--timeout=60")
        #expect(rejected.status == 5 && rejected.errors.contains("expected an integer"), "\(rejected)")
        #expect(try sandbox.text(of: system) == Self.start)
        let removed = try await prefs("unset", "port", "--to", "system", "--revert", "--timeout=60")
        #expect(removed.status == 0 && removed.errors == "", "\(removed)")
    }
}
