import ArgumentParser
import LayeredPrefs

/// The command `prefs watch [KEY…]`.
struct WatchCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "watch",
            abstract: "Print every change of an effective value as it happens, until interrupted.",
            discussion: Source.help(
                "watch @", "watch log.level @ --json",
                text: """
                    On a terminal, shows a live table of all keys in which changed rows are marked; 'q' \
                    quits, the arrow keys scroll. With --lines, --json or another output, prints lines.

                    Prints one line per change: the old value, the new value and the origin of the new \
                    value. An edit that does not change an effective value prints nothing.

                    With --json, prints one object per line: {"ready": true} once every path is watched; \
                    time, generation, key, old, new, layer, file and cause for each change, where "new" is \
                    null if the key was removed; and {"diagnostic": ...} for broken files and recoveries. \
                    With --pid, "old" and "new" are values in words, and "origin" stands for layer and file. \
                    SIGINT (^C), SIGTERM and the end of the program that reads its output end the command with exit \
                    code 0. It exits with 3 if it cannot write its output.
                    """))
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @Argument(help: "Watch only these keys and the keys below them.", completion: .keys(of: Source.self))
    var keys: [String] = []

    @Flag(help: "Print lines on a terminal, too.")
    var lines = false

    @Flag(help: "Print the current values first.")
    var initial = false

    @Flag(name: .showSecrets, help: "Print the values of secrets.")
    var reveal = false

    @OptionGroup var live: LiveOptions

    @Flag(help: "Print JSON, one object per line.")
    var json = false

    func validate() throws { try live.reject("--initial", if: initial) }

    func run() throws {
        try running {
            if let process = try live.process(domain: layers.domain ?? Source.domain) {
                if showsTable { return try process.showTable(of: keys) }
                return try process.printChanges(of: keys, json: json)
            }
            if showsTable {
                let end = EndSignal(includesHangUp: true)
                let table = LiveTable(
                    title: "\(layers.domain ?? "prefs") · effective values")
                let feed = WatchFeed(table, isRevealing: reveal, ending: end.trigger)
                var stop: (() -> Void)?
                try table.run(until: end) { stop = try start(feed, initial: true) }
                stop?()
                return
            }
            let end = EndSignal()
            end.includeClosedOutput()
            let printer: any WatchPrinter = json ? JSONWatchPrinter() : TextWatchPrinter()
            let feed = WatchFeed(printer, isRevealing: reveal, ending: end.trigger)
            let stop = try start(feed, initial: initial)
            end.wait()
            stop()
        }
    }

    private var showsTable: Bool { !json && !lines && TerminalScreen.isAvailable }

    /// Opens the layers and observes their changes until the returned closure is called.
    private func start(_ feed: WatchFeed, initial isInitial: Bool) throws -> () -> Void {
        let diagnostics = PrefsDiagnosticHandler()
        let subscription = diagnostics.subscribe { feed.print($0) }
        let stack = try layers.request.open(isWatching: true, diagnostics: diagnostics)
        let observations = feed.start(stack, WatchedKeys(keys, stack), initial: isInitial) + [subscription]
        return { withExtendedLifetime(stack) { observations.forEach { $0.cancel() } } }
    }
}
