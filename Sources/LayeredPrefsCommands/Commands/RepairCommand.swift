import ArgumentParser
import LayeredPrefs

/// The command `prefs repair`.
struct RepairCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "repair",
            abstract: "Put a layer's broken file aside, so that settings can be saved again.",
            discussion: Source.help(
                "repair @",
                text: """
                    Renames the file, if it cannot be parsed, to NAME.broken, or to NAME.broken.1 and so on if \
                    that exists. The layer is empty then, and the next 'set' creates a new file. To keep what the \
                    file contains, fix it with 'edit' instead.

                    Exits with 1 if the file is not broken, and with 3 if the file or its folder is read-only.
                    """))
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @Option(
        name: .long, help: ArgumentHelp("The layer to repair (default: user).", valueName: "layer"),
        completion: .writableLayers)
    var to: String?

    // Every command has --json.
    @OptionGroup var output: OutputOptions

    func run() throws {
        try running {
            // Silent, because users run this command to fix exactly these problems.
            let stack = try layers.request.openToWrite(to, diagnostics: .silent)
            let layer = try stack.writtenLayer(to)
            let path = try stack.file(of: layer)
            let kept = try stack.storage.repair(in: layer.name)
            if output.json {
                Output.print(.object([("file", .string(path)), ("kept", .string(kept))]))
            } else {
                Output.print("\(path) was broken, and is now \(kept)")
            }
        }
    }
}
