import LayeredPrefs
import LayeredPrefsInspection

/// The work of `prefs get`, without the parsing of its command line.
struct GetRunner {
    var layers: LayerRequest
    var key = ""
    var type: ValueType?
    /// The text to print if the key is not set.
    var fallback: String?
    var isRevealing = false
    var isJSON = false

    /// Prints the value and returns the layers that were read.
    @discardableResult
    func run() throws -> Stack {
        try running {
            let stack = try layers.open()
            let snapshot = stack.contents
            var report = stack.report(for: key, in: snapshot)
            if report.declared == nil, let declared = stack.declared {
                if let renamed = declared.renamed(key) {
                    Output.warn("\(key): renamed to “\(renamed.name)”")
                    report = stack.report(renamed, in: snapshot)
                } else if declared.isGroup(key) {
                    report.value = stack.tree(under: key, in: snapshot, revealing: isRevealing)
                }
            }
            for error in report.rejected { Output.warn("\(error)") }
            for line in stack.processLines(about: report) { Output.warn("\(line)") }
            try printValue(of: report, in: stack)
            try stack.checkSoundness()
            return stack
        }
    }

    private func printValue(of report: KeyReport, in stack: Stack) throws {
        var report = isRevealing ? report : report.withoutSecrets
        guard let value = report.value else { return try printFallback(report, stack) }
        if let type {
            guard let converted = type.converting(value) else { throw wrongType(report, type) }
            report.value = converted
        }
        if isJSON {
            return Output.print(report.json(revealing: isRevealing, isUntyped: stack.declared == nil))
        }
        guard isRevealing || !report.isSecret else {
            let reason =
                stack.declared == nil
                ? "the name suggests a secret, and no schema is installed" : "the value is a secret"
            throw CommandFailure.rejected("\(key): \(reason); use --show-secrets to print it")
        }
        Output.print(value: ValueText.plain(report.value ?? value))
    }

    private func wrongType(_ report: KeyReport, _ type: ValueType) -> CommandFailure {
        let shown = report.isSecret ? "" : " \(report.shown())"
        let kind = report.value?.typeName ?? ""
        return CommandFailure.failed(
            "\(report.place): \(key): expected \(type.rawValue), found the \(kind)\(shown)")
    }

    private func printFallback(_ report: KeyReport, _ stack: Stack) throws {
        if let fallback {
            guard isJSON else { return Output.print(value: fallback) }
            var report = report
            report.value = .string(fallback)
            return Output.print(report.json(revealing: isRevealing, isUntyped: stack.declared == nil))
        }
        if let problem = stack.problem { throw problem.status }
        if isJSON { Output.print(report.json(revealing: isRevealing, isUntyped: stack.declared == nil)) }
        let isKnown = report.declared != nil
        let words = !isKnown && stack.declared != nil ? "unknown key" : "not set"
        throw CommandFailure.noSuchKey(key, words, nearest: isKnown ? nil : stack.nearest(to: key))
    }
}
