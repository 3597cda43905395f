import ArgumentParser
import LayeredPrefs
import PrefsSystem

/// The command `prefs validate [FILE…]`.
struct ValidateCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "validate",
            abstract: "Check the syntax of files and, with a schema, their keys, types and ranges.",
            discussion: Source.help(
                "validate @", "validate --schema myd.schema.json my.plist",
                text: """
                    Checks the given files, by default those of the layers, and prints FILE:LINE:COLUMN of \
                    each problem. Exits with 0 if there is no error, with 1 if a given file is missing or \
                    a key, type or range is wrong, with 3 if this user may not read a file, and with 4 if one \
                    cannot be parsed. Without a given file, warns of files beside those of the layers that \
                    nothing reads, such as a drop-in whose name ends in no format. Suitable for ExecStartPre= and package scripts.
                    """))
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @Argument(
        help: "The \(FormatName.kinds) files to check, or - for standard input.",
        completion: .file(extensions: PrefsFileFormat.extensions))
    var files: [String] = []

    @Flag(help: "Report unknown keys as warnings, not as errors.")
    var allowUnknown = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        try running {
            let stack = files.isEmpty ? try layers.request.open(diagnostics: .silent) : nil
            let (paths, findings) = stack.map(ownFiles) ?? (files, [])
            let schema = stack == nil ? try layers.request.knownSchema(isDoubting: true) : nil
            let declared = stack.map(\.declared) ?? schema?.keys
            let unchecked = stack.map(\.unchecked) ?? schema?.unchecked ?? []
            var checks = paths.map { FileCheck(path: $0, declared: declared, allowsUnknown: allowUnknown) }
            for index in checks.indices { checks[index].run(isRequired: !files.isEmpty) }
            print(checks, unchecked.map { PrefsDiagnostic(.warning, $0) } + findings)
            let isBroken = findings.contains { $0.severity == .error }
            if checks.contains(where: { $0.failure == CommandStatus.broken }) || isBroken {
                throw CommandStatus.broken
            }
            if let failure = checks.compactMap(\.failure).first { throw failure }
            if checks.contains(where: \.hasErrors) { throw CommandStatus.failed }
        }
    }

    /// Returns the files of the layers. Also returns the problems of locks files, of drop-in folders and of files
    /// that exist in two formats, and a warning for each file that nothing reads.
    private func ownFiles(of stack: Stack) -> ([String], [PrefsDiagnostic]) {
        let status = stack.storage.status
        let isOther = { (path: String) in path.hasSuffix(".locks") || path.hasSuffix(".d") }
        let others = status.filter { isOther($0.file ?? "") || $0.problem?.code == .ambiguous }
            .compactMap(\.problem)
        // An empty file without a problem has nothing to check. It may mask another file, as a link to /dev/null
        // does.
        let full = status.filter { $0.problem != nil || $0.file.flatMap(fileStatus)?.st_size != 0 }
        let unread = UnreadFiles(of: stack).files.map { path, reason in
            PrefsError(
                .unsupported, origin: PrefsOrigin(file: path), reason: "nothing reads this file: \(reason)")
        }
        return (
            full.compactMap(\.file).filter { !isOther($0) },
            others.map { PrefsDiagnostic(.error, $0) } + unread.map { PrefsDiagnostic(.warning, $0) }
        )
    }

    private func print(_ checks: [FileCheck], _ others: [PrefsDiagnostic]) {
        let findings = checks.flatMap(\.findings) + others
        if output.json {
            let problems = findings.map(\.json)
            let files = checks.map { OrderedJSON.string($0.path) }
            let isValid = !findings.contains { $0.severity == .error }
            return Output.print(
                .object([
                    ("valid", .bool(isValid)), ("files", .array(files)), ("problems", .array(problems)),
                ]))
        }
        for finding in findings { Output.print(finding.line(.output)) }
        guard Style.output.isTerminal else { return }
        for check in checks where check.findings.isEmpty {
            Output.print("\(check.path): \(Style.output("ok", .green))")
        }
    }
}
