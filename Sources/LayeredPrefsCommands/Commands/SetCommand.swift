import ArgumentParser
import LayeredPrefs

/// `prefs set KEY VALUE`.
struct SetCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "set", abstract: "Store a value in one layer.",
            usage: "\(Source.commandName) set <key> <value> [--to <layer>] [--type <type>] [<layers>]",
            discussion: """
                The type is the one of --type; else the one that the program declares; else that of the value \
                that is there; else the value is a string, so that '1.10' stays '1.10'. Arrays and dictionaries \
                are written in JSON, data in base64, dates in ISO 8601.

                The rest of the file stays as it is. Says so where a higher layer hides the value. A key that \
                is locked below the layer is refused, with 3.
                """)
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @Argument(help: "The key: a name or dotted path.")
    var key: String

    // All that is unrecognized, so that -5 is a value and no option.
    @Argument(parsing: .allUnrecognized, help: "The value.")
    var value: [String]

    @Option(name: .long, help: ArgumentHelp("The layer to write to; 'user' by default.", valueName: "layer"))
    var to: String?

    @Option(help: "The value's type.")
    var type: ValueType?

    @Flag(help: "Store the key even if the program does not declare it.")
    var allowUnknown = false

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        let words = value.filter { $0 != "--" }
        if let option = words.first(where: { $0.hasPrefix("-") && Double($0) == nil }), !value.contains("--")
        {
            throw ValidationError("Unknown option '\(option)'")
        }
        guard words.count == 1 else {
            throw ValidationError(
                words.isEmpty ? "Missing expected argument '<value>'" : "One value, please; quote it")
        }
    }

    func run() throws {
        try running {
            let stack = try layers.request.open(writing: to)
            let layer = try stack.writtenLayer(to)
            let declared = try declaredKey(in: stack)
            let stored = try storedValue(declared, layer, stack)
            let outcome = try stack.storage.setPrefsValue(
                stored, forKey: declared?.name ?? key, in: layer.name)
            if json {
                let value: JSONLine = declared?.isSecret == true ? .string(Answer.hidden) : JSONLine(stored)
                Output.print(
                    JSONLine.object(
                        [
                            ("key", .string(declared?.name ?? key)), ("value", value),
                            ("type", .string(stored.kind.typeName)),
                            ("layer", .string(layer.name.description)),
                            ("file", JSONLine(try? stack.file(of: layer))),
                        ] + outcome.members
                    ).text)
            }
            stack.tell(outcome, of: key, in: layer)
        }
    }

    private var text: String { value.first { $0 != "--" } ?? "--" }

    private func declaredKey(in stack: Stack) throws -> DeclaredKey? {
        guard let declared = stack.declared else { return nil }
        if let known = declared[key] { return known }
        if let renamed = declared.renamed(key) {
            Output.complain("prefs: warning: \(key) is called \(renamed.name) now")
            return renamed
        }
        if declared.holder(of: key) != nil || allowUnknown { return nil }
        let hint = declared.nearest(to: key)
        throw CommandFailure.noSuchKey(key, "there is no such key (--allow-unknown stores it)", nearest: hint)
    }

    private func storedValue(_ declared: DeclaredKey?, _ layer: PrefsLayer, _ stack: Stack) throws
        -> PrefsValue
    {
        if let declared { return try storedValue(for: declared) }
        let (wanted, reason) = wantedType(layer, stack)
        guard let value = wanted.value(ofText: text) else {
            throw CommandFailure(
                CommandStatus.failed,
                "\(key): expected \(wanted.expectation)\(reason), found \(ShellWord.quoting(text))")
        }
        return value
    }

    /// By the declaration; `--type` insists that it is that type, or where anything goes, chooses.
    private func storedValue(for declared: DeclaredKey) throws -> PrefsValue {
        let coding = declared.key.representation
        var stored = type.map { $0.storedType.value(ofText: text) } ?? coding.storedForm(ofText: text)
        if type == nil, declared.type == .any { stored = .string(text) }
        guard let stored, let value = coding.decode(stored) else {
            throw refusal(of: declared, "expected \(coding.expectation)")
        }
        if let complaint = declared.traits.validate?(value) { throw refusal(of: declared, complaint) }
        return stored
    }

    private func refusal(of declared: DeclaredKey, _ complaint: String) -> CommandFailure {
        let found = declared.isSecret ? "" : ", found \(ShellWord.quoting(text))"
        return CommandFailure(CommandStatus.failed, "\(declared.name): \(complaint)\(found)")
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
            PrefsStoredType(of: present.value), " as the present value\(place) is (--type string stores text)"
        )
    }
}
