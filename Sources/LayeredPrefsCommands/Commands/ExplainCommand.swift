import ArgumentParser
import LayeredPrefs
import LayeredPrefsInspection

/// The command `prefs explain KEY`.
struct ExplainCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "explain", abstract: "Explain where the effective value of a key comes from.",
            discussion: Source.help(
                "explain http.port @", "explain http.port --pid 4711",
                text: """
                    Prints the value of each layer, highest first, with file and line, and marks it as \
                    effective, shadowed, rejected or locked out. Secrets are hidden. If the only running \
                    process of the domain uses another value or has rejected a file, says so.

                    With --if, explains the key as it would be after an edit, with a drop-in or with a \
                    lock. Exits with 3 if a value of that edit or drop-in would be rejected or locked out.
                    """))
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @OptionGroup(title: "Layers") var newFile: NewFileOptions

    @Argument(help: "A key, or a prefix of several keys.", completion: .keys(of: Source.self))
    var key: String

    @OptionGroup var live: LiveOptions

    @OptionGroup var supposing: SuppositionOptions

    @OptionGroup var output: OutputOptions

    func run() throws {
        try running {
            if let process = try live.process(domain: layers.domain ?? Source.domain) {
                return try process.printExplanation(of: key, json: output.json)
            }
            let suppositions = supposing.suppositions
            let stack = try layers.request(creating: newFile).open(supposing: suppositions)
            let explanations = stack.explanations(of: key)
            if output.json, explanations.count == 1 {
                Output.print(explanations[0].json)
            } else if output.json {
                Output.print(explanations.map { $0.json })
            } else {
                for (index, explanation) in explanations.enumerated() {
                    if index > 0 { Output.print("") }
                    explanation.print(.output)
                    stack.printProcess(about: explanation, .output)
                }
            }
            try stack.checkSoundness()
            let paths = suppositions.files
            if explanations.contains(where: { $0.explanation.rows.contains { $0.isRejected(of: paths) } }) {
                throw CommandStatus.rejected
            }
            if explanations.isEmpty || explanations.allSatisfy(\.isNothing) {
                throw CommandFailure.noSuchKey(key, nearest: stack.nearest(to: key))
            }
        }
    }
}

extension Stack {
    /// Prints how the running processes of the domain differ from an explanation.
    fileprivate func printProcess(about explanation: KeyExplanation, _ style: Style) {
        let report = report(for: explanation.explanation.key, in: storage.snapshot)
        for line in processLines(about: report) { Output.print("  \(style(line, .red))") }
    }

    /// Returns the explanation of a key, or of every key that is declared below a name.
    func explanations(of name: String) -> [KeyExplanation] {
        let snapshot = storage.snapshot
        let key = declared?[name] ?? declared?.renamed(name)
        if key == nil, let declared, declared.isGroup(name) {
            return declared.below(name).map { KeyExplanation($0.name, snapshot, self) }
        }
        return [KeyExplanation(key?.name ?? name, snapshot, self)]
    }
}
