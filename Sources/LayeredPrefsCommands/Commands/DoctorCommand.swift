import ArgumentParser
import LayeredPrefs

/// The command `prefs doctor`.
struct DoctorCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "doctor",
            abstract:
                "Check files, permissions and watching: which layers win, and why edits might not be seen.",
            discussion: Source.help(
                "doctor @", "doctor --pid 4711",
                text: """
                    Among the problems are files beside those of the layers that nothing reads, such as a \
                    drop-in whose name ends in no format, and a domain that no file, schema or process has.

                    With --pid, checks a running process: which of its files are broken, rejected or not yet \
                    loaded, which values it rejects, and how many keys a restart would change.

                    Exits with 4 if a file is broken, and with 1 if there are other problems.
                    """))
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @OptionGroup(title: "Layers") var newFile: NewFileOptions

    @OptionGroup var live: LiveOptions

    @OptionGroup var output: OutputOptions

    func run() throws {
        try running {
            if let process = try live.process(domain: layers.domain ?? Source.domain) {
                if let code = try process.printDoctor(json: output.json) { throw code }
                return
            }
            // This stack really watches its files, because the report says how each path is watched.
            let request = layers.request(creating: newFile)
            let stack = try request.open(isWatching: true, diagnostics: .silent, isDoubting: false)
            let examination = DoctorReport(stack) { request.command($0, for: stack) }
            if output.json { Output.print(examination.json) } else { examination.print(.output) }
            try stack.checkSoundness()
            if !examination.problems.isEmpty { throw CommandStatus.failed }
        }
    }
}
