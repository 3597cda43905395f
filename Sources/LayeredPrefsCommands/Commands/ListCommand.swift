import ArgumentParser
import LayeredPrefs

/// The command `prefs list [PREFIX]`.
struct ListCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list", abstract: "List all keys with their values and origins.",
            discussion: Source.help(
                "list @", "list http @ --json",
                text: """
                    Aligned columns on a terminal, otherwise KEY, VALUE and ORIGIN separated by tabs. \
                    Values are quoted for the shell.
                    """),
            aliases: ["ls"])
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @Argument(help: "List only this key and the keys below it.", completion: .keys(of: Source.self))
    var prefix = ""

    @Option(help: "Convert every value to this type, or fail.", completion: ValueType.completion)
    var type: ValueType?

    @Flag(name: .showSecrets, help: "Print the values of secrets.")
    var reveal = false

    @Flag(
        name: .customLong("commands"), help: "Print 'prefs set' commands that store the same values again.")
    var asCommands = false

    @OptionGroup var live: LiveOptions

    @OptionGroup var output: OutputOptions

    func validate() throws {
        try live.reject("--type", if: type != nil)
        try live.reject("--commands", if: asCommands)
    }

    func run() throws {
        try running {
            if let process = try live.process(domain: layers.domain ?? Source.domain) {
                return try process.printList(below: prefix, json: output.json)
            }
            let stack = try layers.request.open()
            try layers.request.checkFiles()
            var reports = stack.reports(under: prefix, in: stack.contents)
            if !reveal { for index in reports.indices { reports[index].removeSecrets() } }
            if stack.selection != nil { reports.removeAll { $0.value == nil } }
            if let type { reports = try reports.map { try convert($0, type) } }
            for error in reports.flatMap(\.rejected) { Output.warn("\(error)") }
            print(reports, of: stack)
            try stack.checkSoundness()
            if reports.isEmpty, !prefix.isEmpty {
                throw CommandFailure.noSuchKey(prefix, nearest: stack.nearest(to: prefix))
            }
        }
    }

    private func convert(_ report: KeyReport, _ type: ValueType) throws -> KeyReport {
        guard let value = report.value else { return report }
        var report = report
        report.value = type.converting(value)
        if report.value != nil { return report }
        let message = "\(report.place): \(report.key): expected \(type.rawValue), found \(value.kind)"
        throw CommandFailure.failed(message)
    }

    private func print(_ reports: [KeyReport], of stack: Stack) {
        let isUntyped = stack.declared == nil
        if output.json {
            return Output.print(reports.map { $0.json(revealing: reveal, isUntyped: isUntyped) })
        }
        if asCommands { return reports.forEach { printCommand($0, of: stack) } }
        if isUntyped {
            let hides = !reveal && reports.contains(where: \.isSecret)
            Output.complain(
                "prefs: untyped: no schema that declares the keys is installed"
                    + (hides
                        ? "; values whose key looks like a secret are hidden; --show-secrets prints them"
                        : ""))
        }
        var table = Table()
        for report in reports { add(report, to: &table, isUntyped: isUntyped) }
        table.print()
    }

    private func add(_ report: KeyReport, to table: inout Table, isUntyped: Bool) {
        let isUnknown = !isUntyped && report.declared == nil
        let isDefault = report.origin == nil
        let notes = [report.lock == nil ? nil : "locked", isUnknown ? "unknown key" : nil].compactMap(\.self)
        let place = notes.isEmpty ? report.place : "\(report.place) (\(notes.joined(separator: ", ")))"
        table.add(
            .init(report.key, isUnknown ? .yellow : .bold),
            .init(report.value == nil ? "-" : report.shown(revealing: reveal), isDefault ? .dim : .green),
            .init(place, .dim))
    }

    private func printCommand(_ report: KeyReport, of stack: Stack) {
        guard let value = report.value, report.origin != nil, reveal || !report.isSecret else { return }
        let type = report.declared == nil ? " --type \(value.typeName)" : ""
        let domain =
            stack.domain.map { Source.domain == nil ? " --domain \(ShellWord.quoting($0))" : "" } ?? ""
        let (text, key, command) = (
            ValueText.plain(value), report.key, "\(Source.commandName) set\(domain)\(type)"
        )
        guard text.unicodeScalars.contains(where: \.isControl) else {
            return Output.print("\(command) -- \(ShellWord.quoting(key)) \(ShellWord.quoting(text))")
        }
        // After "--", a lone hyphen would be taken as the value.
        let word = ShellWord.quoting(key.hasPrefix("-") ? "\"\(key)\"" : key)
        Output.print("\(ShellWord.printing(text)) | \(command) \(word) -")
    }
}
