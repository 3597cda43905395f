import ArgumentParser
import LayeredPrefs

/// `prefs explain KEY`.
struct ExplainCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "explain", abstract: "Say why a key's value is what it is.",
            discussion: """
                Every layer's value, from the highest to the lowest, with file and line: which one is in force, \
                which are shadowed, refused or locked out. Secrets are hidden.
                """)
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @Argument(help: "The key, or the name above several.")
    var key: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        try running {
            let stack = try layers.request.open()
            let explanations = stack.explanations(of: key)
            if json {
                let lines = explanations.map { $0.json }
                if let line = lines.first, lines.count == 1 {
                    Output.print(line.text)
                } else {
                    JSONLine.printList(lines)
                }
            } else {
                for (index, explanation) in explanations.enumerated() {
                    if index > 0 { Output.print("") }
                    explanation.print(.output)
                }
            }
            try stack.checkSoundness()
            if explanations.isEmpty || explanations.allSatisfy(\.isNothing) {
                throw CommandFailure.noSuchKey(key, nearest: stack.nearest(to: key))
            }
        }
    }
}

extension Stack {
    /// The explanations of a key, or of all that are declared beneath a name.
    func explanations(of name: String) -> [KeyExplanation] {
        let snapshot = storage.snapshot
        if let key = declared?[name] ?? declared?.renamed(name) {
            return [KeyExplanation(key, snapshot, self)]
        }
        if let declared, declared.isGroup(name) {
            return declared.beneath(name).map { KeyExplanation($0, snapshot, self) }
        }
        return [KeyExplanation(name, snapshot, self)]
    }
}
