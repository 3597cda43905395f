import ArgumentParser
import LayeredPrefs

/// The command `prefs convert FILE`.
struct ConvertCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "convert",
            abstract: "Convert a file to another format: XML or binary property list, JSON, or TOML.",
            discussion: Source.help(
                "convert settings.json --to toml", "convert old.plist --to xml --in-place",
                text: "Writes to standard output unless --output or --in-place is given."))
    }

    @Argument(
        help: "The file to read; its format is detected.",
        completion: .file(extensions: ["plist", "json", "toml"]))
    var file: String

    @Option(name: .customLong("to"), help: "The format to write.")
    var format: FormatName?

    // Every command has --json; here it selects the format.
    @Flag(help: "Write JSON; same as --to json.")
    var json = false

    @Option(name: .shortAndLong, help: "The file to write.", completion: .file())
    var output: String?

    @Flag(help: "Replace the input file.")
    var inPlace = false

    func validate() throws {
        if format == nil, !json { throw ValidationError("Missing expected argument '--to <to>'") }
        if inPlace, output != nil { throw ValidationError("--output and --in-place cannot be combined") }
    }

    func run() throws {
        try running {
            let content = try PrefsFile.content(of: file)
            try (format ?? .json).write(content, to: inPlace ? file : output)
        }
    }
}

/// A preferences file that the command line names.
enum PrefsFile {
    static func content(of path: String) throws(PrefsError) -> [String: PrefsValue] {
        guard let (bytes, _) = try PrefsFileReader.read(path) else {
            throw PrefsError(.missing, origin: PrefsOrigin(file: path), reason: "no such file")
        }
        return try PrefsDocument(parsing: bytes, path: path).content
    }
}
