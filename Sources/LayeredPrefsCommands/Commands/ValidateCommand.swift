import ArgumentParser
import LayeredPrefs

/// `prefs validate [FILE…]`.
struct ValidateCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "validate", abstract: "Check files: syntax, and keys, types and ranges by a schema.",
            discussion: """
                Checks the files named, else those of the layers. Says file:line:column of each problem; says \
                nothing and ends with 0 where there is none, with 1 where a key, type or range is wrong, with 4 \
                where a file cannot be read or parsed. Fit for ExecStartPre= and package scripts.
                """)
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @Argument(help: "Property lists or JSON files.", completion: .file(extensions: ["plist", "json"]))
    var files: [String] = []

    @Flag(help: "Warn of keys that the program does not declare, instead of failing.")
    var allowUnknown = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        try running {
            let (paths, findings) = try files.isEmpty ? ownFiles() : (files, [])
            let declared = try layers.request.knownKeys()
            var checks = paths.map { FileCheck($0, declared, allowingUnknown: allowUnknown) }
            for index in checks.indices { checks[index].run(isRequired: !files.isEmpty) }
            print(checks, findings)
            if checks.contains(where: \.isBroken) || !findings.isEmpty { throw CommandStatus.broken }
            if checks.contains(where: \.hasErrors) { throw CommandStatus.failed }
        }
    }

    /// The files of the layers, and what is wrong with their locks.
    private func ownFiles() throws -> ([String], [PrefsDiagnostic]) {
        let stack = try layers.request.open(diagnostics: .silent)
        let status = stack.storage.status
        let isLocks = { (path: String) in path.hasSuffix(".locks") }
        let locks = status.filter { isLocks($0.file ?? "") }.compactMap(\.problem)
        return (status.compactMap(\.file).filter { !isLocks($0) }, locks.map { PrefsDiagnostic(.error, $0) })
    }

    private func print(_ checks: [FileCheck], _ others: [PrefsDiagnostic]) {
        let findings = checks.flatMap(\.findings) + others
        if json {
            let problems = findings.map(\.json)
            let files = checks.map { JSONLine.string($0.path) }
            let isValid = !findings.contains { $0.severity == .error }
            return Output.print(
                JSONLine.object([
                    ("valid", .bool(isValid)), ("files", .array(files)), ("problems", .array(problems)),
                ]).text)
        }
        for finding in findings { Output.print(finding.line(.output)) }
        guard Style.output.isTerminal else { return }
        for check in checks where check.findings.isEmpty {
            Output.print("\(check.path): \(Style.output("ok", .green))")
        }
    }
}

extension PrefsDiagnostics {
    /// For a command that tells the problems in its own words.
    static var silent: PrefsDiagnostics { Silence.shared.diagnostics }
}

private final class Silence: Sendable {
    static let shared = Silence()

    let diagnostics = PrefsDiagnostics()
    private let subscription: PrefsObservation

    init() { subscription = diagnostics.subscribe { _ in } }
}
