import ArgumentParser
import LayeredPrefs

/// `prefs watch [KEY…]`.
struct WatchCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "watch",
            abstract: "Print every change of an effective value as it happens, until ^C.",
            discussion: """
                One line per change: old value, new value, and where the new one comes from. An edit that leaves \
                the value in force as it was is no change.

                With --json, one object per line: time, generation, key, old, new, layer, file, cause; then \
                {"ready": true} once every path is watched; {"diagnostic": ...} for broken files and \
                recoveries. A removed key has "new": null. ^C and SIGTERM end it with 0.
                """)
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @Argument(help: "Only these keys and what lies beneath them.")
    var keys: [String] = []

    @Flag(help: "Print the present values first.")
    var initial = false

    @Flag(help: "Print the values of secrets too.")
    var reveal = false

    @Flag(help: "Print JSON, one object per line.")
    var json = false

    func run() throws {
        try running {
            let end = EndSignal()
            let printer: any WatchPrinter =
                json ? JSONWatchPrinter(isRevealing: reveal) : TextWatchPrinter(isRevealing: reveal)
            let feed = WatchFeed(printer)
            let diagnostics = PrefsDiagnostics()
            let subscription = diagnostics.subscribe { feed.print($0) }
            let stack = try layers.request.open(isWatching: true, diagnostics: diagnostics)
            let observations = feed.start(stack, WatchedKeys(keys, stack), initial: initial)
            end.wait()
            for observation in observations + [subscription] { observation.cancel() }
        }
    }
}
