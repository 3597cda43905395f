import ArgumentParser
import LayeredPrefs

/// Which layers a command is about.
struct LayerOptions<Source: PrefsCommandSource>: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The program's name in reverse-DNS form; its files are in the standard places.",
            valueName: "domain", visibility: Source.domain == nil ? .default : .hidden))
    var domain: String?

    @Option(
        name: .customLong("layer"),
        help: ArgumentHelp(
            "A layer of its own, low to high, in a file; or, without a path, the one layer to read.",
            valueName: "name=path"),
        completion: .file(extensions: ["plist", "json"]), transform: LayerArgument.layer)
    var layers: [LayerArgument] = []

    @Option(
        name: .customLong("env"),
        help: ArgumentHelp(
            "A layer of the environment variables that begin with a prefix.", valueName: "prefix"),
        transform: LayerArgument.variables)
    var variables: [LayerArgument] = []

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("A layer of settings given here.", valueName: "key=value"),
        transform: LayerArgument.setting)
    var settings: [LayerArgument] = []

    @Option(
        name: .long,
        help: ArgumentHelp("The exported JSON Schema of the program's keys.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var schema: String?
}

extension LayerOptions {
    /// The layers as the command line has them.
    var request: LayerRequest<Source> {
        LayerRequest(domain: domain, arguments: layers + variables + settings, schema: schema)
    }
}
