import LayeredPrefsReference
import LayeredPrefsTesting
import Testing

@testable import LayeredPrefs

/// Options of the library that are misspelt on the command line.
@Suite struct MisspeltOptionTests {
    struct Relay: Codable, Sendable {
        @Setting("The port to listen on", in: 1...65535) var port = 25
        @Setting(secret: true) var token = "none"
        var isOpen = true
    }

    private func problems(
        _ arguments: [String], _ style: ArgumentsPrefsStorage.Style = .settings
    ) throws -> (status: Int32, texts: [String]) {
        let sandbox = try PrefsSandbox()
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler { _ in }
        let storage = PrefsStack.daemon(
            "relay", root: sandbox.root, environment: [:], arguments: arguments, argumentsStyle: style,
            options: options)
        do {
            _ = try Live(Relay(), storage)
            return (0, [])
        } catch let error as PrefsError {
            return (error.exitStatus, error.problems.map { "\($0.origin?.spelling ?? "-"): \($0.reason)" })
        }
    }

    @Test(arguments: [
        ("--chek-config", "--check-config"), ("--check-confg=/a", "--check-config"),
        ("--check_config", "--check-config"), ("--confg", "--config"), ("--configs=a", "--config"),
        ("--cofnig", "--config"), ("--onfig", "--config"),
    ])
    func `an option that is one edit away ends the start`(argument: String, meant: String) throws {
        let name = String(argument.prefix { $0 != "=" })
        #expect(
            try problems([argument]) == (64, ["\(name): unknown option; did you mean “\(meant)”?"]))
        #expect(
            try problems([argument], .flags) == (64, ["\(name): unknown flag; did you mean “\(meant)”?"]))
    }

    @Test(arguments: [
        ["--verbose"], ["--st", "a"], ["--confirmed"], ["-config"], ["confg"], ["--", "--confg"],
        ["--set", "token=--confg"], ["--check-config"],
    ])
    func `other arguments are the program's`(arguments: [String]) throws {
        #expect(try problems(arguments) == (0, []))
    }

    @Test func `an option that the program names is its own`() throws {
        #expect(try problems(["--confit", "--verbose"], .settings.besides("--confit")) == (0, []))
        #expect(
            try problems(["--confit=2", "--verbose"], .flags.besides("--confit", "--verbose")) == (0, []))
        #expect(try problems(["--confit"], .settings.besides("--confi")).status == 64)
    }

    @Test func `the help describes the options of the style in use`() throws {
        let daemon = try Live.reference(of: Relay(), locations: .daemon("relay"))
        let common = """
              --config <file>
                  Reads this file instead of the main configuration file.
              --check-config [<file> …]
                  Checks the configuration, or these files instead, and exits with 0 if it is valid, or else with 1.

            """
        let settings = """
              --set <key>=<value>
                  Sets a key, above all files and variables:
              --set port=<integer>
                  The port to listen on. Allowed: 1...65535. Default: 25.
              --set token=<string>
              --set isOpen=<boolean>
                  Default: true.

            """
        #expect(daemon.help() == common + settings)
        #expect(daemon.help(style: .flags.besides("--verbose")) == common + daemon.flagsHelp)
        #expect(daemon.flagsHelp.contains("  --[no-]is-open\n"))
        #expect(try Live.reference(of: Relay()).help() == settings)
    }
}
