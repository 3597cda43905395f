import ArgumentParser
import LayeredPrefs

import PrefsSystem

/// `prefs edit`.
struct EditCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "edit", abstract: "Edit a layer's file with $VISUAL or $EDITOR, and check it.",
            discussion: """
                The editor gets a copy, which replaces the file once it is right. Where it is not, a person is \
                asked whether to edit again; otherwise the copy is kept, and the command says where and ends \
                with 4. A binary file is edited as XML.
                """)
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @Option(name: .long, help: ArgumentHelp("The layer to edit; 'user' by default.", valueName: "layer"))
    var to: String?

    @Flag(help: "Accept keys that the program does not declare.")
    var allowUnknown = false

    // Every command has it.
    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        try running {
            // A broken file is what one edits.
            let stack = try layers.request.open(writing: to, diagnostics: .silent)
            let layer = try stack.writtenLayer(to)
            let path = try stack.file(of: layer)
            let edit = FileEdit(path: path, layer: layer.name, stack: stack, allowsUnknown: allowUnknown)
            let isChanged = try edit.run()
            if json {
                let members: [(String, JSONLine)] = [("file", .string(path)), ("changed", .bool(isChanged))]
                Output.print(JSONLine.object(members).text)
            } else if !isChanged {
                Output.complain("prefs: \(path) stays as it was")
            }
        }
    }
}
