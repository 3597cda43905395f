import ArgumentParser
import LayeredPrefs

/// `prefs get KEY`.
struct GetCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "get", abstract: "Print the value in force for a key.",
            discussion: """
                Prints the value alone, as 'set' takes it. Ends with 1 where the key is set nowhere and has no \
                default, and with 4 where a file of the layers is broken; what the others say is printed then.
                """)
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @Argument(help: "The key: a name or dotted path.")
    var key: String

    @Option(help: "Convert to this type, or fail.")
    var type: ValueType?

    @Option(name: .customLong("default"), help: "Print this where the key is set nowhere.")
    var fallback: String?

    @Flag(help: "Print the value of a secret too.")
    var reveal = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let reading = GetReading(
            layers: layers.request, key: key, type: type, fallback: fallback, isRevealing: reveal,
            isJSON: json)
        try reading.run()
    }
}
