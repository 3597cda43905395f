import ArgumentParser
import LayeredPrefs
import LayeredPrefsInspection

/// The command `prefs reads`.
struct ReadsCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "reads", abstract: "Print which keys a running process has read.",
            discussion: Source.help(
                "reads --pid 4711", "reads --unread --pid 4711",
                text: """
                    Prints for each key that the process has read its default, the origin of the value at the \
                    first read, and the source line of that read. With --unread, prints the declared keys that \
                    it has not read: settings that may be dead. The program has to record its reads, with \
                    storage.trackReads().
                    """))
    }

    @OptionGroup var options: ProcessOptions<Source>

    @Flag(help: "Print only the declared keys that have not been read.")
    var unread = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        try running {
            let reads = try options.process.reads()
            if output.json { return Output.print(reads.json) }
            if unread { return reads.unread.forEach { Output.print($0) } }
            var table = Table()
            for key in reads.keys {
                table.add(
                    .init(key.key, .bold), .init(key.defaultValue ?? "-", .green),
                    .init(key.origin ?? "default"),
                    .init(key.location ?? "-", .dim))
            }
            table.print()
        }
    }
}

extension LiveProcess {
    fileprivate func reads() throws -> InspectionReply.Reads {
        do {
            return try answer(InspectionRequest(.reads), \.reads)
        } catch let error as PrefsError where error.code == .unreadable && error.errno == nil {
            // The process answered that it does not record reads.
            throw CommandFailure.failed(error.reason)
        }
    }
}

extension InspectionReply.Reads {
    fileprivate var json: OrderedJSON {
        .object([("read", .array(keys.map(\.json))), ("unread", .array(unread.map { .string($0) }))])
    }
}

extension InspectionReply.Reads.Key {
    fileprivate var json: OrderedJSON {
        .object([
            ("key", .string(key)), ("default", OrderedJSON(defaultValue)), ("origin", OrderedJSON(origin)),
            ("location", OrderedJSON(location)),
        ])
    }
}
