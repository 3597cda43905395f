import Foundation
import TestSupport
import Testing

/// The standard input and output of the commands, and values that pass through a shell.
@Suite struct StandardStreamTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func shell(_ line: String) throws -> Run {
        try sandbox.run("/bin/sh", ["-c", line.replacing("prefs ", with: "'\(Sandbox.tool)' ")])
    }

    @Test(arguments: [["--"], ["-"], ["-x"], ["--force"], ["-5"], [""]])
    func `what follows two hyphens is a value`(words: [String]) throws {
        let run = try sandbox.run(
            Sandbox.tool, ["set", "--type", "string"] + sandbox.layers + ["--", "motd"] + words)
        #expect(run.status == 0 && run.errors == "", "\(run)")
        #expect(try sandbox.layered("get", "motd").output == words[0] + "\n")
        let behind = try sandbox.run(
            Sandbox.tool, ["set", "--type", "string"] + sandbox.layers + ["other", "--"] + words)
        #expect(behind.status == 0 && behind.errors == "", "\(behind)")
        #expect(try sandbox.layered("get", "other").output == words[0] + "\n")
    }

    @Test func `any value passes through the commands that list prints`() throws {
        var random = SeededGenerator(seed: 62)
        let parts = [
            "-", "--", "x", "'", "\"", "\\", "%", "%s", "$(id)", "`id`", "\n", "\r", "\r\n", "\t", " ", "é",
            "\u{0}", "\u{1B}", "\u{85}", "\u{202E}", "=", "~", "#", "*", "\\n", "\\047", "1", "\u{301}",
        ]
        var values: [String: String] = [:]
        for index in 0..<60 {
            let count = Int.random(in: 0...5, using: &random)
            values["k\(index)"] = (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
        }
        let file = "\(sandbox.root)/first.json"
        try sandbox.write(String(decoding: JSONEncoder().encode(values), as: UTF8.self), to: file)
        let commands = try sandbox.prefs("list", "--commands", "--layer", "user=\(file)")
        #expect(commands.status == 0 && commands.lines.count == 60, "\(commands)")
        let again = "'\(Sandbox.tool)' set --layer user=\(sandbox.root)/again.json"
        let script = commands.output.replacing("prefs set", with: again)
        let run = try sandbox.run("/bin/sh", ["-e", "-c", script])
        #expect(run.status == 0 && run.errors == "", "\(run)")
        let data = Data(try sandbox.text(of: "\(sandbox.root)/again.json").utf8)
        #expect(try JSONDecoder().decode([String: String].self, from: data) == values)
    }

    @Test(arguments: ["import - --layer user=again.toml", "convert - --to json", "validate -"])
    func `empty standard input is an error that says what to give`(command: String) throws {
        let run = try shell("prefs \(command) < /dev/null")
        #expect(run.status == 4, "\(run)")
        #expect((run.output + run.errors).contains("nothing to read; expected the text of a "), "\(run)")
    }

    @Test func `import, convert and validate read standard input`() throws {
        let layer = "--layer user=again.toml"
        let imported = try shell("printf 'a = 1\\n' | prefs import - \(layer)")
        #expect(imported.status == 0 && imported.errors == "", "\(imported)")
        #expect(try shell("prefs get a \(layer)").output == "1\n")
        let converted = try shell("printf 'a = 1\\n' | prefs convert - --to json")
        #expect(converted.object["a"] as? Int == 1, "\(converted)")
        #expect(try shell(#"printf '{"a": 1}' | prefs convert - --to toml"#).output == "a = 1\n")
        #expect(try shell("printf '<plist' | prefs validate -").status == 4)
        let broken = try shell("printf 'a = \\n' | prefs validate -")
        #expect(broken.status == 4 && broken.output.hasPrefix("standard input:1:"), "\(broken)")
        #expect(try shell("printf 'a = 1\\n' | prefs validate -").status == 0)
        #expect(try shell("prefs convert - --to json --in-place < /dev/null").status == 2)
    }

    @Test func `a file of TOML needs no extension`() throws {
        try sandbox.write("a = 1\n", to: "\(sandbox.root)/settings")
        let run = try sandbox.prefs("convert", "settings", "--to", "json")
        #expect(run.object["a"] as? Int == 1, "\(run)")
    }

    @Test func `a watch ends with its reader`() throws {
        try sandbox.write(Sandbox.plist("<key>a</key><integer>1</integer>"), to: sandbox.user)
        let run = try shell("timeout 60 prefs watch --json --initial --layer user=user.plist | head -1")
        #expect(run.lines.count == 1, "\(run)")
    }
}
