import Foundation
import Testing

/// Runs on a pseudo-terminal that `script` of util-linux creates.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")))
struct TerminalTests {
    private func onTerminal(_ sandbox: Sandbox, _ command: [String], _ extra: [String: String] = [:]) throws
        -> String
    {
        let line = ([Sandbox.tool] + command + sandbox.layers).joined(separator: " ")
        return try sandbox.run("/usr/bin/script", ["-qec", line, "/dev/null"], environment: extra).output
    }

    private func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox()
        _ = try sandbox.layered("set", "a", "1")
        _ = try sandbox.layered("set", "longer.one", "two words")
        return sandbox
    }

    @Test func `columns are aligned and coloured`() throws {
        let output = try onTerminal(try sandbox(), ["list"])
        #expect(output.contains("\u{1B}[1ma\u{1B}[0m           \u{1B}[32m1\u{1B}[0m"))
        #expect(output.contains("\u{1B}[1mlonger.one\u{1B}[0m  \u{1B}[32m'two words'\u{1B}[0m"))
    }

    @Test(arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
    func `colours can be disabled`(environment: [String: String]) throws {
        let output = try onTerminal(try sandbox(), ["list"], environment)
        #expect(!output.contains("\u{1B}[") && output.contains("a           1"))
    }

    @Test func `validate lists valid files on a terminal`() throws {
        #expect(try onTerminal(try sandbox(), ["validate"], ["NO_COLOR": "1"]).contains("user.plist: ok"))
    }

    @Test func `edit asks on a terminal whether to edit again`() throws {
        let sandbox = try sandbox()
        try sandbox.write(
            "#!/bin/sh\nif [ -e done ]; then sed -e 's/>1</>2</' kept > \"$1\"; else touch done; cp \"$1\" kept; echo '<p' > \"$1\"; fi\n",
            to: "\(sandbox.root)/editor")
        _ = try sandbox.run("/bin/chmod", ["+x", "\(sandbox.root)/editor"])
        let tool = ([Sandbox.tool, "edit"] + sandbox.layers).joined(separator: " ")
        let run = try sandbox.run(
            "/bin/sh", ["-c", "echo y | script -qec '\(tool)' /dev/null"],
            environment: ["EDITOR": "\(sandbox.root)/editor"])
        #expect(run.output.contains("Edit again?"))
        #expect(try sandbox.layered("get", "a").output == "2\n", "\(run)")
    }
}
