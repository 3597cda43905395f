import LayeredPrefsTesting
import PrefsDocuments
import TestSupport
import Testing

@testable import LayeredPrefs

/// The command line of a whole configuration.
@Suite struct LiveArgumentsTests {
    struct Relay: Codable, Sendable, Equatable {
        struct TLS: PrefsSection, Equatable {
            var isRequired = true
            @Setting("Whether clients are asked") var asksClients = false
        }

        struct Log: Codable, Sendable, Equatable {
            var color = true
            @Setting(formerly: ["chatty"]) var isVerbose = false
        }

        @Setting("Whether to fork") var fork = false
        var trace = true
        var quiet: Bool? = nil
        var log = Log()
        var tls: TLS? = nil
        @Setting(formerly: ["conns"]) var limit = 5
    }

    private let reports = Recorder<String>()

    private func stack(_ arguments: [String], _ style: ArgumentsPrefsStorage.Style) -> PrefsStack {
        let diagnostics = PrefsDiagnosticHandler { [reports] in
            reports.record("\($0.severity): \($0.error.key ?? "-"): \($0.error.reason)")
        }
        return PrefsStack(diagnostics: diagnostics) {
            PrefsLayer(.arguments, ArgumentsPrefsStorage(arguments, style: style))
        }
    }

    private func start(_ arguments: [String], _ style: ArgumentsPrefsStorage.Style = .flags) throws -> Relay {
        try Live(Relay(), stack(arguments, style)).current
    }

    /// Returns the exit status and the problems of a start that fails.
    private func failure(_ arguments: [String], _ style: ArgumentsPrefsStorage.Style) -> (Int32, [String]) {
        let error = #expect(throws: PrefsError.self) { _ = try start(arguments, style) }
        let problems = error?.problems.map { "\($0.key ?? $0.origin?.spelling ?? "-"): \($0.reason)" }
        return (error?.exitStatus ?? 0, problems ?? [])
    }

    /// Arguments, and the change of the default that they make.
    struct Change: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let apply: @Sendable (inout Relay) -> Void

        init(_ arguments: String..., apply: @escaping @Sendable (inout Relay) -> Void) {
            (self.arguments, self.apply) = (arguments, apply)
        }

        var testDescription: String { arguments.joined(separator: " ") }
    }

    @Test(arguments: [
        Change("--fork") { $0.fork = true },
        Change("--no-fork") { $0.fork = false },
        Change("--fork", "file") { $0.fork = true },
        Change("--fork=false", "--no-trace") { $0.trace = false },
        Change("--no-trace", "--trace") { _ in },
        Change("--quiet") { $0.quiet = true },
        Change("--no-quiet") { $0.quiet = false },
        Change("--no-log-color", "--log-is-verbose") { ($0.log.color, $0.log.isVerbose) = (false, true) },
        Change("--log-chatty") { $0.log.isVerbose = true },
        Change("--no-tls-is-required") { $0.tls = Relay.TLS(isRequired: false) },
        Change("--tls-asks-clients") { $0.tls = Relay.TLS(asksClients: true) },
        Change("--limit", "6") { $0.limit = 6 },
        Change("--conns", "6") { $0.limit = 6 },
    ])
    func `a flag of a boolean field needs no value`(change: Change) throws {
        var expected = Relay()
        change.apply(&expected)
        #expect(try start(change.arguments) == expected)
    }

    @Test(arguments: [
        (["--no-limit"], "--no-limit: unknown flag; did you mean “--limit”?"),
        (["--no-fork=1"], "--no-fork: takes no value"),
        (["--fork=maybe"], "fork: expected a boolean, found the string \"maybe\""),
        (
            ["--limit"],
            "limit: expected a value, as in --limit VALUE; one that begins with “--” needs an equals sign"
        ),
    ])
    func `other flags are wrong as before`(arguments: [String], problem: String) {
        #expect(failure(arguments, .flags) == (64, [problem]))
    }
}
