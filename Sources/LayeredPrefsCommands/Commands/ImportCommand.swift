import ArgumentParser
import LayeredPrefs

/// `prefs import FILE`.
struct ImportCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "import", abstract: "Store all values of a file in one layer, as one change.",
            discussion: """
                What the layer has and the file does not stays, unless --replace. Where the program's keys are \
                known, a file with a wrong key, type or range is refused as a whole; so is one that sets a key \
                that is locked.
                """)
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @Argument(help: "A property list or JSON file.", completion: .file(extensions: ["plist", "json"]))
    var file: String

    @Option(name: .long, help: ArgumentHelp("The layer to write to; 'user' by default.", valueName: "layer"))
    var to: String?

    @Flag(help: "Remove what the layer has and the file does not.")
    var replace = false

    @Flag(help: "Store keys that the program does not declare too.")
    var allowUnknown = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        try running {
            let stack = try layers.request.open(writing: to)
            let layer = try stack.writtenLayer(to)
            try check(stack.declared)
            let content = typed(try PrefsFile.content(of: file), stack.declared)
            let report = try stack.storage.transaction { transaction in
                if replace {
                    for key in obsolete(content, in: layer) {
                        transaction.setPrefsValue(nil, forKey: key, in: layer.name)
                    }
                }
                for (key, value) in content { transaction.setPrefsValue(value, forKey: key, in: layer.name) }
            }
            tell(zip(content.map(\.key), report.results.suffix(content.count)), layer, stack)
        }
    }

    private func tell(
        _ results: some Sequence<(String, Result<PrefsWriteOutcome, PrefsError>)>, _ layer: PrefsLayer,
        _ stack: Stack
    ) {
        var lines: [JSONLine] = []
        for (key, result) in results {
            guard case .success(let outcome) = result else { continue }
            stack.tell(outcome, of: key, in: layer)
            lines.append(.object([("key", .string(key))] + outcome.members))
        }
        if json { JSONLine.printList(lines) }
    }

    /// The file's values by name, with the types that JSON could not spell.
    private func typed(
        _ content: [String: PrefsValue], _ declared: DeclaredKeys?
    ) -> [(key: String, value: PrefsValue)] {
        let tree = PrefsValue.dictionary(content)
        return content.leaves.sorted().compactMap { name in
            let value = content[name] ?? tree.value(beneath: DottedName.components(name)[...])
            return value.map { (name, declared?[name]?.valueSpelledInJSON($0) ?? $0) }
        }
    }

    private func check(_ declared: DeclaredKeys?) throws {
        guard declared != nil else { return }
        var check = FileCheck(
            file, declared, allowingUnknown: allowUnknown, acceptingText: file.hasSuffix(".json"))
        check.run(isRequired: true)
        for finding in check.findings { Output.complain("prefs: \(finding.line())") }
        if check.isBroken { throw CommandStatus.broken }
        if check.hasErrors { throw CommandStatus.failed }
    }

    private func obsolete(_ content: [(key: String, value: PrefsValue)], in layer: PrefsLayer) -> [String] {
        let kept = Set(content.map(\.key))
        return layer.storage.snapshot.dictionary.leaves.filter { !kept.contains($0) }.sorted()
    }
}
