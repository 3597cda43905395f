import ArgumentParser
import LayeredPrefs

/// The command `prefs explain KEY`.
struct ExplainCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "explain", abstract: "Explain where the effective value of a key comes from.",
            discussion: """
                Prints the value of each layer, highest first, with file and line, and marks it as effective, \
                shadowed, rejected or locked out. Secrets are hidden.
                """)
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @Argument(help: "A key, or a prefix of several keys.")
    var key: String

    @Option(help: "Ask this running process, as listed by 'ps', instead of reading the layers.")
    var pid: CInt?

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        try running {
            if let process = try LiveProcess.selected(pid, domain: layers.domain ?? Source.domain) {
                return try process.printExplanation(of: key, json: json)
            }
            let stack = try layers.request.open()
            let explanations = stack.explanations(of: key)
            if json {
                let lines = explanations.map { $0.json }
                if let line = lines.first, lines.count == 1 {
                    Output.print(line.text)
                } else {
                    Output.print(lines)
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
    /// Returns the explanation of a key, or those of all keys declared below a name.
    func explanations(of name: String) -> [KeyExplanation] {
        let snapshot = storage.snapshot
        if let key = declared?[name] ?? declared?.renamed(name) {
            return [KeyExplanation(key, snapshot, self)]
        }
        if let declared, declared.isGroup(name) {
            return declared.below(name).map { KeyExplanation($0, snapshot, self) }
        }
        return [KeyExplanation(name, snapshot, self)]
    }
}
