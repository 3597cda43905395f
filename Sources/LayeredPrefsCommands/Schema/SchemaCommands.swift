import ArgumentParser
import LayeredPrefs
import LayeredPrefsReference

/// The command `prefs schema`, which contains the commands about the program's JSON Schema.
struct SchemaCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "schema", abstract: "Print or install the JSON Schema of the program's keys.",
            discussion: """
                With the schema of a program, the commands know the types, the allowed values, the documentation and \
                the secrets among its keys, and editors complete them.
                """,
            subcommands: [PrintSchemaCommand<Source>.self, InstallSchemaCommand<Source>.self])
    }
}

/// The command `prefs schema print`.
struct PrintSchemaCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "print", abstract: "Print the JSON Schema of the program's keys.",
            discussion: Source.help(
                "schema print -d com.example.myd",
                text: """
                    In a program that embeds the commands, this is what its package installs as \
                    /usr/share/prefs/schemas/<domain>.schema.json; of another domain, the installed schema.
                    """))
    }

    @OptionGroup var options: SchemaOptions<Source>

    // Every command has --json. The schema is JSON anyway.
    @OptionGroup var output: OutputOptions

    func run() throws {
        try running {
            let domain = try options.resolvedDomain()
            Output.print(bytes: try Source.declaredSchema(of: domain) ?? SchemaPlaces.bytes(for: domain))
        }
    }
}

/// The command `prefs schema install`.
struct InstallSchemaCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "install",
            abstract: "Install a JSON Schema, so that 'prefs' knows the program's keys.",
            discussion: Source.help(
                "schema install myd.schema.json -d com.example.myd",
                text: """
                    Writes /usr/local/share/prefs/schemas/<domain>.schema.json, or, if XDG_DATA_DIRS is set, the file \
                    in its first folder: the first place that 'doctor' names. All users may read the file; it is \
                    replaced in one step. Exits with 3 without permission, and with 4 if FILE is not a schema.
                    """))
    }

    @OptionGroup var options: SchemaOptions<Source>

    @Argument(
        help: "The schema; - for standard input. A program that embeds the commands installs its own.",
        completion: .file(extensions: ["json"]))
    var file: String?

    @OptionGroup var output: OutputOptions

    func run() throws {
        try running {
            let domain = try options.resolvedDomain()
            let place = SchemaPlaces.candidates(for: domain)[0]
            let isChanged = try InstalledFile(path: place).replace(with: try schema(of: domain))
            if output.json {
                Output.print(.object([("file", .string(place)), ("changed", .bool(isChanged))]))
            } else {
                Output.print(isChanged ? place : "\(place) is unchanged")
            }
        }
    }

    private func schema(of domain: String) throws -> [UInt8] {
        let own = Source.declaredSchema(of: domain)
        guard let file else {
            guard let own else {
                throw CommandFailure.usage(
                    "no schema given; expected a file, as in '\(Source.commandName) schema install myd.schema.json', "
                        + "or - for standard input")
            }
            return own
        }
        guard own == nil else {
            throw CommandFailure.usage("the program declares the keys of \(domain) itself; expected no file")
        }
        guard let bytes = file == "-" ? try SecretInput.bytes() : try PrefsFileReader.read(file)?.bytes else {
            throw PrefsError(.missing, origin: PrefsOrigin(file: file), reason: "no such file")
        }
        let schema = try SchemaFile.read(bytes, from: file == "-" ? "standard input" : file)
        for error in schema.unchecked { Output.warn("\(error)") }
        return bytes
    }
}

/// The options of a command about a schema, which name the program.
struct SchemaOptions<Source: PrefsCommandSource>: ParsableArguments {
    @Option(name: [.short, .long], help: "The program's domain.", completion: .domains)
    var domain: String?

    func resolvedDomain() throws -> String {
        if let domain = try DomainName.resolve(domain ?? Source.domain, guessing: false) { return domain }
        throw CommandFailure.usage("no domain given; use --domain com.example.myd")
    }
}

extension PrefsCommandSource {
    /// Returns the schema of the program's declared keys if the program has this domain; otherwise `nil`.
    static func declaredSchema(of domain: String) -> [UInt8]? {
        guard !keys.isEmpty, domain == self.domain else { return nil }
        let reference = PrefsReference(
            keys, title: domain,
            environmentPrefix: environmentPrefix ?? EnvironmentName.prefix(forDomain: domain),
            locations: locations)
        return Array(reference.jsonSchema.utf8)
    }
}
