import ArgumentParser
import LayeredPrefs

/// The command `prefs convert [FILE]`.
struct ConvertCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "convert",
            abstract: "Convert a file to another format: XML or binary \(FormatName.kinds).",
            discussion: Source.help(
                "convert --to toml", "convert old.plist --to xml --in-place",
                text: """
                    Writes a given file to standard output unless --output or --in-place is given. Without a file, \
                    converts that of a layer: the new file takes the place of the old one, which is kept with .bak \
                    added to its name, or .bak.1 and so on if that exists. Running programs see one change at \
                    most. If it is cut off, run it again.

                    Comments are kept where both formats have them; JSON and binary files have none.
                    """))
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @Argument(
        help: "The file to read; its format is detected. By default that of the layer.",
        completion: .file(extensions: PrefsFileFormat.extensions))
    var file: String?

    @Option(name: .customLong("to"), help: "The format to write.")
    var format: FormatName?

    // Every command has --json; here it selects the format.
    @Flag(help: "Write JSON; same as --to json.")
    var json = false

    @Option(name: .long, help: ArgumentHelp("The layer to convert (default: user).", valueName: "layer"))
    var of: String?

    @Option(name: .shortAndLong, help: "The file to write.", completion: .file())
    var output: String?

    @Flag(help: "Replace the input file; if the format has another extension, by a file with that extension.")
    var inPlace = false

    func validate() throws {
        if format == nil, !json { throw ValidationError("Missing expected argument '--to <to>'") }
        if inPlace, output != nil { throw ValidationError("--output and --in-place cannot be combined") }
        if file == nil, output != nil || inPlace {
            throw ValidationError("--output and --in-place need a file")
        }
        try (format ?? .json).checkName(output)
        if file != nil, of != nil { throw ValidationError("a file and --of cannot be combined") }
    }

    func run() throws {
        try running {
            let format = format ?? .json
            guard let file else { return try convertLayer(to: format) }
            guard inPlace else {
                return try format.write(converting: try PrefsFile.document(of: file), to: output)
            }
            try FileConversion(format: format).replace(file)
        }
    }

    private func convertLayer(to format: FormatName) throws {
        // Silent, because two formats of one name may be the trace of a conversion that was cut off.
        let stack = try layers.request.openToWrite(of, option: "--of", diagnostics: .silent)
        let layer = try stack.writtenLayer(of)
        guard let path = stack.path(of: layer) else { throw stack.hasNoFile(layer) }
        try layer.checkNewFile()
        var conversion = FileConversion(format: format)
        if layer.name == .system { conversion.options.creationMode = 0o644 }
        try conversion.replace(path)
    }
}

/// A preferences file that the command line names.
enum PrefsFile {
    /// Returns the contents of a file, by default in the format that is detected.
    static func document(
        of path: String, as format: PrefsFileFormat? = nil
    ) throws(PrefsError) -> PrefsDocument {
        guard let (bytes, _) = try PrefsFileReader.read(path) else {
            throw PrefsError(.missing, origin: PrefsOrigin(file: path), reason: "no such file")
        }
        return try PrefsDocument(parsing: bytes, as: format, path: path)
    }

    static func content(of path: String) throws(PrefsError) -> [String: PrefsValue] {
        try document(of: path).content
    }
}
