import ArgumentParser
import LayeredPrefs

/// The options that select the layers of a command.
struct LayerOptions<Source: PrefsCommandSource>: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The program's domain, in reverse-DNS form; reads its standard layers.",
            valueName: "domain", visibility: Source.domain == nil ? .default : .hidden),
        completion: .domains)
    var domain: String?

    @Option(
        name: .customLong("layer"),
        help: ArgumentHelp(
            "Add the layer of a file, lowest first; without a path, read only the named layer.",
            valueName: "name=path"),
        completion: .file(extensions: PrefsFileFormat.extensions), transform: LayerArgument.layer)
    var layers: [LayerArgument] = []

    @Option(
        name: .customLong("env"),
        help: ArgumentHelp(
            "Add a layer of the environment variables with this prefix.", valueName: "prefix"),
        transform: LayerArgument.variables)
    var variables: [LayerArgument] = []

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("Add a layer with this setting.", valueName: "key=value"),
        transform: LayerArgument.setting)
    var settings: [LayerArgument] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The JSON Schema of the program's keys, as exported by the program.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var schema: String?
}

extension LayerOptions {
    /// The layers that the command line selects.
    var request: LayerRequest {
        LayerRequest(
            source: Source.self, domain: domain, arguments: layers + variables + settings, schema: schema)
    }
}

/// The option of the commands that may create a layer's file, or that name the file that a write would create.
struct NewFileOptions: ParsableArguments {
    @Option(
        name: .customLong("format"),
        help:
            "The format of the layer's file if there is none in any format (default: the program's, else xml)."
    )
    var format: FormatName?

    func validate() throws {
        guard format != .binary else {
            throw ValidationError(
                "--format binary: a new property list is XML; 'convert --to binary' converts it")
        }
    }
}

extension LayerOptions {
    /// Returns the layers that the command line selects, with the format for new files.
    func request(creating new: NewFileOptions) -> LayerRequest {
        var request = request
        request.newFormat = new.format?.format
        return request
    }
}
