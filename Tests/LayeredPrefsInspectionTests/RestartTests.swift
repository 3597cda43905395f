import LayeredPrefs
import LayeredPrefsTesting
import PrefsSystem
import Testing

@testable import LayeredPrefsInspection

/// The answers of a process with a live configuration about its next start while a file is wrong.
@Suite struct RestartTests {
    private struct Relay: Codable, Sendable {
        @Setting(in: 1...65535) var port = 8080
        var limit = 1
    }

    private struct Taken: Error {}

    private let sandbox: PrefsSandbox
    private var file: String { "\(sandbox.root)/relay.toml" }

    init() throws { sandbox = try PrefsSandbox() }

    private func write(_ text: String) throws { try PrefsFileWriter(file).replace { _ in Array(text.utf8) } }

    private func storage() throws -> PrefsStack {
        try write("port = 9000\n")
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler { _ in }
        return PrefsStack(diagnostics: options.diagnostics) { [options] in
            PrefsLayer(.system, FilePrefsStorage(path: file, options: options))
        }
    }

    private func sentence(_ storage: PrefsStack, _ live: Live<Relay>, _ key: String) throws
        -> String?
    {
        let answers = InspectionAnswers(storage: storage, domain: "relay", keys: live.keys)
        return try #require(answers.reply(to: InspectionRequest(.explain, key: key)).explanation).restart
    }

    @Test func `with wrong files it fails, or uses what was accepted last`() throws {
        for starts in [StartContents.files, .lastAccepted(in: "\(sandbox.root)/state")] {
            let storage = try storage()
            let live = try Live(Relay(), storage, startWith: starts)
            for text in ["port = 70000\nlimit = 2\n", "port = = 1\n"] {
                try write(text)
                storage.reload()
                #expect(live.current.port == 9000)
                let expected =
                    starts == .files
                    ? "a restart would fail: the program does not start with these problems"
                    : "a restart would use the last accepted settings"
                #expect(try sentence(storage, live, "port") == expected, "\(text)")
            }
            let answers = InspectionAnswers(storage: storage, domain: "relay", keys: live.keys)
            let drift = answers.reply(to: InspectionRequest(.drift)).drift ?? []
            #expect(drift.isEmpty == (starts != .files))
        }
    }

    @Test func `what only the program rejects would be used`() async throws {
        let storage = try storage()
        let live = try Live(Relay(), storage, startWith: .lastAccepted(in: "\(sandbox.root)/state"))
        let applying = live.apply(\.port) { _, _ in throw Taken() }
        try write("port = 9001\n")
        storage.reload()
        try await live.applied()
        #expect(live.current.port == 9000)
        #expect(try sentence(storage, live, "port")?.hasPrefix("a restart would use 9001 (system ") == true)
        applying.cancel()
    }

    @Test func `a reload waits until the program has decided, and says what it has rejected`() async throws {
        let storage = try storage()
        let live = try Live(Relay(), storage)
        let applying = live.apply(\.port) { _, _ in throw Taken() }
        try write("port = 9001\n")
        let answers = InspectionAnswers(
            storage: storage, domain: "relay", keys: live.keys, permissions: .reload, patience: .seconds(3600)
        )
        // Ask on another thread, because the handler needs a thread of the pool.
        let outcome = await withCheckedContinuation { continuation in
            _ = BackgroundThread.start(named: "reload") {
                continuation.resume(returning: answers.reply(to: InspectionRequest(.reload)).outcome)
            }
        }
        let problems = try #require(outcome?.problems)
        #expect(outcome?.isEffective == false)
        try #require(problems.count == 2, "\(problems)")
        #expect(problems[0].contains("Taken"), "\(problems)")
        #expect(problems[1] == "a restart would use the new version")
        applying.cancel()
    }
}
