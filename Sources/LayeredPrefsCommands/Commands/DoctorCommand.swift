import ArgumentParser
import LayeredPrefs

/// `prefs doctor`.
struct DoctorCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "doctor",
            abstract:
                "Examine files, permissions and watching: who wins, and why something would not reload.",
            discussion: "Ends with 4 where a file is broken, with 1 where a value is refused or unknown.")
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        try running {
            // Watching for real, since how each path is watched is among what is asked.
            let stack = try layers.request.open(isWatching: true, diagnostics: .silent)
            let examination = Examination(stack)
            if json { Output.print(examination.json.text) } else { examination.print(.output) }
            try stack.checkSoundness()
            if !examination.problems.isEmpty { throw CommandStatus.failed }
        }
    }
}
