import ArgumentParser
import LayeredPrefs
import PrefsSystem

/// The options of a command that writes a file and can wait for the running processes that read it.
struct WaitOptions: ParsableArguments {
    @Flag(
        help: """
            Wait until each running process that reads the file uses the change. Exits with 5 if one rejects it, and with 6 \
            if one has not decided in time.
            """)
    var wait = false

    @Option(
        help: ArgumentHelp(
            "The time that --wait gives the processes (default: 10).", valueName: "seconds"))
    var timeout: Double?

    @Flag(
        help: """
            Put the keys of this command back if --wait would exit with 5 or 6; keys that somebody else has changed \
            since are left and named. Implies --wait.
            """)
    var revert = false

    func validate() throws {
        guard let timeout else { return }
        if !isWaiting { throw ValidationError("--timeout needs --wait or --revert") }
        if !(0...86_400).contains(timeout) {
            throw ValidationError("--timeout expects seconds, from 0 to 86400")
        }
    }

    /// True if the command has to wait.
    var isWaiting: Bool { wait || revert }

    /// The time to wait; `nil` if the command only warns.
    var time: Duration? { isWaiting ? .seconds(timeout ?? 10) : nil }
}

extension WaitOptions {
    /// Returns the contents of a file before the write, if the command may have to put them back.
    func contents(of file: String?) throws(PrefsError) -> FileContents? {
        guard revert, let file else { return nil }
        return try FileContents(of: file)
    }

    /// Prints how the running processes react to a change that was written.
    ///
    /// - Throws: If ``isWaiting`` is true, the exit code if a process rejected the change or did not decide in
    ///   time. With ``revert``, the change is undone first.
    func finish(_ change: FileChange?, in stack: Stack) throws {
        guard let change else { return }
        let answers = ProcessAnswer.all(to: change, in: stack, waiting: time)
        guard isWaiting else {
            for line in answers.flatMap(\.warnings) { Output.warn("\(line)") }
            return
        }
        let readers = answers.filter { !$0.isOfOther }
        if readers.isEmpty { Output.complain("prefs: no running process reads \(change.file)") }
        for answer in readers { answer.print() }
        guard let status = readers.status else { return }
        if revert { try change.undo() }
        throw status
    }
}
