public import ArgumentParser
import Dispatch
import LayeredPrefs

import PrefsSystem

/// A runner of command lines that exits with the codes of ``CommandStatus``, even for usage errors.
///
/// A program's `main` may be synchronous or asynchronous, and so may each of its commands:
///
/// ```swift
/// @main struct Program: AsyncParsableCommand {
///     static let configuration = CommandConfiguration(
///         commandName: "myd", subcommands: [Serve.self, PrefsCommands<Configuration>.self])
///
///     static func main() async { await PrefsCommandLine.run(Program.self) }
/// }
/// ```
public enum PrefsCommandLine {
    /// Parses the arguments of this process, runs the command that they name, and exits.
    ///
    /// This function waits for an asynchronous command without blocking the thread. An argument that is not UTF-8
    /// is a usage error.
    public static func run(_ root: any ParsableCommand.Type) async -> Never {
        do {
            var command = try parse(root)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            finish(0)
        } catch {
            end(root, error)
        }
    }

    /// Parses the arguments of this process, runs the command that they name, and exits. Use it in a synchronous
    /// `main`.
    ///
    /// Call it on the main thread, which serves the main actor while an asynchronous command runs.
    public static func run(_ root: any ParsableCommand.Type) -> Never {
        do {
            var command = try parse(root)
            if let command = command as? any AsyncParsableCommand { wait(for: command, of: root) }
            try command.run()
            finish(0)
        } catch {
            end(root, error)
        }
    }

    private static func parse(_ root: any ParsableCommand.Type) throws -> any ParsableCommand {
        checkArguments(root)
        return try root.parseAsRoot()
    }

    private static func wait(
        for command: sending any AsyncParsableCommand, of root: any ParsableCommand.Type
    ) -> Never {
        Task {
            var command = command
            do {
                try await command.run()
                finish(0)
            } catch {
                end(root, error)
            }
        }
        dispatchMain()
    }

    /// Runs the tool `prefs`, bypassing the parser for the most common command.
    package static func runTool() -> Never {
        checkArguments(PrefsCommands<AnyDomain>.self)
        let arguments = CommandLine.arguments.dropFirst()
        guard let reading = GetRunner(commonArguments: arguments, of: AnyDomain.self) else {
            if let word = arguments.drop(while: { $0 == "help" }).first,
                let complaint = complaint(aboutCommand: word)
            {
                Output.complain("prefs: \(complaint)")
                finish(CommandStatus.usage.rawValue)
            }
            run(PrefsCommands<AnyDomain>.self)
        }
        do {
            // The layers are not released: the process is about to end.
            try withExtendedLifetime(reading.run()) { finish(0) }
        } catch {
            end(PrefsCommands<AnyDomain>.self, error)
        }
    }

    /// Exits with a usage error if an argument is not UTF-8. Swift would silently replace the invalid bytes.
    private static func checkArguments(_ root: any ParsableCommand.Type) {
        let wrong = (0..<Int(CommandLine.argc)).dropFirst().first { index in
            guard let word = unsafe CommandLine.unsafeArgv[index] else { return false }
            return unsafe String(validatingCString: word) == nil
        }
        // The message does not quote the argument, because it may be a secret.
        if let wrong { end(root, ValidationError("Argument \(wrong) is not UTF-8")) }
    }

    /// Returns the reason why a word cannot be a command; `nil` for a command and for an option.
    private static func complaint(aboutCommand word: String) -> String? {
        let commands = PrefsCommands<AnyDomain>.configuration.subcommands.map { $0.configuration }
        let names = commands.flatMap { ($0.commandName.map { [$0] } ?? []) + $0.aliases } + ["help"]
        if word.hasPrefix("-") || names.contains(word) { return nil }
        if word == "fleet" {
            return "fleet: not in this build, which is without the trait Etcd; "
                + "TOOL_TRAITS=YAML,Etcd ./Scripts/install installs one that has it"
        }
        let hint = SpellingSuggestion.hint(SpellingSuggestion.nearest(to: word, among: names))
        return "unknown command “\(word)”\(hint.isEmpty ? "; 'prefs help' lists them" : hint)"
    }

    private static func end(_ root: any ParsableCommand.Type, _ error: any Error) -> Never {
        // The command has already printed its message. The parser would only add its own.
        if let code = error as? ExitCode { finish(code.rawValue) }
        let code = root.exitCode(for: error)
        let message = root.fullMessage(for: error)
        // To the parser, requested help and completion scripts are errors with exit code 0.
        if code.isSuccess {
            Output.print(bytes: Array("\(message)\n".utf8))
        } else if !message.isEmpty {
            Output.complain(TerminalText(lines: message))
        }
        finish(code == .validationFailure ? CommandStatus.usage.rawValue : code.rawValue)
    }

    /// Exits. Reports a failure if the output could not be written, for example because the disk is full or the
    /// file is closed.
    private static func finish(_ code: CInt) -> Never {
        let isComplete = Output.flush()
        exit(isComplete || code != 0 ? code : CommandStatus.rejected.rawValue)
    }
}

/// Runs the body of a command. Prints its failures to standard error and rethrows them as exit codes, so that it
/// works within an application's command line, too. All output is written when this function returns.
///
/// - Throws: `ExitCode`, with ``CommandStatus/rejected`` if the output could not be written.
func running<Result>(_ body: () throws -> Result) throws -> Result {
    defer { Output.flush() }
    do {
        let result = try body()
        guard Output.flush() else { throw CommandStatus.rejected }
        return result
    } catch let failure as CommandFailure {
        Output.complain("prefs: \(failure)")
        throw failure.status
    } catch let error as PrefsError {
        for error in error.problems { Output.complain("prefs: \(error)") }
        throw error.status
    }
}
