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
                    Writes the converted file to standard output unless --output or --in-place is given. Without a \
                    file, converts the file of a layer: the new file replaces the old one, and the old one is kept \
                    with .bak added to its name, or .bak.1 and so on if that exists. Running programs see at most \
                    one change. If the command is interrupted, run it again.

                    Comments are kept where both formats have them; JSON and binary files have none.
                    """))
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @Argument(
        help:
            "The file to read, or - for standard input; its format is detected (default: the layer's file).",
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

    @Flag(
        help:
            "Replace the input file. If the new format has another extension, the new file has that extension."
    )
    var inPlace = false

    func validate() throws {
        if format == nil, !json { throw ValidationError("Missing expected argument '--to <to>'") }
        if inPlace, output != nil { throw ValidationError("--output and --in-place cannot be combined") }
        if file == nil, output != nil || inPlace {
            throw ValidationError("--output and --in-place need a file")
        }
        if file == "-", inPlace { throw ValidationError("--in-place needs a file, not standard input") }
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
        // Silent, because an interrupted conversion may have left the file in two formats.
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
    /// Returns the contents of a file. Without a format, the format is detected.
    static func document(
        of path: String, as format: PrefsFileFormat? = nil
    ) throws(PrefsError) -> PrefsDocument {
        guard let bytes = try bytes(of: path) else {
            throw PrefsError(.missing, origin: PrefsOrigin(file: path), reason: "no such file")
        }
        if path == "-", bytes.isEmpty { throw noInput }
        let name = path == "-" ? "standard input" : path
        return try PrefsDocument(parsing: bytes, as: format ?? Self.format(of: bytes, path), path: name)
    }

    /// Returns the bytes of a file, or of standard input for `-`; `nil` if there is no file.
    private static func bytes(of path: String) throws(PrefsError) -> [UInt8]? {
        if path == "-" { return try standardInput.get() }
        return try PrefsFileReader.read(path)?.bytes
    }

    /// The error for empty standard input. It is empty if, for example, the first command of a pipe failed.
    private static var noInput: PrefsError {
        PrefsError(
            .syntax, origin: PrefsOrigin(file: "standard input"),
            reason:
                "nothing to read; expected the text of a \(FormatName.kinds) file, as from '< FILE' or 'COMMAND |'"
        )
    }

    /// Read once and kept, because a command may check the input before it uses it.
    private static let standardInput = Result<[UInt8], PrefsError> { () throws(PrefsError) -> [UInt8] in
        do { return try SecretInput.bytes() } catch {
            throw PrefsError(.unreadable, origin: PrefsOrigin(file: "standard input"), reason: "\(error)")
        }
    }

    /// Guesses the format of a text if its name does not tell the format. Standard input that begins with a brace
    /// is JSON. Text that begins like no other format is TOML. Returns `nil` to leave the choice to the parser.
    private static func format(of bytes: [UInt8], _ path: String) -> PrefsFileFormat? {
        let start = bytes.drop { " \t\r\n\u{FEFF}".utf8.contains($0) }
        guard PrefsFileFormat.named(by: path) == nil, let first = start.first,
            !start.starts(with: "bplist".utf8)
        else { return nil }
        if first == UInt8(ascii: "{") { return path == "-" ? .json : nil }
        return first == UInt8(ascii: "<") || bytes.contains(0) ? nil : .toml
    }

    static func content(of path: String) throws(PrefsError) -> [String: PrefsValue] {
        try document(of: path).content
    }
}
