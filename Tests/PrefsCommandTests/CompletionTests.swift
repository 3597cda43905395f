import Foundation
import TestSupport
import Testing

/// Completions, help and the man page cover every command.
@Suite struct CompletionTests {
    static let commands = [
        "get", "list", "set", "unset", "explain", "watch", "validate", "diff", "convert", "export", "import",
        "edit", "repair",
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

    /// Names of keys that a shell would expand, or that would break the shell's list of candidates.
    static let hostileNames = [
        "$(touch${IFS}PWNED1)", "`id>PWNED2`", "${IFS}", "$HOME", "~", "*", "{a,b}", "$((1+1))",
        "a;id>PWNED3",
        "a'b", "a\"b", "a\\b", "a b", "a\nb", "a\r\nb", "a\tb", "a\u{1b}[2Jb", "a\u{202e}b", "a\u{2028}b",
        "--json",
        "<(touch${IFS}PWNED4)", "!!", "#a", "",
    ]
    static let harmlessNames = ["http.port", "größe", "a-b_c.d", "srv:80/x@y", "名前"]

    /// Writes a schema with hostile and harmless names. Returns the path of the schema.
    private func hostileSchema(in sandbox: Sandbox) throws -> String {
        let key = ["type": "integer", "description": "First.\r\n$(touch PWNED5)\u{1b}[2J"]
        let names = Self.hostileNames + Self.harmlessNames
        let properties = Dictionary(uniqueKeysWithValues: names.map { ($0, key) })
        let schema: [String: Any] = ["type": "object", "properties": properties]
        let text = String(decoding: try JSONSerialization.data(withJSONObject: schema), as: UTF8.self)
        try sandbox.write(text, to: "\(sandbox.root)/evil.schema.json")
        return "\(sandbox.root)/evil.schema.json"
    }

    @Test(.enabled(if: Tool.find("bash") != nil))
    func `bash runs nothing that stands in the names of keys`() throws {
        let sandbox = try Sandbox()
        let schema = try hostileSchema(in: sandbox)
        let script = """
            cd "$1" || exit 1
            source <("$2" --generate-completion-script bash) || exit 1
            function="$(complete -p prefs)"; function="${function#*-F }"; function="${function% *}"
            COMP_WORDS=("$2" get --schema "$3" ""); COMP_CWORD=4
            COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT="${#COMP_LINE}"
            "$function" "$2" "" "$3"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let bash = try #require(Tool.find("bash"))
        let outcome = try bash.run(["-c", script, "bash", sandbox.root, Sandbox.tool, schema])
        let offered = Set(
            outcome.output.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("-") })
        #expect(offered == Set(Self.harmlessNames))
        let files = try FileManager.default.contentsOfDirectory(atPath: sandbox.root)
        #expect(files.filter { $0.hasPrefix("PWNED") } == [])
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `only names that a shell takes literally are offered`(shell: String) throws {
        let sandbox = try Sandbox()
        let offered = try sandbox.prefs(
            "---completion", "get", "--", "positional@0", "2", "0", "prefs", "get", "", "--schema",
            try hostileSchema(in: sandbox), environment: ["SAP_SHELL": shell])
        let expected = Self.harmlessNames.map { name in
            switch shell {
            case "zsh": name.replacing(":", with: "\\:") + ":First."
            case "fish": name + "\tFirst."
            default: name
            }
        }
        let lines = offered.output.split(separator: "\n").map(String.init).filter { $0 != " " }
        #expect(Set(lines) == Set(expected))
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

    @Test func `the man page lists every command`() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../share/man/man1/prefs.1").standardized
        let text = try String(contentsOf: page, encoding: .utf8)
        for command in Self.commands {
            #expect(text.contains("\\fBprefs \(command)\\fR"))
        }
    }
}
