import ArgumentParser
import LayeredPrefs

/// The command `prefs list [PREFIX]`.
struct ListCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list", abstract: "List all keys with their values and origins.",
            discussion: """
                Aligned columns on a terminal, otherwise KEY, VALUE and ORIGIN separated by tabs. Values are \
                quoted for the shell.
                """,
            aliases: ["ls"])
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @Argument(help: "List only this key and the keys below it.")
    var prefix = ""

    @Option(help: "Convert every value to this type, or fail.")
    var type: ValueType?

    @Flag(help: "Print the values of secrets.")
    var reveal = false

    @Flag(
        name: .customLong("commands"), help: "Print 'prefs set' commands that store the same values again.")
    var asCommands = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        try running {
            let stack = try layers.request.open()
            var answers = stack.answers(under: prefix, in: stack.contents)
            if stack.selection != nil { answers.removeAll { $0.value == nil } }
            if let type { answers = try answers.map { try convert($0, type) } }
            for error in answers.flatMap(\.rejected) { Output.complain("prefs: warning: \(error)") }
            print(answers, of: stack)
            try stack.checkSoundness()
            if answers.isEmpty, !prefix.isEmpty {
                throw CommandFailure.noSuchKey(prefix, nearest: stack.nearest(to: prefix))
            }
        }
    }

    private func convert(_ answer: Answer, _ type: ValueType) throws -> Answer {
        guard let value = answer.value else { return answer }
        var answer = answer
        answer.value = type.converting(value)
        if answer.value != nil { return answer }
        let message = "\(answer.place): \(answer.key): expected \(type.rawValue), found \(value.kind)"
        throw CommandFailure(CommandStatus.failed, message)
    }

    private func print(_ answers: [Answer], of stack: Stack) {
        let isUntyped = stack.declared == nil
        if json {
            return JSONLine.printList(answers.map { $0.json(revealing: reveal, isUntyped: isUntyped) })
        }
        if asCommands { return answers.forEach { printCommand($0, of: stack) } }
        if isUntyped {
            Output.complain("prefs: untyped: no schema declares the keys and their types")
        }
        var table = Table()
        for answer in answers { add(answer, to: &table, isUntyped: isUntyped) }
        for line in table.lines(.output) { Output.print(line) }
    }

    private func add(_ answer: Answer, to table: inout Table, isUntyped: Bool) {
        let isUnknown = !isUntyped && answer.declared == nil
        let isDefault = answer.origin == nil
        let notes = [answer.lock == nil ? nil : "locked", isUnknown ? "unknown key" : nil].compactMap(\.self)
        let place = notes.isEmpty ? answer.place : "\(answer.place) (\(notes.joined(separator: ", ")))"
        table.add(
            .init(answer.key, isUnknown ? .yellow : .bold),
            .init(answer.value == nil ? "-" : answer.shown(revealing: reveal), isDefault ? .dim : .green),
            .init(place, .dim))
    }

    private func printCommand(_ answer: Answer, of stack: Stack) {
        guard let value = answer.value, answer.origin != nil, reveal || !answer.isSecret else { return }
        let type = answer.declared == nil ? " --type \(value.kind.typeName)" : ""
        let domain = stack.domain.map { Source.domain == nil ? " --domain \($0)" : "" } ?? ""
        Output.print(
            "\(Source.commandName) set\(domain)\(type) -- \(ShellWord.quoting(answer.key)) \(ValueText.quoted(value))"
        )
    }
}
