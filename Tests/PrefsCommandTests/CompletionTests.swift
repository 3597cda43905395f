import Foundation
import Testing

/// Completions, help and the man page cover every command.
@Suite struct CompletionTests {
    static let commands = [
        "get", "list", "set", "unset", "explain", "watch", "validate", "diff", "convert", "export", "import",
        "edit",
        "lock", "unlock", "locks", "doctor", "ps", "history", "drift", "reads", "reload", "ui",
    ]

    @Test(arguments: ["bash", "zsh", "fish"])
    func `completions name every command`(shell: String) throws {
        let run = try Sandbox().prefs("--generate-completion-script", shell)
        #expect(run.status == 0)
        for command in Self.commands { #expect(run.output.contains(command)) }
    }

    @Test(arguments: commands)
    func `every command has help and a JSON flag`(command: String) throws {
        let run = try Sandbox().prefs("help", command)
        #expect(run.status == 0 && run.output.contains("OVERVIEW"))
        #expect(run.output.contains("--json") || ["reload", "ui"].contains(command))
    }

    @Test(arguments: commands)
    func `help shows an example before everything else`(command: String) throws {
        let lines = try Sandbox().prefs("help", command).output.split(separator: "\n")
        let example = try #require(lines.firstIndex { $0.hasPrefix("Example") })
        #expect(lines[example + 1].hasPrefix("  prefs \(command)"))
        #expect(lines[..<example].allSatisfy { !$0.hasPrefix("USAGE") })
    }

    @Test func `completions of keys, types and layers describe them`() throws {
        let sandbox = try Sandbox()
        let zsh = try sandbox.prefs(
            "---completion", "get", "--", "positional@0", "2", "0", "prefs", "get", "", "--schema",
            sandbox.schema, environment: ["SAP_SHELL": "zsh"])
        #expect(zsh.output.contains("http.port:The port to listen on."))
        let fish = try sandbox.prefs(
            "---completion", "set", "--", "--to", "3", "0", "prefs", "set", "--to", "",
            environment: ["SAP_SHELL": "fish"])
        #expect(fish.output.contains("system\tthe administrator's file"))
        let bash = try sandbox.prefs(
            "---completion", "get", "--", "--type", "3", "0", "prefs", "get", "--type", "",
            environment: ["SAP_SHELL": "bash"])
        #expect(bash.output.split(separator: "\n").contains("int"))
    }

    @Test(arguments: commands)
    func `each command has a man page with its options and examples`(command: String) throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../share/man/man1/prefs-\(command).1").standardized
        let text = try String(contentsOf: page, encoding: .utf8).replacing("\\-", with: "-")
        #expect(text.contains(".SH EXAMPLES"))
        let help = try Sandbox().prefs("help", command).output
        for match in help.matches(of: /--[a-z][a-z-]+/) where !["--help", "--version"].contains(match.output)
        {
            #expect(text.contains(match.output), "\(match.output)")
        }
    }

    @Test func `the man page describes every command and option`() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../share/man/man1/prefs.1").standardized
        let text = try String(contentsOf: page, encoding: .utf8).replacing("\\-", with: "-")
        for command in Self.commands {
            #expect(text.contains(command))
            let help = try Sandbox().prefs("help", command).output
            for match in help.matches(of: /--[a-z][a-z-]+/) {
                #expect(text.contains(match.output), "\(command) \(match.output)")
            }
        }
    }
}
