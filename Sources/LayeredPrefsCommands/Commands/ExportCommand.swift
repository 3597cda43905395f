import ArgumentParser
import LayeredPrefs
import PrefsSystem

/// The command `prefs export [PREFIX]`.
struct ExportCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "export", abstract: "Write the effective values, or those of one layer, to a file.",
            discussion: Source.help(
                "export @ --layer user -o mine.toml", "export @ -o all.toml", "export http @ --json",
                text: """
                    Without --layer, the values of the administrator and of the package are among those written; \
                    after an import they would be the user's own. Omits secrets unless --show-secrets is given, \
                    and always omits declared defaults.
                    """))
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @Argument(help: "Export only this key and the keys below it.", completion: .keys(of: Source.self))
    var prefix = ""

    @Option(
        name: .customLong("format"), help: "The format (default: that of --output, else of the layers' file)."
    )
    var format: FormatName?

    @Option(name: .shortAndLong, help: "The file to write (default: standard output).", completion: .file())
    var output: String?

    @Flag(name: .showSecrets, help: "Include the values of secrets.")
    var reveal = false

    // Every command has --json; here it selects the format.
    @Flag(help: "Write JSON; same as --format json.")
    var json = false

    func validate() throws {
        if let format = format ?? (json ? .json : nil) { return try format.checkName(output) }
        guard let output, PrefsFileFormat.stem(of: output) == nil else { return }
        throw ValidationError(
            "--output \(output) does not name a format by its extension; --format does, for example --format toml"
        )
    }

    func run() throws {
        try running {
            let stack = try layers.request.open()
            try layers.request.checkFiles()
            var reports = stack.reports(under: prefix, in: stack.contents)
            if !reveal { for index in reports.indices { reports[index].removeSecrets() } }
            var content = PrefsValue.dictionary([:])
            for report in reports where report.origin != nil {
                guard reveal || !report.isSecret || report.value == nil else {
                    Output.warn("\(report.key): secret omitted; use --show-secrets to include it")
                    continue
                }
                guard let value = report.value else { continue }
                content.insert(value, at: PrefsPath(report.key).components[...])
            }
            let format = format ?? (json ? .json : FormatName(path: output ?? stack.exportedFile))
            try format.write(content.dictionary ?? [:], to: output)
            try stack.checkSoundness()
            if reports.isEmpty, !prefix.isEmpty {
                throw CommandFailure.noSuchKey(prefix, nearest: stack.nearest(to: prefix))
            }
        }
    }
}

extension Stack {
    /// The file that gives an export its format: the selected layer's file, otherwise the highest file that
    /// exists.
    fileprivate var exportedFile: String? {
        let layers = selection.flatMap(storage.layer).map { [$0] } ?? storage.layers.reversed()
        return layers.lazy.compactMap(path).first { fileStatus(of: $0) != nil }
    }
}
