import ArgumentParser
import LayeredPrefs
import LayeredPrefsInspection

/// The command `prefs import FILE`.
struct ImportCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "import", abstract: "Store all values of a file in one layer, as one change.",
            discussion: Source.help(
                "import settings.plist @",
                text: """
                    Keeps the layer's other keys unless --replace is given. If the program's keys are \
                    known, a file with an unknown key, wrong type or value out of range is rejected as a \
                    whole; so is a file that sets a key locked by a lower layer. Warns if a running process of the \
                    domain rejects the change; with --wait, that is an error.
                    """))
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @OptionGroup(title: "Layers") var newFile: NewFileOptions

    @Argument(
        help: "The \(FormatName.kinds) file to import, or - for standard input.",
        completion: .file(extensions: PrefsFileFormat.extensions))
    var file: String

    @Option(
        name: .long, help: ArgumentHelp("The layer to write to (default: user).", valueName: "layer"),
        completion: .writableLayers)
    var to: String?

    @Flag(help: "Remove the keys of the layer that are not in the file.")
    var replace = false

    @Flag(help: "Store keys even if the program does not declare them.")
    var allowUnknown = false

    @OptionGroup var waiting: WaitOptions

    @OptionGroup var output: OutputOptions

    func run() throws {
        try running {
            let stack = try layers.request(creating: newFile).openToWrite(to)
            let layer = try stack.writtenLayer(to)
            try check(stack.declared)
            let content = typed(try PrefsFile.content(of: file), stack.declared).filter { key, value in
                // Importing an empty dictionary removes nothing from a dictionary that the layer has.
                replace || value != [:] || layer.storage.snapshot[key]?.kind != .dictionary
            }
            let removed = replace ? obsolete(content, in: layer) : []
            let old = (content.map(\.key) + removed).map { stack.stored($0, in: layer) }
            let before = try waiting.contents(of: stack.path(of: layer))
            let report = try stack.storage.transaction { transaction in
                for key in removed { transaction.setValue(nil, forKey: key, in: layer.name) }
                for (key, value) in content { transaction.setValue(value, forKey: key, in: layer.name) }
            }
            let file = try? stack.file(of: layer)
            let change = try file.map {
                try FileChange(
                    of: $0, writing: content.map { ($0, $1) } + removed.map { ($0, nil) }, since: before)
            }
            let results = Array(report.results.suffix(content.count)) + report.results.prefix(removed.count)
            printOutcomes(zip(content.map(\.key) + removed, zip(results, old)), layer, stack)
            stack.warnIfPrivate(file, of: content.map(\.key), in: layer)
            try waiting.finish(change, in: stack)
        }
    }

    private func printOutcomes(
        _ results: some Sequence<(String, (Result<PrefsWriteOutcome, PrefsError>, PrefsValue?))>,
        _ layer: PrefsLayer, _ stack: Stack
    ) {
        var lines: [OrderedJSON] = []
        for (key, (result, old)) in results {
            guard case .success(let outcome) = result else { continue }
            let value = stack.stored(key, in: layer)
            if value != nil { stack.warnIfIneffective(outcome, of: key, in: layer) }
            lines.append(
                .object([("key", .string(key)), ("changed", .bool(value != old))] + outcome.members))
        }
        if output.json { Output.print(lines) }
    }

    /// Returns the file's values by name. Declared types that JSON cannot express are restored.
    private func typed(
        _ content: [String: PrefsValue], _ declared: DeclaredKeys?
    ) -> [(key: String, value: PrefsValue)] {
        let snapshot = PrefsSnapshot(content)
        return content.leaves.sorted().compactMap { name in
            snapshot[name].map { (name, declared?[name]?.valueSpelledInJSON($0) ?? $0) }
        }
    }

    private func check(_ declared: DeclaredKeys?) throws {
        guard declared != nil else { return }
        var check = FileCheck(
            path: file, declared: declared, allowsUnknown: allowUnknown,
            acceptsText: FormatName(path: file).spellsTypesAsText)
        check.run(isRequired: true)
        for finding in check.findings { Output.complain("prefs: \(finding.line())") }
        if let failure = check.failure { throw failure }
        if check.hasErrors { throw CommandStatus.failed }
    }

    private func obsolete(_ content: [(key: String, value: PrefsValue)], in layer: PrefsLayer) -> [String] {
        let kept = Set(content.map(\.key))
        return layer.storage.snapshot.dictionary.leaves.filter { !kept.contains($0) }.sorted()
    }
}
