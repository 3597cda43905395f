public import ArgumentParser
import LayeredPrefs

import PrefsSystem

/// Runs a command line with the exit codes of ``CommandStatus``, a usage error's included.
public enum PrefsCommandLine {
    /// Parses this process's arguments, runs the command they name, and ends the process.
    public static func run(_ root: any ParsableCommand.Type) -> Never {
        ending(root) {
            var command = try root.parseAsRoot()
            try command.run()
        }
    }

    /// Runs the tool `prefs`, whose commonest command does without the parser.
    package static func runTool() -> Never {
        let tool = PrefsCommands<AnyDomain>.self
        guard let reading = GetReading<AnyDomain>(commonArguments: CommandLine.arguments.dropFirst()) else {
            run(tool)
        }
        ending(tool) { try reading.run() }
    }

    private static func ending(_ root: any ParsableCommand.Type, _ body: () throws -> Void) -> Never {
        do {
            try body()
            finish(0)
        } catch {
            end(root, error)
        }
    }

    private static func end(_ root: any ParsableCommand.Type, _ error: any Error) -> Never {
        // Said already; the parser would only look for its words.
        if let code = error as? ExitCode { finish(code.rawValue) }
        let code = root.exitCode(for: error)
        let message = root.fullMessage(for: error)
        // Help and completion scripts, which were asked for, are errors to the parser, of code 0.
        if code.isSuccess {
            Output.print(message)
        } else if !message.isEmpty {
            Output.complain(message)
        }
        finish(code == .validationFailure ? CommandStatus.usage.rawValue : code.rawValue)
    }

    /// Ends the process, with a failure if what was printed could not be: on a full disk, into a closed file.
    private static func finish(_ code: CInt) -> Never {
        let isComplete = Output.flush()
        exit(isComplete || code != 0 ? code : CommandStatus.refused.rawValue)
    }
}

/// A command's body, whose failures are told on standard error and become exit codes, also within an
/// application's own command line.
func running(_ body: () throws -> Void) throws {
    do {
        try body()
    } catch let failure as CommandFailure {
        Output.complain("prefs: \(failure.message)")
        throw failure.status
    } catch let error as PrefsError {
        for error in error.related.isEmpty ? [error] : error.related { Output.complain("prefs: \(error)") }
        throw error.status
    }
}
