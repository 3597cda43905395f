import ArgumentParser
import Dispatch
import FoundationEssentials
import Glibc
import LayeredPrefs
import LayeredPrefsCommands

/// A program that offers the commands of `prefs` beside its own asynchronous and synchronous commands. Tests
/// run it with each kind of `main`; the variable `PROGRAM_MAIN` selects one.
@main struct Program: AsyncParsableCommand {
    static let subcommands: [any ParsableCommand.Type] = [
        Serve.self, Fail.self, Count.self, PrefsCommands<Notes>.self,
    ]

    static let configuration = CommandConfiguration(commandName: "notes", subcommands: subcommands)

    static func main() {
        switch ProcessInfo.processInfo.environment["PROGRAM_MAIN"] {
        case "asynchronous": main { await PrefsCommandLine.run(Program.self) }
        case "parser":
            main {
                await Program.main(nil)
                Glibc.exit(0)
            }
        case "synchronous root": PrefsCommandLine.run(SynchronousProgram.self)
        default: PrefsCommandLine.run(Program.self)
        }
    }

    /// Runs a body as Swift runs an asynchronous `main`.
    private static func main(_ body: @escaping @MainActor @Sendable () async -> Void) -> Never {
        Task { @MainActor in await body() }
        dispatchMain()
    }
}

/// The same program with a synchronous root.
struct SynchronousProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notes", subcommands: Program.subcommands)
}

/// The preferences of the program.
enum Notes: PrefsCommandSource {
    static var commandName: String { "prefs" }
    static var domain: String? { "com.example.notes" }
    static var keys: [PrefsKeyDescription] {
        [PrefsKeyDescription(PersistentKey("theme", defaultValue: "light"))]
    }
}

/// Prints a text that the main actor returns, and then ends or waits for a signal.
struct Serve: AsyncParsableCommand {
    @Flag var waits = false

    func run() async throws {
        print(await MainActor.run { "serving" })
        if !waits { return }
        fflush(nil)
        // Wait for the test's SIGTERM. The time limit only ends a process whose test has crashed.
        try await Task.sleep(for: .seconds(600))
    }
}

/// Throws an exit status, or a usage error.
struct Fail: AsyncParsableCommand {
    @Argument var status: Int32?

    func run() async throws {
        await Task.yield()
        guard let status else { throw ValidationError("Give a status") }
        throw ExitCode(status)
    }
}

/// A synchronous command.
struct Count: ParsableCommand {
    func run() { print("counted") }
}
