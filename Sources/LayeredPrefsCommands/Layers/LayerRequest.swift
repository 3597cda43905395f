import FileWatching
import LayeredPrefs
import LayeredPrefsInspection
import PrefsSystem

/// The layers that a command line selects.
struct LayerRequest {
    let source: any PrefsCommandSource.Type
    var domain: String?
    var arguments: [LayerArgument] = []
    var schema: String?
    /// The format for new files; `nil` for the program's own choice.
    var newFormat: PrefsFileFormat?
}

extension LayerRequest {
    /// The evaluated arguments.
    private struct Plan {
        var domain: String?
        /// Lowest first. If there is a domain, its standard layers are used instead.
        var layers: [LayerArgument.Form] = []
        var settings: [String] = []
        /// The only layer to read, if one is selected.
        var selection: PrefsLayer.Name?
    }

    private func plan(guessing: Bool = true) throws -> Plan {
        var plan = Plan()
        var namesLayers = false
        for argument in arguments.sorted(by: { $0.place < $1.place }) {
            switch argument.form {
            case .selection(let name): plan.selection = PrefsLayer.Name(name)
            case .setting(let setting):
                plan.settings.append(setting)
                plan.layers.append(argument.form)
            case .file, .variables:
                namesLayers = true
                plan.layers.append(argument.form)
            }
        }
        if namesLayers, domain != nil {
            throw CommandFailure.usage("--domain cannot be combined with --layer NAME=PATH or --env")
        }
        plan.domain = namesLayers ? nil : try DomainName.resolve(domain ?? source.domain, guessing: guessing)
        return plan
    }

    /// The words of a command line that select the same layers.
    var words: [String] {
        let place = domain.map { source.domain == nil ? ["--domain", $0] : [] } ?? []
        let own = arguments.sorted { $0.place < $1.place }.flatMap { argument in
            switch argument.form {
            case .file(let name, let path): ["--layer", "\(name)=\(path)"]
            case .variables(let prefix): ["--env", prefix]
            case .setting, .selection: [] as [String]
            }
        }
        return place + own + (schema.map { ["--schema", $0] } ?? [])
    }

    /// Returns the command line of another command for the same layers. Messages tell the reader to run it.
    ///
    /// - Parameter stack: The opened layers. They have a domain even if the command line names none.
    func command(_ verb: String, for stack: Stack) -> String {
        var request = self
        request.domain = stack.domain
        return ([source.commandName, verb] + request.words.map(ShellWord.quoting)).joined(separator: " ")
    }

    /// True if the command line names a domain or layers, or the program has a domain.
    var namesLayers: Bool {
        source.domain != nil || !arguments.isEmpty
            || (try? DomainName.resolve(domain, guessing: true)) != .some(nil)
    }

    /// Throws if the command line names files and none of them exists. It is meant for commands that print the
    /// files' values.
    func checkFiles() throws {
        let paths = arguments.compactMap { if case .file(_, let path) = $0.form { path } else { nil } }
        guard let first = paths.first, paths.allSatisfy({ fileStatus(of: $0) == nil }) else { return }
        throw CommandFailure.failed("\(first): no such file")
    }

    /// Opens the layers.
    ///
    /// - Parameters:
    ///   - isWatching: True to reload edited files. A command that reads once does not watch.
    ///   - target: The layer that the command writes to, if any.
    ///   - suppositions: Changes of the configuration to suppose.
    ///   - diagnostics: Receives the problems. By default, each is printed to standard error.
    ///   - isDoubting: False for a command that reports ``Stack/doubt`` itself.
    func open(
        isWatching: Bool = false, writing target: String? = nil, supposing suppositions: [Supposition] = [],
        diagnostics: PrefsDiagnosticHandler? = nil, isDoubting: Bool = true
    ) throws -> Stack {
        try suppositions.checkFiles()
        let plan = try plan()
        let schema = try programSchema(plan)
        let doubt = doubt(plan, schema)
        if isDoubting, let doubt { Output.warn("\(doubt)") }
        var options = FilePrefsStorage.Options()
        options.diagnostics = diagnostics ?? .complaining
        options.watcher =
            isWatching
            ? FileWatcher.shared : FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil)
        // A new system file is readable by all users, a new user file only by its owner.
        if target == PrefsLayer.Name.system.description { options.writing.creationMode = 0o644 }
        let (storage, locations) = try storage(plan, schema, options, suppositions)
        try suppositions.addLocks(to: storage)
        if let selection = plan.selection, storage.layer(selection) == nil {
            throw CommandFailure.usage("unknown layer “\(selection)”; the layers are \(storage.layerNames)")
        }
        // Tell the stack about the keys, so that locks cover former names and messages do not show secrets.
        if let schema { storage.note(schema.keys.all.map(\.names)) }
        return Stack(
            storage: storage, domain: plan.domain, declared: schema?.keys, schema: schema?.path,
            unchecked: schema?.unchecked ?? [],
            selection: plan.selection,
            isHypothetical: !plan.settings.isEmpty || !suppositions.isEmpty,
            systemLocations: locations, watcher: options.watcher, doubt: doubt)
    }

    /// Returns the reason to doubt the domain that the command line names.
    private func doubt(_ plan: Plan, _ schema: ProgramSchema?) -> String? {
        guard let domain = plan.domain, schema == nil, source.domain == nil else { return nil }
        return DomainSearch.doubt(about: domain, at: source.locations ?? .standard(domain: domain))
    }

    /// Opens the layers for a command that writes to one of them.
    ///
    /// - Parameters:
    ///   - target: The layer that the command line names; `nil` if it names none.
    ///   - option: The option that names the layer; `nil` if the command has no such option.
    ///   - diagnostics: Receives the problems. By default, each is printed to standard error.
    func openToWrite(
        _ target: String? = nil, option: String? = "--to", diagnostics: PrefsDiagnosticHandler? = nil
    ) throws -> Stack {
        for case .selection(let name) in arguments.map(\.form) {
            let hint = option.map { "; \($0) \(name) names the one to write to" } ?? ""
            throw CommandFailure.usage(
                "--layer \(name) selects a layer to read, but this command writes\(hint)")
        }
        let stack = try open(writing: target, diagnostics: diagnostics)
        for error in stack.unchecked { Output.warn("\(error)") }
        return stack
    }

    /// Returns the declared keys, for a command that may not need any layers.
    ///
    /// - Parameter guessing: True to use the only installed schema if nothing names a domain. By default it is not
    ///   used, because the command's files may belong to another program.
    func knownKeys(guessing: Bool = false) throws -> DeclaredKeys? {
        try knownSchema(guessing: guessing)?.keys
    }

    /// Returns the schema with the declared keys; see ``knownKeys(guessing:)``.
    ///
    /// - Parameter isDoubting: True to warn about a domain that is probably misspelt.
    func knownSchema(guessing: Bool = false, isDoubting: Bool = false) throws -> ProgramSchema? {
        let plan = try plan(guessing: guessing)
        let schema = try programSchema(plan)
        if isDoubting, let doubt = doubt(plan, schema) { Output.warn("\(doubt)") }
        return schema
    }

    /// Returns the keys that `--schema` declares, otherwise the application's, otherwise an installed schema's.
    private func programSchema(_ plan: Plan) throws -> ProgramSchema? {
        if let schema { return try SchemaFile.read(schema) }
        let keys = source.keys
        if !keys.isEmpty {
            return ProgramSchema(keys: DeclaredKeys(keys.flatMap(\.parts).map(\.onStoredForms)), path: nil)
        }
        return try plan.domain.flatMap { domain throws(PrefsError) in try SchemaPlaces.installed(for: domain)
        }
    }

    private func storage(
        _ plan: Plan, _ schema: ProgramSchema?, _ options: FilePrefsStorage.Options,
        _ suppositions: [Supposition]
    ) throws -> (PrefsStack, [PrefsFileLocations.System]) {
        if let domain = plan.domain {
            let stated = source.locations ?? schema?.locations ?? .standard(domain: domain)
            let named = newFormat.map(stated.creating) ?? stated
            let locations = try suppositions.applied(to: named)
            let storage = PrefsStack.standard(
                domain: domain, defaults: source.defaults, locations: locations,
                prefix: source.environmentPrefix ?? schema?.environmentPrefix,
                arguments: plan.settings.flatMap { ["--set", $0] }, options: options)
            return (storage, locations.system)
        }
        guard !plan.layers.isEmpty else {
            throw CommandFailure.usage(
                "no domain or layer given; use --domain com.example.myd or --layer user=PATH")
        }
        guard newFormat == nil else {
            throw CommandFailure.usage(
                "--format cannot be combined with --layer NAME=PATH; the extension of PATH names the format")
        }
        let composition = try LayerBuilder(
            suppositions.applied(to: plan.layers), supposing: suppositions, options: options)
        let storage = PrefsStack(
            coalescing: options.coalescing, diagnostics: options.diagnostics
        ) { composition.layers }
        return (storage, composition.systemLocations)
    }
}
