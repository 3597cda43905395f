import ArgumentParser

/// The option of a command that writes a file to wait for the running process that reads it.
struct WaitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Wait at most this many seconds until the running process has loaded the file, and warn if it has not.",
            valueName: "seconds"))
    var wait: Double?

    func validate() throws {
        guard let wait, !(0...86_400).contains(wait) else { return }
        throw ValidationError("--wait expects seconds, from 0 to 86400")
    }

    /// The time to wait; `nil` without the option.
    var time: Duration? { wait.map { .seconds($0) } }
}
