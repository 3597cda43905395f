import ArgumentParser
import LayeredPrefs

import PrefsSystem

/// The command `prefs edit`.
struct EditCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "edit",
            abstract: "Edit a layer's file with $VISUAL or $EDITOR and check the result.",
            discussion: Source.help(
                "edit @", "edit --to system @",
                text: """
                    Opens a copy in the editor and replaces the file once the copy is valid. If it is not, \
                    asks on a terminal whether to edit again; otherwise keeps the edited text in one file, \
                    prints its path and exits with 4. Exits with 3 if the edit changes a locked key, or if another process \
                    changed the file meanwhile. A binary file is edited as XML.
                    """))
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @OptionGroup(title: "Layers") var newFile: NewFileOptions

    @Option(name: .long, help: ArgumentHelp("The layer to edit (default: user).", valueName: "layer"))
    var to: String?

    @Flag(help: "Accept keys that the program does not declare.")
    var allowUnknown = false

    @OptionGroup var waiting: WaitOptions

    // Every command has --json.
    @OptionGroup var output: OutputOptions

    func run() throws {
        try running {
            // Silent, because users edit a file in order to repair it.
            let stack = try layers.request(creating: newFile).openToWrite(to, diagnostics: .silent)
            let layer = try stack.writtenLayer(to)
            let path = try stack.file(of: layer)
            try layer.checkNewFile()
            let edit = FileEdit(path: path, layer: layer.name, stack: stack, allowsUnknown: allowUnknown)
            let change = try edit.run().map { FileChange(of: path, replacing: $0) }
            let isChanged = change != nil
            if output.json {
                Output.print(.object([("file", .string(path)), ("changed", .bool(isChanged))]))
            } else if !isChanged {
                Output.complain("prefs: \(path) is unchanged")
            }
            if isChanged { stack.storage.reload() }
            try waiting.finish(change, in: stack)
        }
    }
}
