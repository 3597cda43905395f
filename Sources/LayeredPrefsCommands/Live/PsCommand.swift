import ArgumentParser
import LayeredPrefs
import LayeredPrefsInspection

/// The command `prefs ps`.
struct PsCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "ps", abstract: "List the running processes that serve inspection.",
            discussion: Source.help(
                "ps", "ps --domain com.example.myd",
                text: """
                    Prints one line for each process: its pid, domain and generation; how many keys, rejected \
                    values and broken files it has; of how many files it rejects the new version or the removal; \
                    how many files have an edit that it has not loaded yet; and its program. A note says if the \
                    program has been deleted since, as by an upgrade. A user sees their own processes, root sees \
                    all. Use --pid with 'get', 'list', 'explain', 'watch', 'history', 'drift' and 'doctor' to ask \
                    one of them.

                    Exits with 6 if a process does not answer within two seconds.
                    """))
    }

    @Option(name: [.short, .long], help: "List only the processes of this domain.")
    var domain: String?

    @Flag(help: "Print JSON, one object per process.")
    var json = false

    func run() throws {
        try running {
            try domain.map(DomainName.check)
            var table = Table()
            var elements: [OrderedJSON] = []
            var isComplete = true
            for (socket, answer) in LiveProcess.statuses(of: domain ?? Source.domain) {
                switch answer {
                case .success(let status):
                    elements.append(status.json(of: socket))
                    status.add(to: &table, of: socket)
                case .failure(let error):
                    isComplete = false
                    Output.complain("prefs: \(error)")
                }
            }
            if json {
                Output.print(elements)
            } else {
                table.print()
                if table.isEmpty, isComplete { complainOfNone() }
            }
            if !isComplete { throw CommandStatus.undecided }
        }
    }

    private func complainOfNone() {
        let place = domain.map { " of \($0)" } ?? ""
        let others = LiveProcess.othersRemark
        Output.complain(
            "prefs: no process\(place) serves inspection\(others)\(DomainSearch.hintOfRunning(domain))")
    }
}

extension InspectionReply.Status {
    fileprivate func add(to table: inout Table, of socket: InspectionSocket) {
        let note = socket.deletedProgram == nil ? "" : " (deleted; needs a restart)"
        table.add(
            .init("\(pid)", .bold), .init(domain), .init("generation \(generation)"),
            .init(keys.counted("key")),
            .init(rejected.count.counted("rejected value"), rejected.isEmpty ? .dim : .red),
            .init(problems.count.counted("broken file"), problems.isEmpty ? .dim : .red),
            .init(rejectedVersions.counted("rejected version"), rejectedVersions == 0 ? .dim : .red),
            .init("\(behind) behind", behind == 0 ? .dim : .yellow),
            .init(program + note, note.isEmpty ? .dim : .yellow))
    }

    private var behind: Int { sources.count { $0.isBehind == true } }

    private var rejectedVersions: Int { sources.count { $0.rejection != nil } }

    func json(of socket: InspectionSocket) -> OrderedJSON {
        .object([
            ("pid", OrderedJSON(Int(pid))), ("domain", .string(domain)),
            ("program", .string(program)), ("programDeleted", .bool(socket.deletedProgram != nil)),
            ("generation", .number("\(generation)")),
            ("keys", OrderedJSON(keys)), ("rejected", .array(rejected.map { .string($0) })),
            ("locks", OrderedJSON(locks)), ("sources", .array(sources.map(\.json))),
            ("inconsistent", .bool(isInconsistent == true)), ("restart", OrderedJSON(restart)),
        ])
    }
}

extension InspectionReply.Source {
    fileprivate var json: OrderedJSON {
        .object([
            ("layer", OrderedJSON(layer)), ("file", OrderedJSON(file)), ("problem", OrderedJSON(problem)),
            ("generation", OrderedJSON(generation.map { PrefsValue.integer(Int128($0)) })),
            ("secondsSinceRead", OrderedJSON(secondsSinceRead.map { PrefsValue.real($0) })),
            ("engine", OrderedJSON(engine)), ("behind", isBehind.map { .bool($0) } ?? .null),
            ("rejected", rejection?.json ?? .null),
        ])
    }
}
