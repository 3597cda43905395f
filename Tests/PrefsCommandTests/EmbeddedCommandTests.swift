import Foundation
import Testing

/// A program with asynchronous commands of its own, run in every way that a program can run its commands.
@Suite struct EmbeddedCommandTests {
    enum Main: String, CaseIterable {
        case synchronous, asynchronous, parser
        case synchronousRoot = "synchronous root"

        /// The exit status of a usage error.
        var usage: Int32 { self == .parser ? 64 : 2 }
    }

    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        try sandbox.write("theme = \"dark\"\n", to: "\(sandbox.root)/.config/com.example.notes.toml")
    }

    static let program = URL(fileURLWithPath: Sandbox.tool).deletingLastPathComponent()
        .appendingPathComponent("EmbeddingProgram").path

    private func run(_ arguments: [String], by main: Main) throws -> Run {
        try sandbox.run(Self.program, arguments, environment: ["PROGRAM_MAIN": main.rawValue])
    }

    @Test(arguments: Main.allCases)
    func `own commands and those of prefs run and print, whoever runs them`(main: Main) throws {
        let table: [(arguments: [String], status: Int32, output: String)] = [
            (["serve"], 0, "serving\n"),
            (["count"], 0, "counted\n"),
            (["fail", "7"], 7, ""),
            (["fail"], main.usage, ""),
            (["nonsense"], main.usage, ""),
            (["prefs", "get", "theme"], 0, "dark\n"),
            (["prefs", "get", "nothing"], 1, ""),
            (["prefs", "get", "nothing", "--default", "x"], 0, "x\n"),
            (["prefs", "set", "theme"], main.usage, ""),
        ]
        for (arguments, status, output) in table {
            let run = try run(arguments, by: main)
            #expect(run.status == status && run.output == output, "\(arguments): \(run)")
            #expect(run.errors.isEmpty == (status == 0 || status == 7), "\(arguments): \(run)")
        }
        #expect(try run(["prefs", "list"], by: main).output.contains("dark"))
        #expect(try run([], by: main).output.contains("USAGE: notes"))
    }

    @Test(arguments: Main.allCases)
    func `output that cannot be written is a failure, whoever runs the command`(main: Main) throws {
        let words = ["-c", "exec \"$0\" \"$@\" >/dev/full", Self.program, "prefs", "get", "theme"]
        let run = try sandbox.run("/bin/sh", words, environment: ["PROGRAM_MAIN": main.rawValue])
        #expect(run.status == 3, "\(run)")
    }

    @Test(arguments: Main.allCases)
    func `a signal ends an asynchronous command as it ends any program, and a watch with success`(
        main: Main
    ) throws {
        let variables = ["PROGRAM_MAIN": main.rawValue]
        let serving = try WatchRun(sandbox, running: Self.program, ["serve", "--waits"], variables)
        _ = try serving.line("a line of the program")
        #expect(serving.output == "serving\n")
        #expect(serving.end(SIGTERM) == -SIGTERM)
        let watching = try WatchRun(sandbox, running: Self.program, ["prefs", "watch", "--json"], variables)
        try watching.waitUntilReady()
        #expect(watching.end(SIGTERM) == 0)
    }
}
