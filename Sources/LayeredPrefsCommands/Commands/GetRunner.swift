import LayeredPrefs

/// The work of `prefs get`, apart from the parsing of its command line.
struct GetRunner<Source: PrefsCommandSource> {
    var layers = LayerRequest<Source>()
    var key = ""
    var type: ValueType?
    /// The text to print if the key is not set.
    var fallback: String?
    var isRevealing = false
    var isJSON = false

    func run() throws {
        try running {
            let stack = try layers.open()
            let snapshot = stack.contents
            var answer = stack.answer(for: key, in: snapshot)
            if answer.declared == nil, let declared = stack.declared {
                if let renamed = declared.renamed(key) {
                    Output.complain("prefs: warning: \(key): renamed to “\(renamed.name)”")
                    answer = stack.answer(renamed, in: snapshot)
                } else if declared.isGroup(key) {
                    answer.value = stack.tree(under: key, in: snapshot, revealing: isRevealing)
                }
            }
            for error in answer.rejected { Output.complain("prefs: warning: \(error)") }
            try printValue(of: answer, in: stack)
            try stack.checkSoundness()
        }
    }

    private func printValue(of answer: Answer, in stack: Stack) throws {
        var answer = answer
        guard let value = answer.value else { return try printFallback(answer, stack) }
        if let type {
            guard let converted = type.converting(value) else { throw wrongType(answer, type) }
            answer.value = converted
        }
        if isJSON {
            return Output.print(answer.json(revealing: isRevealing, isUntyped: stack.declared == nil).text)
        }
        guard isRevealing || !answer.isSecret else {
            throw CommandFailure(
                CommandStatus.rejected, "\(key): the value is a secret; use --reveal to print it")
        }
        Output.print(ValueText.plain(answer.value ?? value))
    }

    private func wrongType(_ answer: Answer, _ type: ValueType) -> CommandFailure {
        let shown = answer.isSecret ? "" : " \(answer.shown())"
        let kind = answer.value?.kind.typeName ?? ""
        return CommandFailure(
            CommandStatus.failed,
            "\(answer.place): \(key): expected \(type.rawValue), found the \(kind)\(shown)")
    }

    private func printFallback(_ answer: Answer, _ stack: Stack) throws {
        if let fallback {
            guard isJSON else { return Output.print(fallback) }
            var answer = answer
            answer.value = .string(fallback)
            return Output.print(answer.json(revealing: isRevealing, isUntyped: stack.declared == nil).text)
        }
        if let problem = stack.problem { throw problem.status }
        if isJSON { Output.print(answer.json(revealing: isRevealing, isUntyped: stack.declared == nil).text) }
        let isKnown = answer.declared != nil
        let words = !isKnown && stack.declared != nil ? "unknown key" : "not set"
        throw CommandFailure.noSuchKey(key, words, nearest: isKnown ? nil : stack.nearest(to: key))
    }
}
