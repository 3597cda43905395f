import Foundation
import LayeredPrefs
import LayeredPrefsInspection
import LayeredPrefsTesting
import Testing

/// A process whose program has been deleted, as an upgrade without a restart does.
@Suite struct DeletedProgramTests {
    private static let domain = "com.example.upgraded"
    private let sandbox: Sandbox
    private let sockets: PrefsSandbox
    private let storage: PrefsStack
    private let inspection: PrefsInspection
    private let program: String
    private let old = Process()
    private var pid: String { "\(old.processIdentifier)" }
    private var sentence: String { "process \(pid) runs a deleted version of \(program)" }

    init() throws {
        sandbox = try Sandbox()
        sockets = try PrefsSandbox()
        program = "\(sandbox.root)/upgraded"
        try FileManager.default.copyItem(atPath: "/bin/sleep", toPath: program)
        old.executableURL = URL(filePath: program)
        old.arguments = ["600"]
        try old.run()
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler { _ in }
        storage = PrefsStack.standard(
            domain: Self.domain, environment: sandbox.environment, arguments: [], options: options)
        inspection = try storage.serveInspection(
            domain: Self.domain,
            keys: [PrefsKeyDescription(PersistentKey("port", defaultValue: 8080))],
            in: "\(sockets.root)/prefs")
        // This process answers in its place.
        let folder = "\(sockets.root)/prefs/\(Self.domain)"
        try FileManager.default.moveItem(
            atPath: "\(folder)/\(ProcessInfo.processInfo.processIdentifier)", toPath: "\(folder)/\(pid)")
    }

    private func upgrade() throws { try FileManager.default.removeItem(atPath: program) }

    private func prefs(_ arguments: String...) throws -> Run {
        func run() throws -> Run {
            try sandbox.run(
                Sandbox.tool, arguments + ["--domain", Self.domain],
                environment: ["XDG_RUNTIME_DIR": sockets.root])
        }
        // On a busy machine, the process may need longer than the two seconds that the tool waits.
        for _ in 0..<20 {
            let run = try run()
            if !run.errors.contains("does not answer") { return run }
        }
        return try run()
    }

    @Test func `ps, drift and doctor name it`() throws {
        defer { old.terminate() }
        #expect(try prefs("ps", "--json").objects.first?["programDeleted"] as? Bool == false)
        for run in [try prefs("drift"), try prefs("doctor"), try prefs("doctor", "--live")] {
            #expect(run.status == 0 && !"\(run)".contains("deleted"), "\(run)")
        }
        try upgrade()
        let listed = try prefs("ps")
        #expect(listed.status == 0 && listed.output.contains(" (deleted; needs a restart)"), "\(listed)")
        #expect(try prefs("ps", "--json").objects.first?["programDeleted"] as? Bool == true)
        let drift = try prefs("drift")
        #expect(drift.status == 1 && drift.errors.contains(sentence), "\(drift)")
        #expect(!drift.errors.contains("would change nothing"), "\(drift)")
        for run in [try prefs("doctor"), try prefs("doctor", "--live")] {
            #expect(run.status == 1 && run.output.contains(sentence), "\(run)")
        }
    }

    @Test func `set says that only the installed version knows a key`() throws {
        defer { old.terminate() }
        let text =
            #"{"type": "object", "properties": {"port": {"type": "integer"}, "backlog": {"type": "integer"}}}"#
        try sandbox.write(text, to: "\(sandbox.root)/schema.json")
        let set = { (key: String) in
            try prefs("set", key, "256", "--to", "user", "--schema", "\(sandbox.root)/schema.json")
        }
        let present = try set("backlog")
        #expect(present.status == 0 && present.errors == "", "\(present)")
        try upgrade()
        let known = try set("port")
        #expect(known.status == 0 && known.errors == "", "\(known)")
        let unknown = try set("backlog")
        #expect(unknown.status == 0 && unknown.errors.contains("backlog: unknown to process"), "\(unknown)")
        #expect(unknown.errors.contains(program), "\(unknown)")
    }
}
