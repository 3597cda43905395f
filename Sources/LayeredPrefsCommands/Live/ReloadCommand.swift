import ArgumentParser
import LayeredPrefs
import LayeredPrefsInspection

/// The command `prefs reload`.
struct ReloadCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "reload", abstract: "Have a running process check its files now.",
            discussion: Source.help(
                "reload --pid 4711",
                text: """
                    Programs notice edits automatically. Use this command on file systems where they do not, or to \
                    see whether the program accepts an edit, as in 'ExecReload=prefs reload --pid $MAINPID'. \
                    Exits with 1 if anything is rejected or broken, and with 3 if the program does not \
                    permit it.
                    """))
    }

    @OptionGroup var options: ProcessOptions<Source>

    func run() throws {
        try running {
            let outcome = try options.process.change(InspectionRequest(.reload))
            for problem in outcome.problems ?? [] { Output.complain("prefs: \(problem)") }
            if !outcome.isEffective { throw CommandStatus.failed }
        }
    }
}

extension LiveProcess {
    /// Sets or removes an override of a key in the process. Prints a warning if the override has no effect.
    func override(_ key: String, with text: String?, to layer: String?) throws {
        if let layer, layer != PrefsLayer.Name.overrides.description {
            throw CommandFailure.usage("a running process can only be changed in the layer 'overrides'")
        }
        let request = InspectionRequest(text == nil ? .unset : .set, key: key, value: text)
        let outcome = try change(request)
        if let remark = outcome.remark { Output.warn("\(key): \(remark)") }
    }

    func change(_ request: InspectionRequest) throws -> InspectionReply.Outcome {
        do {
            return try answer(request, \.outcome)
        } catch let error as PrefsError where error.code == .unreadable && error.errno == nil {
            // The process answered that it does not permit overrides.
            throw CommandFailure.rejected(error.reason)
        }
    }
}
