import Foundation
import TestSupport
import Testing

/// Runs every command on files that contain a secret under each of its names, and text that controls a
/// terminal wherever a file, a key or a path can contain text. Then searches everything that was printed.
@Suite struct SecretTests {
    private static let secret = "hunter2-s3cr3t"

    private static let schema = """
        {"type": "object", "properties": {
          "auth": {"type": "object", "properties": {
            "user": {"type": "string"},
            "token": {"type": "string", "writeOnly": true, "pattern": "^h",
              "x-prefs": {"type": "string", "secret": true, "formerNames": ["auth.oldToken", "legacy.token"]}},
            "creds": {"type": "object", "additionalProperties": {"type": "string"},
              "x-prefs": {"type": "dictionary of string", "secret": true, "formerNames": ["auth.oldCreds"]}}}},
          "pin": {"type": "integer", "x-prefs": {"type": "integer", "secret": true}},
          "port": {"type": "integer", "x-prefs": {"type": "integer"}}}}
        """

    /// Every place that can store a secret, and unknown keys beside them.
    private static var content: [String: Any] {
        [
            "auth": [
                "user": "ada", "token": secret, "oldToken": secret, "creds": ["user": secret],
                "oldCreds": ["user": secret],
            ],
            "legacy": ["token": secret], "auth.creds.dotted": secret, "auth.oldCreds.dotted": secret,
            "pin": secret,
            HostileText.text: HostileText.text, "group": [HostileText.text: ["a", HostileText.text]],
            "port": HostileText.text,
        ]
    }

    private func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.write(Self.schema, to: sandbox.schema)
        let text = try JSONSerialization.data(withJSONObject: Self.content)
        try sandbox.write(String(decoding: text, as: UTF8.self), to: "\(sandbox.root)/user.json")
        try sandbox.write(
            Sandbox.plist("<key>auth</key><string>none</string><key>pin</key><integer>1</integer>"),
            to: sandbox.system)
        try sandbox.write(
            "#!/bin/sh\necho '{\"auth\": {\"token\": \(Self.secret)}}' > \"$1\"\n",
            to: "\(sandbox.root)/editor")
        _ = try sandbox.run("/bin/chmod", ["+x", "\(sandbox.root)/editor"])
        return sandbox
    }

    private func layers(_ sandbox: Sandbox) -> [String] {
        [
            "--schema", sandbox.schema, "--layer", "system=\(sandbox.system)", "--layer",
            "user=\(sandbox.root)/user.json", "--env", "MYD_",
        ]
    }

    private func check(_ text: String, _ what: [String]) {
        #expect(!text.contains(Self.secret), "\(what): \(text)")
        #expect(HostileText.violations(in: text) == [], "\(what): \(text)")
    }

    private static let names = [
        "auth", "auth.token", "auth.oldToken", "auth.creds", "auth.creds.user", "auth.creds.dotted",
        "auth.oldCreds", "auth.oldCreds.user", "auth.oldCreds.dotted", "legacy", "legacy.token", "pin",
        HostileText.text, "group",
    ]

    @Test func `a secret whose file is missing is reported`() throws {
        let sandbox = try Sandbox()
        let layers = ["--env", "MYD_", "--schema", sandbox.schema]
        for (command, status) in [(["get", "token"], nil), (["explain", "token"], nil), (["doctor"], 1)] {
            let run = try sandbox.run(
                Sandbox.tool, command + layers, environment: ["MYD_TOKEN_FILE": "\(sandbox.root)/none"])
            let output = run.output + run.errors
            #expect(output.contains("the file that MYD_TOKEN_FILE names does not exist"), "\(run)")
            #expect(output.contains("\(sandbox.root)/none"), "\(run)")
            if let status { #expect(run.status == status, "\(run)") }
        }
    }

    @Test func `a new system file for a declared secret is private`() throws {
        let sandbox = try Sandbox()
        func set() throws -> Run {
            try sandbox.layered("set", "token", Self.secret, "--to", "system", "--schema", sandbox.schema)
        }
        let first = try set()
        #expect(first.status == 0, "\(first)")
        let mode = try FileManager.default.attributesOfItem(atPath: sandbox.system)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        #expect(
            first.errors.contains("token: stored in \(sandbox.system), which only this user may read"),
            "\(first)")
        #expect(!first.errors.contains("all users may read"), "\(first)")

        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: sandbox.system)
        let second = try set()
        #expect(second.errors.components(separatedBy: "all users may read").count == 2, "\(second)")
        #expect(!second.errors.contains("only this user"), "\(second)")
    }

    /// `SECRET` stands for the secret.
    private static let commands: [[String]] =
        names.flatMap { [["get", $0], ["list", $0], ["explain", $0], ["export", $0], ["unset", $0]] }
        + names.map { ["get", $0, "--type", "int"] }
        + names.filter { $0.hasPrefix("auth.") || $0 == "legacy.token" || $0 == "pin" }.flatMap {
            [
                ["set", $0, "--allow-unknown", "SECRET"],
                ["set", $0, "--allow-unknown", "--type", "int", "SECRET"],
            ]
        } + [
            ["list"], ["list", "--layer", "user"], ["list", "--commands"], ["list", "--type", "string"],
            ["diff", "system", "user"], ["diff", "user", "effective"], ["diff", "user.json", "system.plist"],
            ["validate"], ["validate", "--allow-unknown"], ["doctor"], ["export"], ["edit"],
            ["import", "user.json"], ["import", "--replace", "--allow-unknown", "user.json"],
            ["get", "auth.token", "--default", "none"], ["set", "auth.token", "-SECRET"],
            ["set", "auth.token", "SECRET", "SECRET"],
            ["lock", "--allow-unknown", "auth.token"], ["locks"], ["unlock", HostileText.text],
            ["lock", HostileText.text], ["get", "\(HostileText.text).deeper"],
            ["validate", "\(HostileText.text).json"],
            ["list", HostileText.text, "--layer", HostileText.text],
            ["explain", "port"], ["unset", "port"], [HostileText.text], ["get", "--\(HostileText.text)"],
        ]

    @Test(arguments: commands) func `a command prints neither secrets nor terminal controls`(
        command: [String]
    ) throws {
        for flags in [[], ["--json"]] {
            let sandbox = try sandbox()
            let words = command.map { $0.replacing("SECRET", with: Self.secret) }
            let line = words.prefix(1) + layers(sandbox) + flags + words.dropFirst()
            let run = try sandbox.run(
                Sandbox.tool, Array(line),
                environment: ["EDITOR": "\(sandbox.root)/editor", "MYD_PIN": Self.secret])
            // Only the value itself, which scripts read, is printed unchanged.
            if command.first == "get", flags.isEmpty, run.status == 0 {
                #expect(!run.output.contains(Self.secret), "\(line): \(run)")
                check(run.errors, Array(line))
            } else {
                check(run.output + run.errors, Array(line))
            }
        }
    }

    private static let broken: [(name: String, text: String)] = [
        ("a.plist", "<plist><dict><key>auth.token</key><integer>SECRET</integer></dict></plist>"),
        ("a.plist", "<plist><dict><key>auth.token</key><real>SECRET</real></dict></plist>"),
        ("a.plist", "<plist><dict><key>auth.token</key><date>SECRET</date></dict></plist>"),
        ("a.plist", "<plist><dict><key>auth.token</key><data>SECRET</data></dict></plist>"),
        ("a.plist", "<plist><dict><key>auth.token</key><SECRET/></dict></plist>"),
        ("a.plist", "<plist><dict><key>auth.token</key>SECRET</dict></plist>"),
        ("a.plist", "<plist><dict><key>auth.token</key><string>&SECRET;</string></dict></plist>"),
        ("a.plist", "<plist><dict><key>auth.token</key><string><SECRET></string></dict></plist>"),
        ("a.plist", "<SECRET>"), ("a.plist", "SECRET"), ("a.plist", "<plist></SECRET>"),
        ("a.json", #"{"auth.token": SECRET}"#), ("a.json", #"{"auth.token": "SECRET}"#),
        ("a.json", #"{"auth.token": "\SECRET"}"#), ("a.json", #"SECRET"#), ("a.json", #"{} SECRET"#),
        ("a.json", #"{"auth.token": 1SECRET}"#), ("a.json", #"{"auth.token": -SECRET}"#),
        ("a.json", #"{"auth": {"token": "SECRET", "token": "SECRET"}}"#), ("a.json", #"["SECRET"]"#),
    ]

    @Test(arguments: broken) func `the error of a broken file does not quote it`(
        name: String, text: String
    ) throws {
        let sandbox = try Sandbox()
        try sandbox.write(Self.schema, to: sandbox.schema)
        let path = "\(sandbox.root)/\(HostileText.text.filter { $0 != "/" })\(name)"
        try sandbox.write(text.replacing("SECRET", with: Self.secret), to: path)
        for command in [["validate"], ["list"], ["doctor"], ["get", "auth.token"], ["explain", "port"]] {
            for flags in [[], ["--json"]] {
                let line = command + ["--schema", sandbox.schema, "--layer", "user=\(path)"] + flags
                let run = try sandbox.run(Sandbox.tool, line)
                check(run.output + run.errors, line)
            }
        }
        for command in [["convert", path, "--to", "xml"], ["import", path], ["diff", path, path]] {
            let run = try sandbox.run(
                Sandbox.tool, command + (command[0] == "convert" ? [] : layers(sandbox)))
            check(run.errors, command)
        }
    }

    @Test(arguments: [false, true]) func `a watch prints neither`(asText isText: Bool) throws {
        let sandbox = try sandbox()
        let user = "\(sandbox.root)/user.json"
        let stored = try sandbox.text(of: user)
        try sandbox.write(#"{"auth": "x", "legacy": "x", "port": 1}"#, to: user)
        let watch = try WatchRun(sandbox, ["--initial"] + layers(sandbox), asText: isText)
        try isText ? watch.wait(for: "watching") : watch.waitUntilReady()
        try sandbox.write(stored, to: user)
        try watch.wait(for: "auth.user")
        try sandbox.write(#"{"auth": "x", "legacy": "x", "marker": 1}"#, to: user)
        try watch.wait(for: "marker")
        try sandbox.write(#"{"auth": \#(Self.secret)"#, to: user)
        try watch.wait(for: "expected")
        _ = watch.end(SIGTERM)
        check(watch.output, ["watch"])
    }

    @Test func `formats written to standard output escape what a terminal obeys`() throws {
        let sandbox = try sandbox()
        try sandbox.write(
            #"{"a\u009b\u202e": "b\u2028\u200f\u007f"}"#, to: "\(sandbox.root)/controls.json")
        for format in ["xml", "json"] {
            let run = try sandbox.prefs("convert", "controls.json", "--to", format)
            check(run.output + run.errors, ["convert", format])
            try sandbox.write(run.output, to: "\(sandbox.root)/copy.\(format == "xml" ? "plist" : format)")
        }
        #expect(try sandbox.prefs("diff", "copy.plist", "controls.json").status == 0)
        #expect(try sandbox.prefs("diff", "copy.json", "controls.json").status == 0)
    }
}
