import FileWatching
import FoundationEssentials
import LayeredPrefs

/// Prints one JSON object per line.
struct JSONWatchPrinter: WatchPrinter {
    func print(_ change: WatchedChange, at time: Date) {
        Output.print(
            .object([
                ("time", .string(time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))),
                ("generation", .number("\(change.generation)")), ("key", .string(change.key)),
                ("old", hiding(change.old, change)), ("new", hiding(change.new, change)),
                ("layer", OrderedJSON(change.origin?.layer)), ("file", OrderedJSON(change.origin?.file)),
                ("cause", .string(change.cause.rawValue)),
            ]))
    }

    func print(_ diagnostic: PrefsDiagnostic) {
        Output.print(.object([("diagnostic", diagnostic.json)]))
    }

    func printReady(_ stack: Stack) { Output.print(.object([("ready", .bool(true))])) }

    private func hiding(_ value: PrefsValue?, _ change: WatchedChange) -> OrderedJSON {
        OrderedJSON(value.map { change.secrets.masking($0, at: PrefsPath(change.key)) })
    }
}

/// Prints one line per change, for people. Problems go to standard error.
struct TextWatchPrinter: WatchPrinter {
    func print(_ change: WatchedChange, at time: Date) {
        let style = Style.output
        let clock = time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        let (old, new) = (change.shown(change.old) ?? "none", change.shown(change.new) ?? "none")
        let values: TerminalText = "\(old) → \(style(new, .green))"
        let restart = change.needsRestart ? " (takes effect after a restart)" : ""
        let place = change.origin.map(\.place) ?? (change.new == nil ? "not set" : "default")
        Output.print(
            "\(style(clock, .dim)) \(style(change.key, .bold)): \(values) \(style("(\(place))", .dim))\(restart)"
        )
    }

    func print(_ diagnostic: PrefsDiagnostic) { Output.complain("prefs: \(diagnostic)") }

    func printReady(_ stack: Stack) {
        let count = stack.watcher.status.paths.count
        Output.complain("prefs: watching \(count) paths; press ^C to stop")
    }
}

extension PrefsDiagnostic {
    var json: OrderedJSON {
        let place = error.origin.fileMembers
        return .object(
            [("severity", .string(severity.rawValue)), ("code", .string(error.code.description))]
                + [("key", OrderedJSON(error.key))] + place + [("message", .string("\(error)"))])
    }
}
