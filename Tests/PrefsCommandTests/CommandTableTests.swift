import Foundation
import LayeredPrefs
import LayeredPrefsInspection
import LayeredPrefsTesting
import Testing

/// The effects of each command: its exit code, its output and the files that it changes, in normal use, with
/// a mistake, and in a script. The guide “Scripts” shows the same table.
///
/// After an intended change, run the tests with `UPDATE_GUIDES=1` to write the table into the guide.
@Suite struct CommandTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let command: String
        let status: Int32
        /// A part of the command's output; empty if it prints nothing.
        var output = ""
        /// A part of the command's messages; empty if there are none.
        var errors = ""
        /// The files that the command creates, changes or removes.
        var changes: [String] = []

        var testDescription: String { command }

        /// The row in the guide.
        var line: String {
            let cells = [output, errors].map { $0.isEmpty ? "" : "`\($0)`" }
            let files = changes.map { "`\($0)`" }.joined(separator: ", ")
            let columns = ["`prefs \(command)`", "\(status)", cells[0], cells[1], files]
            return "| "
                + columns.map { $0.replacing("|", with: "\\|").replacing("\t", with: " ") }.joined(
                    separator: " | ") + " |"
        }
    }

    static let rows: [Row] = [
        Row(command: "get port", status: 0, output: "80"),
        Row(command: "get prot", status: 1, errors: "prot: unknown key; did you mean “port”?"),
        Row(command: "get token", status: 3, errors: "the value is a secret; use --show-secrets to print it"),
        Row(command: "get level --json", status: 0, output: #""value": "debug", "type": "string""#),
        Row(command: "list", status: 0, output: "port\t80\tsystem"),
        Row(command: "list prot", status: 1, errors: "prot: not set; did you mean “port”?"),
        Row(command: "list --json", status: 0, output: #"{"key": "port", "value": 80"#),
        Row(command: "set port 81", status: 0, changes: ["user.json"]),
        Row(command: "set port many", status: 1, errors: "port: expected an integer, found many"),
        Row(
            command: "set host b", status: 3,
            errors:
                "not written to “user” because the lock on “host” in “system” forbids writes to higher layers"
        ),
        Row(
            command: "set port 81 --to system --json", status: 0, output: #""changed": true"#,
            changes: ["system.json"]),
        Row(command: "unset level", status: 0, changes: ["user.json"]),
        Row(command: "unset port", status: 1, errors: "port: not set in user"),
        Row(command: "unset port --absent-ok --json", status: 0, output: #""changed": false"#),
        Row(command: "explain port", status: 0, output: "effective"),
        Row(command: "explain prot", status: 1, output: "unknown key", errors: "prot: not set"),
        Row(command: "explain port --json", status: 0, output: #""role": "winner""#),
        Row(command: "watch --initial --lines | head -n 1", status: 0, output: "port", errors: "watching"),
        Row(command: "watch --layer nowhere", status: 2, errors: "unknown layer “nowhere”"),
        Row(command: "watch --json | head -n 1", status: 0, output: #"{"ready": true}"#),
        Row(command: "validate", status: 0),
        Row(command: "validate wrong.json", status: 1, output: "error: port: expected an integer"),
        Row(command: "validate broken.json", status: 4, output: "broken.json:1:2: error:"),
        Row(command: "validate - < new.json", status: 0),
        Row(command: "diff --if system=new.json", status: 1, output: "port: 80 → 81"),
        Row(command: "diff --if system=typo.json", status: 2, errors: "typo.json: no such file"),
        Row(command: "diff --if system=wrong.json --json", status: 3, output: #""rejected": [{"#),
        Row(command: "convert new.json --to toml", status: 0, output: "port = 81"),
        Row(command: "convert typo.json --to toml", status: 1, errors: "typo.json: no such file"),
        Row(command: "convert - --to toml < new.json", status: 0, output: "port = 81"),
        Row(
            command: "export --json", status: 0, output: #""port": 80"#,
            errors: "token: secret omitted; use --show-secrets to include it"),
        Row(command: "export prot", status: 1, output: "{}", errors: "prot: not set"),
        Row(command: "export --layer system -o out.toml", status: 0, changes: ["out.toml"]),
        Row(command: "import new.json", status: 0, changes: ["user.json"]),
        Row(command: "import wrong.json", status: 1, errors: "port: expected an integer"),
        Row(
            command: "import - --to system --json < new.json", status: 0, output: #""changed": true"#,
            changes: ["system.json"]),
        Row(command: "edit", status: 0, changes: ["user.json"]),
        Row(command: "edit --to nowhere", status: 2, errors: "unknown layer “nowhere”"),
        Row(command: "edit --to system --json", status: 0, output: #""changed": false"#),
        Row(
            command: "repair --layer user=broken.json", status: 0, output: "was broken, and is now",
            changes: ["broken.json", "broken.json.broken"]),
        Row(command: "repair", status: 1, errors: "not broken"),
        Row(
            command: "repair --layer user=broken.json --json", status: 0, output: #""kept": "#,
            changes: ["broken.json", "broken.json.broken"]),
        Row(command: "lock port", status: 0, changes: ["system.locks"]),
        Row(command: "lock prot", status: 1, errors: "unknown key (--allow-unknown locks it anyway)"),
        Row(command: "lock host --json", status: 0, output: #""changed": false"#),
        Row(command: "unlock host", status: 0, changes: ["system.locks"]),
        Row(command: "unlock port", status: 1, errors: "port: not locked in"),
        Row(command: "unlock port --absent-ok --json", status: 0, output: #""changed": false"#),
        Row(command: "locks", status: 0, output: "host\tsystem"),
        Row(command: "locks -d /", status: 2, errors: "“/” is not a domain"),
        Row(command: "locks --json", status: 0, output: #""key": "host""#),
        Row(command: "doctor", status: 0, output: "No problems found."),
        Row(
            command: "doctor -d com.example.edti", status: 1,
            output: "no file, schema or running process has this domain; did you mean “com.example.edit”?"),
        Row(command: "doctor --json", status: 0, output: #""problems": []"#),
        Row(command: "ps", status: 0, output: "com.example.edit"),
        Row(
            command: "ps -d com.example.edti", status: 0,
            errors: "no process of com.example.edti serves inspection; did you mean “com.example.edit”?"),
        Row(command: "ps --json", status: 0, output: #""domain": "com.example.edit""#),
        Row(command: "history", status: 0, errors: "no change is recorded"),
        Row(command: "history --pid 1", status: 1, errors: "process 1 serves no inspection"),
        Row(command: "history --json", status: 0, output: "[]"),
        Row(command: "drift", status: 0, errors: "a restart would change nothing"),
        Row(
            command: "drift -d com.example.edti", status: 1,
            errors: "no running process of com.example.edti serves inspection"),
        Row(command: "drift --json", status: 0, output: "[]"),
        Row(command: "reads", status: 0, output: "port\t8080\tsystem"),
        Row(command: "reads --pid 1", status: 1, errors: "process 1 serves no inspection"),
        Row(command: "reads --json", status: 0, output: #"{"read": ["#),
        Row(command: "reload", status: 0),
        Row(command: "reload --pid 1", status: 1, errors: "process 1 serves no inspection"),
        Row(command: "reload --live", status: 0),
        Row(command: "schema print", status: 0, output: #""properties""#),
        Row(command: "schema print -d com.example.edti", status: 1, errors: "no schema in"),
        Row(
            command: "schema install new.schema.json", status: 0, output: "com.example.edit.schema.json",
            changes: ["com.example.edit.schema.json"]),
        Row(command: "ui --port 99999", status: 2, errors: "99999"),
    ]

    private let sandbox: Sandbox
    private let sockets: PrefsSandbox
    private let storage: PrefsStack
    private let inspection: PrefsInspection
    private let domain = "com.example.edit"

    init() throws {
        sandbox = try Sandbox()
        sockets = try PrefsSandbox()
        let (root, schemas) = (sandbox.root, "\(sandbox.root)/share/prefs/schemas")
        try sandbox.write(
            """
            {"type": "object", "properties": {
              "port": {"type": "integer", "minimum": 1, "maximum": 65535, "default": 8080},
              "host": {"type": "string"}, "level": {"type": "string", "enum": ["debug", "info"]},
              "token": {"type": "string", "writeOnly": true}},
             "x-prefs": {"system": [{"file": "\(root)/system.json"}], "user": "\(root)/user.json"}}
            """, to: "\(schemas)/\(domain).schema.json")
        try sandbox.write(#"{"type": "object", "properties": {}}"#, to: "\(root)/new.schema.json")
        try sandbox.write(#"{"port": 80, "host": "a"}"#, to: "\(root)/system.json")
        try sandbox.write("host\n", to: "\(root)/system.locks")
        try sandbox.write(#"{"level": "debug", "token": "hunter2"}"#, to: "\(root)/user.json")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: "\(root)/user.json")
        try sandbox.write(#"{"port": 81}"#, to: "\(root)/new.json")
        try sandbox.write(#"{"port": "many"}"#, to: "\(root)/wrong.json")
        try sandbox.write("{", to: "\(root)/broken.json")
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler { _ in }
        let system = SystemPrefsStorage(
            locations: [PrefsFileLocations.System(path: "\(root)/system.json")], options: options)
        storage = PrefsStack(diagnostics: options.diagnostics) { [options] in
            PrefsLayer(.system, system)
            PrefsLayer(.user, FilePrefsStorage(path: "\(root)/user.json", options: options))
        }
        storage.trackReads()
        let port = PersistentKey("port", defaultValue: 8080, in: 1...65535)
        _ = storage.get(port)
        inspection = try storage.serveInspection(
            domain: domain, keys: [PrefsKeyDescription(port)], in: "\(sockets.root)/prefs",
            permitting: .reload)
    }

    /// Returns the contents of the files in the sandbox that are not hidden, by name.
    private func files() throws -> [String: String] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: sandbox.root)
            .filter { !$0.hasSuffix(".out") && !$0.hasSuffix(".err") }
        return paths.reduce(into: [:]) { files, path in
            let name = path.split(separator: "/").last.map(String.init) ?? path
            if !name.hasPrefix(".") { files[name] = try? sandbox.text(of: "\(sandbox.root)/\(path)") }
        }
    }

    @Test(arguments: rows) func `a command does what the table says`(row: Row) throws {
        let before = try files()
        let tools = URL(fileURLWithPath: Sandbox.tool).deletingLastPathComponent().path
        let run = try sandbox.run(
            "/bin/sh", ["-c", "prefs \(row.command)"],
            environment: [
                "PATH": "\(tools):/usr/bin:/bin", "PREFS_DOMAIN": domain, "XDG_RUNTIME_DIR": sockets.root,
                "EDITOR": "sed -i s/debug/info/",
            ])
        #expect(run.status == row.status, "\(run)")
        #expect(row.output.isEmpty ? run.output.isEmpty : run.output.contains(row.output), "\(run)")
        #expect(row.errors.isEmpty ? run.errors.isEmpty : run.errors.contains(row.errors), "\(run)")
        let after = try files()
        #expect(Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted() == row.changes)
    }

    @Test func `the guide shows the table`() throws {
        let guide = URL(filePath: #filePath)
            .appending(path: "../../../Sources/LayeredPrefs/LayeredPrefs.docc/Scripts.md").standardizedFileURL
        let lines = try String(contentsOf: guide, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let start = try #require(lines.firstIndex { $0.hasPrefix("| command | status |") })
        let end = lines[start...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
        let head = [
            "| command | status | standard output | standard error | changes |", "|---|---|---|---|---|",
        ]
        let table = head + Self.rows.map(\.line)
        if ProcessInfo.processInfo.environment["UPDATE_GUIDES"] != nil {
            let new = lines[..<start] + table + lines[end...]
            try new.joined(separator: "\n").write(to: guide, atomically: true, encoding: .utf8)
        } else {
            #expect(Array(lines[start..<end]) == table)
        }
    }

    @Test func `every command is in the table`() throws {
        let help = try sandbox.prefs("--experimental-dump-help").object
        let commands = ((help["command"] as? [String: Any])?["subcommands"] as? [[String: Any]] ?? [])
            .compactMap { $0["commandName"] as? String }
        let shown = Set(Self.rows.compactMap { $0.command.split(separator: " ").first.map(String.init) })
        // The commands for a fleet need a server.
        #expect(Set(commands).subtracting(["help", "fleet"]) == shown)
    }
}
