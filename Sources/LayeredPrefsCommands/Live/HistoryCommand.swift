import ArgumentParser
import FoundationEssentials
import LayeredPrefs
import LayeredPrefsInspection

/// The command `prefs history [KEY]`.
struct HistoryCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "history", abstract: "Print the last changes in a running process.",
            discussion: Source.help(
                "history --pid 4711",
                text: """
                    Prints one line per change, oldest first: the time, the key, the old and the new \
                    value, the origin of the new value and the cause of the change. The process keeps a \
                    limited number of change sets in memory. Values of secrets are hidden.
                    """))
    }

    @OptionGroup var options: ProcessOptions<Source>

    @Argument(help: "Print only changes of this key and the keys below it.")
    var key: String?

    @Flag(help: "Print JSON, one object per change set.")
    var json = false

    func run() throws {
        try running {
            let sets = try options.process.answer(InspectionRequest(.history, key: key), \.history)
            if json { return Output.print(sets.map(\.json)) }
            if sets.isEmpty { Output.complain("prefs: no change is recorded") }
            for set in sets { set.print(.output) }
        }
    }
}

extension InspectionReply.Changes {
    fileprivate var clock: String {
        let date = Date(timeIntervalSince1970: time ?? 0)
        return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    /// Prints a line for each change.
    func print(_ style: Style) {
        for change in details ?? [] {
            let (old, new) = (change.shown(change.old), change.shown(change.new))
            let place = "(\(change.origin ?? "default")), \(cause)"
            let restart = change.needsRestart ? " (takes effect after a restart)" : ""
            Output.print(
                "\(style(clock, .dim)) \(style(change.key, .bold)): \(old) → \(style(new, .green)) \(style(place, .dim))\(restart)"
            )
        }
        if let omitted { Output.print("\(style(clock, .dim)) \(omitted) more changes, \(cause)") }
    }

    /// Prints an object for each change.
    func printJSON() {
        let place: [(String, OrderedJSON)] = [
            ("time", .string(clock)), ("generation", .number("\(generation)")),
        ]
        for change in details ?? [] {
            Output.print(.object(place + change.members + [("cause", .string(cause))]))
        }
    }

    fileprivate var json: OrderedJSON {
        .object([
            ("time", .string(clock)), ("generation", .number("\(generation)")), ("cause", .string(cause)),
            ("changes", .array((details ?? []).map { .object($0.members) })),
            ("omitted", OrderedJSON(omitted ?? 0)),
        ])
    }
}

extension InspectionReply.Changes.Change {
    fileprivate func shown(_ value: String?) -> String {
        value ?? (isSecret ? SecretPaths.mask : "none")
    }

    fileprivate var members: [(String, OrderedJSON)] {
        [
            ("key", .string(key)), ("old", OrderedJSON(old)), ("new", OrderedJSON(new)),
            ("origin", OrderedJSON(origin)), ("secret", .bool(isSecret)),
            ("needsRestart", .bool(needsRestart)),
        ]
    }
}
