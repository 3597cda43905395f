import ArgumentParser
import LayeredPrefs
import PrefsSystem

/// The command `prefs set KEY VALUE`.
struct SetCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "set", abstract: "Store a value in one layer.",
            usage: "\(Source.commandName) set <key> <value> [--to <layer>] [--type <type>] [<layers>]",
            discussion: Source.help(
                "set log.level debug @", "set http.port 81 --to system @",
                text: """
                    The type is that of --type, else the declared type of the key, else the type of the \
                    current value, else string, so that '1.10' stays '1.10'. Give arrays and dictionaries \
                    as JSON, data as base64 and dates in ISO 8601. A JSON object for a struct, or for a name \
                    above keys, sets what it names and leaves the rest. With '-', the value is read from \
                    standard input; a terminal does not show it, so use this for secrets. What follows '--' is \
                    stored unchanged.

                    Leaves the rest of the file unchanged. Warns if text that looks like another type is stored as a \
                    string, because nothing says which type the key has, if a higher layer shadows the value, and if \
                    a running process of the domain rejects it; with --wait, that is an error. Exits with 3 if a \
                    lower layer locks the key.

                    With --pid, sets the key in the memory of a running process, in its layer 'overrides', \
                    until it ends. Exits with 3 if the program does not permit that.
                    """))
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @OptionGroup(title: "Layers") var newFile: NewFileOptions

    @Argument(help: "The key: a name or a dotted path.", completion: .keys(of: Source.self))
    var key: String

    // Takes all unrecognized words, so that -5 is a value and not an option.
    @Argument(
        parsing: .allUnrecognized, help: "The value to store.", completion: .valuesOfKey(of: Source.self))
    var value: [String] = []

    @Option(
        name: .long, help: ArgumentHelp("The layer to write to (default: user).", valueName: "layer"),
        completion: .writableLayers)
    var to: String?

    @Option(help: "The type of the value.", completion: ValueType.completion)
    var type: ValueType?

    @Flag(help: "Store the key even if the program does not declare it.")
    var allowUnknown = false

    @OptionGroup var live: LiveOptions

    @OptionGroup var waiting: WaitOptions

    @OptionGroup var output: OutputOptions

    func validate() throws {
        try live.reject("--wait", if: waiting.isWaiting)
        let isOption = { (word: String) in word.hasPrefix("-") && word != "-" && Double(word) == nil }
        if let option = words.first(where: isOption), !isLiteral {
            // The word may be a secret value, so quote it only if it is certainly an option.
            throw ValidationError(
                option.hasPrefix("--")
                    ? "Unknown option '\(option)'"
                    : "Unknown option; put -- before a value that begins with a hyphen")
        }
        if words.isEmpty, key.contains("=") {
            throw ValidationError("The key and its value are two words: \(Source.commandName) set KEY VALUE")
        }
        guard words.count == 1 else {
            throw ValidationError(
                words.isEmpty
                    ? "Missing expected argument '<value>'"
                    : "Expected one value; quote values that contain spaces")
        }
    }

    func run() throws {
        try running {
            if let process = try live.process(domain: layers.domain ?? Source.domain) {
                return try process.override(key, with: try text(), to: to)
            }
            let stack = try layers.request(creating: newFile).openToWrite(to)
            let layer = try stack.writtenLayer(to)
            let text = try text()
            if type == nil,
                let values = try SectionText(key: key, text: text, allowsUnknown: allowUnknown)
                    .values(in: stack.declared)
            {
                return try store(values, in: layer, stack)
            }
            let stored = StoredText(key: key, text: text, type: type, allowsUnknown: allowUnknown)
            let declared = try stored.declaredKey(in: stack)
            let value = try stored.value(of: declared, in: layer, stack)
            let name = declared?.name ?? key
            let remark = stored.remark(on: value, in: layer, stack)
            let before = try waiting.contents(of: stack.path(of: layer))
            let old = stack.stored(name, in: layer)
            let outcome = try stack.storage.setValue(value, forKey: name, in: layer.name)
            let (secrets, file) = (stack.declared.secrets, try? stack.file(of: layer))
            let change = try file.map { try FileChange(of: $0, writing: [(name, value)], since: before) }
            let isChanged = stack.stored(name, in: layer) != old
            if output.json { Output.print(json(name, value, outcome, isChanged, layer, stack)) }
            stack.warnIfIneffective(outcome, of: key, in: layer)
            if let remark { Output.warn("\(remark)") }
            if secrets.covers(PrefsPath(name)) {
                warnOfReaders(file, stack, isSuspected: stack.declared == nil)
            }
            stack.warnIfPrivate(file, of: [name], in: layer)
            try waiting.finish(change, in: stack)
        }
    }

    /// Stores values of several keys as one change.
    private func store(
        _ values: [(key: String, value: PrefsValue)], in layer: PrefsLayer, _ stack: Stack
    ) throws {
        let before = try waiting.contents(of: stack.path(of: layer))
        let old = values.map { stack.stored($0.key, in: layer) }
        let report = try stack.storage.transaction { transaction in
            for (key, value) in values { transaction.setValue(value, forKey: key, in: layer.name) }
        }
        let file = try? stack.file(of: layer)
        let change = try file.map {
            try FileChange(of: $0, writing: values.map { ($0, $1) }, since: before)
        }
        var lines: [OrderedJSON] = []
        for (((key, value), result), old) in zip(zip(values, report.results.suffix(values.count)), old) {
            let outcome = try result.get()
            let isChanged = stack.stored(key, in: layer) != old
            lines.append(json(key, value, outcome, isChanged, layer, stack))
            stack.warnIfIneffective(outcome, of: key, in: layer)
        }
        if output.json { Output.print(lines) }
        if values.contains(where: { stack.declared.secrets.covers(PrefsPath($0.key)) }) {
            warnOfReaders(file, stack, isSuspected: false)
        }
        stack.warnIfPrivate(file, of: values.map(\.key), in: layer)
        try waiting.finish(change, in: stack)
    }

    private func json(
        _ key: String, _ value: PrefsValue, _ outcome: PrefsWriteOutcome, _ isChanged: Bool,
        _ layer: PrefsLayer, _ stack: Stack
    ) -> OrderedJSON {
        let shown = stack.declared.secrets.masking(value, at: PrefsPath(key))
        return .object(
            [
                ("key", .string(key)), ("value", OrderedJSON(shown)), ("type", .string(value.typeName)),
                ("layer", .string(layer.name.description)),
                ("file", OrderedJSON(try? stack.file(of: layer))), ("changed", .bool(isChanged)),
            ] + outcome.members)
    }

    /// True if a `--` before the words makes them literal. The parser drops the `--`, so this property looks at
    /// the process's arguments.
    private var followsTerminator: Bool {
        let ends = [["--", key] + value, ["--"] + value]
        return ends.contains { CommandLine.arguments.suffix($0.count).elementsEqual($0) }
    }

    /// True if the value is literal, even if it is `-`.
    private var isLiteral: Bool { followsTerminator || value.first == "--" }

    /// The words of the value, without a leading `--`.
    private var words: [String] {
        followsTerminator || value.first != "--" ? value : Array(value.dropFirst())
    }

    private var isRead: Bool { words == ["-"] && !isLiteral }

    private func text() throws -> String { isRead ? try SecretInput.read(for: key) : words.first ?? "" }

    /// Warns about who else can read the secret that was stored. For a declared secret, the library itself has
    /// already warned that other users can read the file.
    private func warnOfReaders(_ file: String?, _ stack: Stack, isSuspected: Bool) {
        if !isRead {
            let target = to.map { " --to \(ShellWord.quoting($0))" } ?? ""
            let command = "\(layers.request.command("set", for: stack))\(target) \(ShellWord.quoting(key)) -"
            Output.warn(
                "\(key): a secret on a command line is shown to other users and kept by the shell; "
                    + "'\(command)' reads it from standard input")
        }
        guard isSuspected, let file, isReadableByAll(file) else { return }
        Output.warn("\(key): all users may read this secret in \(file); chmod o-r prevents that")
    }
}
