import ArgumentParser
import LayeredPrefs

/// `prefs export [PREFIX]`.
struct ExportCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "export", abstract: "Write the values in force, or one layer's, as a file.",
            discussion:
                "Secrets are left out unless --reveal asks for them. Declared defaults are left out too.")
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @Argument(help: "Only the keys beneath this name.")
    var prefix = ""

    @Option(name: .customLong("format"), help: "The format; by default that of the output's name, else xml.")
    var format: FormatName?

    @Option(name: .shortAndLong, help: "The file to write; standard output by default.", completion: .file())
    var output: String?

    @Flag(help: "Write secrets too.")
    var reveal = false

    // Every command has it; here it is a format.
    @Flag(help: "Write JSON: the same as --format json.")
    var json = false

    func run() throws {
        try running {
            let stack = try layers.request.open()
            let answers = stack.answers(under: prefix, in: stack.contents)
            var content = PrefsValue.dictionary([:])
            for answer in answers where answer.origin != nil {
                guard let value = answer.value else { continue }
                guard reveal || !answer.isSecret else {
                    Output.complain(
                        "prefs: warning: \(answer.key) is a secret and left out; --reveal writes it")
                    continue
                }
                content.insert(value, beneath: DottedName.components(answer.key)[...])
            }
            let format = format ?? (json ? .json : FormatName(path: output))
            try format.write(content.dictionary ?? [:], to: output)
            try stack.checkSoundness()
        }
    }
}
