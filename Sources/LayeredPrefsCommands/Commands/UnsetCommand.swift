import ArgumentParser
import LayeredPrefs
import LayeredPrefsInspection

/// The command `prefs unset KEY`.
struct UnsetCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "unset", abstract: "Remove a key from one layer.",
            discussion: Source.help(
                "unset log.level @",
                text: """
                    The next lower value takes its place. Exits with 1 if the key is not set in the layer. \
                    With --absent-ok, that is a success; an unknown key is still an error. \
                    With --pid, removes the key from the layer 'overrides' of a running process.
                    """)
        )
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @Argument(help: "A key, or a prefix of several keys.", completion: .keys(of: Source.self))
    var key: String

    @Option(
        name: .long,
        help: ArgumentHelp("The layer to remove the key from (default: user).", valueName: "layer"),
        completion: .writableLayers)
    var to: String?

    @Flag(help: "Exit with 0 if the key is not set in the layer.")
    var absentOk = false

    @OptionGroup var live: LiveOptions

    @OptionGroup var waiting: WaitOptions

    @OptionGroup var output: OutputOptions

    func validate() throws { try live.reject("--wait", if: waiting.isWaiting) }

    func run() throws {
        try running {
            if let process = try live.process(domain: layers.domain ?? Source.domain) {
                return try process.override(key, with: nil, to: to)
            }
            let stack = try layers.request.openToWrite(to)
            let layer = try stack.writtenLayer(to)
            let (file, snapshot) = (stack.path(of: layer), layer.storage.snapshot)
            let names = stack.declared?[key]?.namesToRemove(in: snapshot) ?? [key]
            let isRemovable = { (candidate: PrefsCandidate) in file == nil || candidate.origin.file == file }
            let present = names.filter { snapshot.candidates(forKey: $0).contains(where: isRemovable) }
            let other = names.flatMap { snapshot.candidates(forKey: $0) }.first { !isRemovable($0) }?.origin
                .place
            if present.isEmpty, let problem = layer.storage.status.compactMap(\.problem).first {
                throw problem
            }
            guard !present.isEmpty else {
                if absentOk, other == nil {
                    try stack.checkDeclaration(of: key)
                    if output.json { printRemoval(stack, layer, isChanged: false) }
                    return
                }
                if let file, let other {
                    throw CommandFailure.failed(
                        "\(key): not set in \(file), so nothing was removed; it is set in \(other)")
                }
                throw CommandFailure.noSuchKey(key, "not set in \(layer.name)", nearest: nearest(in: layer))
            }
            if !layer.storage.isWritable, let origin = snapshot.candidates(forKey: present[0]).first?.origin {
                throw CommandFailure.rejected(
                    "\(key): set by \(origin.place), which no command changes; remove it where the program is started"
                )
            }
            func remove(_ names: [String]) throws {
                try stack.storage.transaction { transaction in
                    for name in names { transaction.removeValue(forKey: name, in: layer.name) }
                }
            }
            let before = try waiting.contents(of: file)
            try remove(present)
            // Removing `http` does not remove a key that the file spells with dots, such as `http.port`.
            let rest = layer.storage.snapshot
            let literal = rest.dictionary.leaves.filter { leaf in
                present.contains(where: leaf.isBelow)
                    && rest.candidates(forKey: leaf).contains(where: isRemovable)
            }
            if !literal.isEmpty { try remove(literal) }
            let change = try file.map {
                try FileChange(of: $0, writing: names.map { ($0, nil) }, since: before)
            }
            if output.json { printRemoval(stack, layer, isChanged: true) }
            if let file, let other { Output.warn("\(key): removed from \(file), but still set in \(other)") }
            try waiting.finish(change, in: stack)
        }
    }

    private func nearest(in layer: PrefsLayer) -> String? {
        SpellingSuggestion.nearest(to: key, among: layer.storage.snapshot.dictionary.leaves)
    }

    private func printRemoval(_ stack: Stack, _ layer: PrefsLayer, isChanged: Bool) {
        let report = stack.report(for: key, in: stack.storage.snapshot)
        let value = report.value.map { report.secrets.masking($0, at: PrefsPath(key)) }
        Output.print(
            .object([
                ("key", .string(key)), ("removedFrom", .string(layer.name.description)),
                ("file", OrderedJSON(try? stack.file(of: layer))), ("value", OrderedJSON(value)),
                ("layer", OrderedJSON(report.origin?.layer)), ("changed", .bool(isChanged)),
            ]))
    }
}
