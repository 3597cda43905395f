import PrefsDocuments
import TestSupport
import Testing

@testable import LayeredPrefs

/// The arguments `--set KEY=VALUE`, and arguments that are not UTF-8.
@Suite struct ArgumentSettingsTests {
    struct Relay: Codable, Sendable, Equatable {
        struct Log: Codable, Sendable, Equatable {
            var color = true
            @Setting(formerly: ["chatty"]) var isVerbose = false
        }

        var log = Log()
        @Setting(formerly: ["conns"]) var limit = 5
        var weights: [String: Int] = [:]
    }

    private func stack(
        _ arguments: [String], _ style: ArgumentsPrefsStorage.Style = .settings, undecodable: [String] = []
    ) -> PrefsStack {
        PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) {
            PrefsLayer(
                .arguments,
                ArgumentsPrefsStorage(
                    arguments, style: style, problem: nil, undecodable: UndecodableArguments(undecodable)))
        }
    }

    /// Returns the exit status and the problems of a start; 0 and none if the start succeeds.
    private func failure(of storage: PrefsStack) -> (Int32, [String]) {
        do {
            _ = try Live(Relay(), storage)
            return (0, [])
        } catch let error as PrefsError {
            return (error.exitStatus, error.problems.map { "\($0.key ?? "-"): \($0.reason)" })
        } catch {
            return (1, ["\(error)"])
        }
    }

    @Test func `a key may be set under a former name`() throws {
        let arguments = ["--set", "conns=3", "--set=log.chatty=true"]
        let storage = stack(arguments)
        #expect(
            try Live(Relay(), storage).current == Relay(log: Relay.Log(isVerbose: true), limit: 3))
        let all = ["relay", "--check-config"] + arguments
        #expect(Live.checkConfiguration(Relay(), stack(arguments), arguments: all) == 0)
        let key = PersistentKey("limit", defaultValue: 5, .formerly("conns"))
        let other = stack(["--set", "conns=3"])
        other.declare(key)
        try other.checkArguments()
        #expect(other.get(key) == 3)
    }

    @Test(arguments: [
        ("weights.a=3", "weights.a: unknown key; “weights” is set as a whole"),
        ("limit.a=3", "limit.a: unknown key; “limit” is set as a whole"),
        ("conns.a=3", "conns.a: unknown key; “conns” is set as a whole"),
        ("log.color.a.b=1", "log.color.a.b: unknown key; “log.color” is set as a whole"),
        ("log.colour=true", "log.colour: unknown key; did you mean “log.color”?"),
        ("log=true", "log: unknown key"),
    ])
    func `a key below one that is set as a whole is unknown`(setting: String, problem: String) {
        #expect(failure(of: stack(["--set", setting])) == (64, [problem]))
        #expect(failure(of: stack(["--set=\(setting)", "--set", setting])) == (64, [problem]))
    }

    @Test func `a dictionary and a struct may be set as a whole`() throws {
        #expect(try Live(Relay(), stack(["--set", "weights={\"a\": 3}"])).current.weights == ["a": 3])
        let storage = stack(["--set", "relay={\"limit\": 7}"])
        let key = PersistentKey("relay", defaultValue: Relay())
        storage.declare(key)
        try storage.checkArguments()
        #expect(storage.get(key) == Relay(limit: 7))
        #expect(
            storage.explanation(for: key).rows.map { "\($0.field ?? "-") \($0.value)" } == ["relay.limit 7"])
    }

    /// Among others, an argument that the Swift runtime has repaired.
    @Test(
        arguments: [
            (["--set", "limit=\u{FFFD}"], 1, .settings, "limit"),
            (["--set=limit=\u{FFFD}"], 0, .settings, "limit"),
            (["--set", "l\u{FFFD}=1"], 1, .settings, "l\u{FFFD}"), (["--limit=\u{FFFD}"], 0, .flags, "limit"),
            (["--limit", "\u{FFFD}"], 1, .flags, "limit"), (["--log-color=\u{FFFD}"], 0, .flags, "log.color"),
        ] as [([String], Int, ArgumentsPrefsStorage.Style, String)])
    func `an argument that is not UTF-8 is an error that names it`(
        arguments: [String], index: Int, style: ArgumentsPrefsStorage.Style, key: String
    ) {
        let storage = stack(arguments, style, undecodable: [arguments[index]])
        #expect(failure(of: storage) == (64, ["\(key): expected UTF-8, found other bytes"]))
    }

    @Test func `other arguments may have any bytes`() throws {
        let other = ["\u{FFFD}", "-\u{FFFD}"]
        #expect(failure(of: stack(other + ["--set", "limit=3"], undecodable: other)) == (0, []))
        #expect(
            failure(of: stack(other + ["--limit", "3", "\u{FFFD}"], .flags, undecodable: other)) == (0, []))
        #expect(failure(of: stack(["--", "--set", "\u{FFFD}"], undecodable: other)) == (0, []))
        let named = ConfigurationArgument(["--config", "\u{FFFD}"], UndecodableArguments(["\u{FFFD}"]))
        #expect(named.file == nil && named.problem?.reason == "expected UTF-8, found other bytes")
    }

    @Test func `the repaired arguments of a process are known`() {
        #expect(!UndecodableArguments.ofProcess.contains(CommandLine.arguments[0]))
    }
}
