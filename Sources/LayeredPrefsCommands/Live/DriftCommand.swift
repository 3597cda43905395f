import ArgumentParser
import FoundationEssentials
import LayeredPrefs
import LayeredPrefsInspection

/// The command `prefs drift`.
struct DriftCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "drift", abstract: "Print what a restart of a running process would change.",
            discussion: Source.help(
                "drift @", "drift --pid 4711",
                text: """
                    The process reads its files again, as a new process would, and compares the effective \
                    values with those that it uses. Prints the key, the value in use, the value after a \
                    restart, and the reason: an override in memory that is lost, a broken file of which \
                    the process keeps the previous version, a version that it has rejected, an edit that is \
                    not loaded, a variable that differs, a key whose changes take effect only after a \
                    restart, or a problem with which the program does not start. Also says if the program has \
                    been deleted since the process started, as by an upgrade.

                    Exits with 1 if a restart would change anything, or fail.
                    """))
    }

    @OptionGroup var options: ProcessOptions<Source>

    @Flag(
        help: ArgumentHelp(
            "Compare with a process that is started with this shell's environment variables, not the process's own. Not for a process of another user, which would receive them."
        ))
    var here = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        try running {
            let environment = here ? ProcessInfo.processInfo.environment : nil
            let process = try options.process
            let drift = try process.drift(environment: environment)
            let deletion = process.client.socket.deletionLine
            if output.json {
                Output.print(drift.map(\.json))
            } else {
                var table = Table()
                for difference in drift { difference.add(to: &table) }
                table.print()
                if drift.isEmpty, deletion == nil { Output.complain("prefs: a restart would change nothing") }
            }
            if let deletion { Output.warn("\(deletion)") }
            if !drift.isEmpty || deletion != nil { throw CommandStatus.failed }
        }
    }
}

extension LiveProcess {
    func drift(environment: [String: String]?) throws -> [InspectionReply.Drift] {
        try answer(InspectionRequest(.drift, environment: environment), \.drift)
    }
}

extension InspectionReply.Drift {
    fileprivate func add(to table: inout Table) {
        table.add(
            .init(key, .bold), .init(shown(running)), .init(shown(restarted), .green),
            .init(explanation, .dim))
    }

    private func shown(_ value: String?) -> String { value ?? (isSecret ? SecretPaths.mask : "none") }

    fileprivate var json: OrderedJSON {
        .object([
            ("key", .string(key)), ("running", OrderedJSON(running)), ("restarted", OrderedJSON(restarted)),
            ("secret", .bool(isSecret)), ("reason", .string(reason.rawValue)),
            ("explanation", .string(explanation)),
        ])
    }
}
