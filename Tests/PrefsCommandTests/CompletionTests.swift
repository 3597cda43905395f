import Foundation
import Testing

/// Completions, help and the man page cover every command.
@Suite struct CompletionTests {
    static let commands = [
        "get", "list", "set", "unset", "explain", "watch", "validate", "diff", "convert", "export", "import",
        "edit",
        "lock", "unlock", "locks", "doctor", "ps", "history", "drift", "reload", "ui",
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
