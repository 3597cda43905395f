import ArgumentParser
import LayeredPrefs

/// The command `prefs get KEY`.
struct GetCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "get", abstract: "Print the effective value of a key.",
            discussion: Source.help(
                "get http.port @", "get http.port --pid 4711",
                text: """
                    Prints only the value, in the form that 'set' accepts. Exits with 1 if the key is not \
                    set and has no default, with 3 if it is a secret and --show-secrets is not given, and with \
                    4 if a file is broken, after printing the value that the other layers yield. Warns if \
                    the only running process of the domain uses another value.
                    """))
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @Argument(help: "The key: a name or a dotted path.", completion: .keys(of: Source.self))
    var key: String

    @Option(help: "Convert the value to this type, or fail.", completion: ValueType.completion)
    var type: ValueType?

    @Option(name: .customLong("default"), help: "The text to print if the key is not set.")
    var fallback: String?

    @Flag(name: .showSecrets, help: "Print the value even if it is a secret.")
    var reveal = false

    @OptionGroup var live: LiveOptions

    @OptionGroup var output: OutputOptions

    func validate() throws {
        try live.reject("--type", if: type != nil)
        try live.reject("--default", if: fallback != nil)
    }

    func run() throws {
        if live.pid != nil || live.live {
            return try running {
                try live.process(domain: layers.domain ?? Source.domain)?.printValue(
                    of: key, json: output.json)
            }
        }
        let reading = GetRunner(
            layers: layers.request, key: key, type: type, fallback: fallback, isRevealing: reveal,
            isJSON: output.json)
        try reading.run()
    }
}
