import Foundation
import PrefsDocuments
import TestSupport
import Testing

/// Without a schema, the name of a key decides whether its value is shown.
@Suite struct SuspectedSecretTests {
    private func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.write(
            Sandbox.plist(
                """
                <key>auth</key><dict>
                  <key>apiToken</key><string>hunter2</string><key>user</key><string>ada</string>
                </dict>
                <key>db_password</key><string>hunter2</string>
                <key>upstreams</key><array><dict><key>key</key><string>hunter2</string></dict></array>
                <key>monkey</key><string>visible</string>
                """), to: sandbox.user)
        return sandbox
    }

    @Test(arguments: [
        ["list"], ["list", "--json"], ["explain", "auth"], ["get", "auth"], ["export", "--json"],
    ])
    func `a value whose key suggests a secret is hidden`(command: [String]) throws {
        let sandbox = try sandbox()
        let run = try sandbox.run(Sandbox.tool, command.prefix(1) + sandbox.layers + command.dropFirst())
        #expect(run.status == 0, "\(run)")
        #expect(!run.output.contains("hunter2"), "\(run)")
        #expect(run.output.contains("ada"), "\(run)")
    }

    @Test func `the value is shown on request`() throws {
        let sandbox = try sandbox()
        let list = try sandbox.layered("list")
        #expect(list.errors.contains("no schema that declares the keys is installed"), "\(list)")
        #expect(list.errors.contains("--show-secrets"), "\(list)")
        #expect(list.output.contains("visible"), "\(list)")
        let hidden = try sandbox.layered("get", "db_password")
        #expect(hidden.status == 3, "\(hidden)")
        #expect(hidden.errors.contains("no schema is installed; use --show-secrets"), "\(hidden)")
        #expect(try sandbox.layered("get", "db_password", "--show-secrets").output == "hunter2\n")
        #expect(try sandbox.layered("list", "--show-secrets").output.contains("hunter2"))
    }

    @Test func `a secret is read from standard input`() throws {
        let sandbox = try Sandbox()
        let command =
            "printf 'hunter2\\n' | '\(Sandbox.tool)' set auth.token - --layer user='\(sandbox.user)'"
        let run = try sandbox.run("/bin/sh", ["-c", command])
        #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
        #expect(try sandbox.layered("get", "auth.token", "--show-secrets").output == "hunter2\n")
    }

    @Test func `a secret that others can see is warned about`() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.layered("set", "auth.token", "hunter2")
        #expect(run.status == 0)
        let words = sandbox.layers.joined(separator: " ")
        #expect(
            run.errors.contains("'prefs set \(words) auth.token -' reads it from standard input"), "\(run)")
        #expect(!run.errors.contains("may read"), "\(run)")
        let shared = try sandbox.layered("set", "auth.token", "hunter2", "--to", "system")
        #expect(shared.errors.contains("all users may read this secret in \(sandbox.system)"), "\(shared)")
        #expect(!"\(run)\(shared)".contains("hunter2"))
        #expect(try sandbox.layered("set", "auth.user", "ada").errors.isEmpty)
    }

    @Test(arguments: [
        ("dbpass", true), ("pwd", true), ("user_pwd", true), ("SMTP_PASS", true), ("Dbpassword", true),
        ("TOKEN", true), ("api_key", true), ("privateKey", true), ("bypass", false), ("compass", false),
        ("monkey", false), ("passage", false), ("public_key", false),
    ])
    func `names of secrets are recognized`(name: String, isSecret: Bool) throws {
        let sandbox = try Sandbox()
        try sandbox.write(Sandbox.plist("<key>\(name)</key><string>x</string>"), to: sandbox.user)
        let run = try sandbox.layered("get", name)
        #expect(run.status == (isSecret ? 3 : 0), "\(run)")
    }

    @Test func `a terminal does not show a secret that is typed`() throws {
        let sandbox = try Sandbox()
        let terminal = try PseudoTerminal(sandbox, ["set"] + sandbox.layers + ["auth.token", "-"])
        try terminal.wait(for: "Value of auth.token: ")
        terminal.type("hunter2\n")
        #expect(terminal.end() == 0)
        #expect(!terminal.output.contains("hunter2"), "\(terminal.output)")
        #expect(try sandbox.layered("get", "auth.token", "--show-secrets").output == "hunter2\n")
    }

    @Test(arguments: PrefsFileFormat.texts.map(\.fileExtension).filter(["toml", "yaml"].contains))
    func `a file does not begin with an empty line after its first key is removed`(format: String) throws {
        let sandbox = try Sandbox()
        let path = "\(sandbox.root)/settings.\(format)"
        let rest =
            format == "toml" ? "# The server.\n[http]\nport = 1\n" : "# The server.\nhttp:\n  port: 1\n"
        try sandbox.write((format == "toml" ? "level = 1\n\n" : "level: 1\n\n") + rest, to: path)
        let run = try sandbox.prefs("unset", "level", "--layer", "user=\(path)")
        #expect(run.status == 0, "\(run)")
        #expect(try sandbox.text(of: path) == rest)
    }

    @Test func `a schema decides for itself what is secret`() throws {
        let sandbox = try sandbox()
        try sandbox.write(
            #"{"type": "object", "properties": {"db_password": {"type": "string"}}}"#, to: sandbox.schema)
        let run = try sandbox.layered("get", "db_password", "--schema", sandbox.schema)
        #expect(run.output == "hunter2\n", "\(run)")
    }
}
