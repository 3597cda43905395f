import ArgumentParser
import LayeredPrefs

/// The command `prefs set KEY VALUE`.
struct SetCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "set", abstract: "Store a value in one layer.",
            usage: "\(Source.commandName) set <key> <value> [--to <layer>] [--type <type>] [<layers>]",
            discussion: """
                The type is that of --type, else the declared type of the key, else the type of the current \
                value, else string, so that '1.10' stays '1.10'. Give arrays and dictionaries as JSON, data as \
                base64 and dates in ISO 8601.

                Leaves the rest of the file unchanged. Warns if a higher layer shadows the value. Exits with 3 \
                if a lower layer locks the key.

                With --pid, sets the key in the memory of a running process, in its layer 'overrides', until \
                it ends. Exits with 3 if the program does not permit that.
                """)
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @Argument(help: "The key: a name or a dotted path.")
    var key: String

    // All unrecognized words, so that -5 is a value, not an option.
    @Argument(parsing: .allUnrecognized, help: "The value to store.")
    var value: [String]

    @Option(name: .long, help: ArgumentHelp("The layer to write to (default: user).", valueName: "layer"))
    var to: String?

    @Option(help: "The type of the value.")
    var type: ValueType?

    @Flag(help: "Store the key even if the program does not declare it.")
    var allowUnknown = false

    @OptionGroup var live: LiveOptions

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        let words = value.filter { $0 != "--" }
        if let option = words.first(where: { $0.hasPrefix("-") && Double($0) == nil }), !value.contains("--")
        {
            // The word may be a secret value, so only what is certainly an option is quoted.
            throw ValidationError(
                option.hasPrefix("--")
                    ? "Unknown option '\(option)'"
                    : "Unknown option; put -- before a value that begins with a hyphen")
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
                return try process.override(key, with: text, to: to)
            }
            let stack = try layers.request.open(writing: to)
            let layer = try stack.writtenLayer(to)
            let declared = try declaredKey(in: stack)
            let stored = try storedValue(declared, layer, stack)
            let outcome = try stack.storage.setValue(
                stored, forKey: declared?.name ?? key, in: layer.name)
            if json {
                let value = secrets(of: stack).masking(stored, at: PrefsPath(declared?.name ?? key))
                Output.print(
                    OrderedJSON.object(
                        [
                            ("key", .string(declared?.name ?? key)), ("value", OrderedJSON(value)),
                            ("type", .string(stored.kind.typeName)),
                            ("layer", .string(layer.name.description)),
                            ("file", OrderedJSON(try? stack.file(of: layer))),
                        ] + outcome.members
                    ).text)
            }
            stack.notifyObservers(outcome, of: key, in: layer)
        }
    }

    private func secrets(of stack: Stack) -> SecretPaths { stack.declared?.secrets ?? SecretPaths() }

    private var text: String { value.first { $0 != "--" } ?? "--" }

    private func declaredKey(in stack: Stack) throws -> DeclaredKey? {
        guard let declared = stack.declared else { return nil }
        if let known = declared[key] { return known }
        if let renamed = declared.renamed(key) {
            Output.complain("prefs: warning: \(key): renamed to “\(renamed.name)”")
            return renamed
        }
        if declared.holder(of: key) != nil || allowUnknown { return nil }
        let hint = declared.nearest(to: key)
        throw CommandFailure.noSuchKey(key, "unknown key (--allow-unknown stores it anyway)", nearest: hint)
    }

    private func storedValue(_ declared: DeclaredKey?, _ layer: PrefsLayer, _ stack: Stack) throws
        -> PrefsValue
    {
        if let declared { return try storedValue(for: declared) }
        let (wanted, reason) = wantedType(layer, stack)
        guard let value = wanted.value(ofText: text) else {
            let isSecret = secrets(of: stack).touches(PrefsPath(key))
            let found = isSecret ? "" : ", found \(ShellWord.quoting(text))"
            throw CommandFailure(
                CommandStatus.failed, "\(key): expected \(wanted.expectation)\(reason)\(found)")
        }
        return value
    }

    /// Parses and checks the text by the key's declaration. With `--type`, the text is parsed as that type,
    /// which the declared type must accept; without it, text for a key of any type is stored as a string.
    private func storedValue(for declared: DeclaredKey) throws -> PrefsValue {
        let coding = declared.key.coding
        var stored = type.map { $0.storedType.value(ofText: text) } ?? coding.storedForm(ofText: text)
        if type == nil, declared.type == .any { stored = .string(text) }
        guard let stored, let value = coding.decode(stored) else {
            throw rejection(of: declared, "expected \(coding.expectation)")
        }
        if let complaint = declared.traits.validate?(value) { throw rejection(of: declared, complaint) }
        return stored
    }

    private func rejection(of declared: DeclaredKey, _ complaint: String) -> CommandFailure {
        let found = declared.isSecret ? "" : ", found \(ShellWord.quoting(text))"
        let reason = declared.key.masking(complaint, .string(text))
        return CommandFailure(CommandStatus.failed, "\(declared.name): \(reason)\(found)")
    }

    private func wantedType(_ layer: PrefsLayer, _ stack: Stack) -> (type: PrefsStoredType, reason: String) {
        if let type { return (type.storedType, "") }
        let stored = stack.storage.snapshot.candidates(forKey: key).filter {
            !$0.isText && $0.rejection == nil
        }
        let own = stored.first { $0.origin.layer == layer.name.description }
        guard let present = own ?? stored.first else { return (.string, "") }
        let place = present.origin.place.isEmpty ? "" : " in \(present.origin.place)"
        return (
            PrefsStoredType(of: present.value), " like the current value\(place) (--type string stores text)"
        )
    }
}
