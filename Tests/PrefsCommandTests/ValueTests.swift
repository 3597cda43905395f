import Foundation
import Testing

/// The commands `get`, `list`, `set` and `unset`.
@Suite struct ValueTests {
    @Test(arguments: [
        ("81", "int stores an integer"), ("1.10", "real stores "), ("true", "bool stores "),
        ("[1]", "array stores "),
        (#"{"a": 1}"#, "dict stores "), ("10.0.0.1", nil), ("info", nil), ("two words", nil), ("", nil),
    ])
    func `text that looks like another type is stored as a string, and said to be`(
        text: String, words: String?
    ) throws {
        let sandbox = try Sandbox()
        let run = try sandbox.layered("set", "level", text)
        #expect(run.status == 0, "\(run)")
        let remark =
            "level: stored as a string, because neither a schema nor a present value gives its type; --type "
        #expect(run.errors.contains(remark + (words ?? "")) == (words != nil), "\(run)")
        #expect(try sandbox.layered("set", "level", text).errors == "", "the present value is a string")
        #expect(try sandbox.layered("set", "other", text, "--type", "string").errors == "")
    }

    static let pasted: [(type: String, text: String)] = [
        ("string", "1.10"), ("string", "two words"), ("string", "it's"), ("string", "line\nbreak"),
        ("string", ""), ("int", "-5"), ("int", "9223372036854775807"), ("real", "0.1"), ("real", "1e+300"),
        ("bool", "true"), ("date", "2024-05-01T10:00:00Z"), ("date", "1000-01-01T00:00:00Z"),
        ("date", "9999-12-31T23:59:59Z"), ("data", "AAEC/w=="),
        ("array", #"[1, "two", [true]]"#), ("dict", #"{"a": {"b": 1.5}}"#),
    ]

    @Test(arguments: pasted)
    func `a printed value can be passed back to set`(type: String, text: String) throws {
        let sandbox = try Sandbox()
        #expect(try sandbox.layered("set", "some.name", "--type", type, "--", text).status == 0)
        let stored = try sandbox.text(of: sandbox.user)
        let printed = try sandbox.layered("get", "some.name")
        #expect(printed.output == text + "\n")
        #expect(try sandbox.layered("set", "some.name", "--", String(printed.output.dropLast())).status == 0)
        #expect(try sandbox.text(of: sandbox.user) == stored)
    }

    @Test func `the commands that list prints store the same values again`() throws {
        let sandbox = try Sandbox()
        for (index, (type, text)) in Self.pasted.enumerated() where type != "dict" {
            _ = try sandbox.layered("set", "group.key\(index)", "--type", type, "--", text)
        }
        let commands = try sandbox.layered("list", "--commands").output
            .replacing("prefs set", with: "\(Sandbox.tool) set --layer user=\(sandbox.root)/again.plist")
        #expect(try sandbox.run("/bin/bash", ["-c", commands]).status == 0)
        let diff = try sandbox.prefs("diff", "user.plist", "again.plist")
        #expect(diff.status == 0, "\(diff)")
    }

    @Test func `the commands that list prints quote what a shell would expand`() throws {
        let sandbox = try Sandbox()
        for (key, value) in [("a", "=ls"), ("b", "$(id)"), ("c", "~"), ("$(id)", "x=y")] {
            #expect(try sandbox.layered("set", "--", key, value).status == 0)
        }
        let commands = Set(
            try sandbox.layered("list", "--commands").lines.map { $0.split(separator: " -- ")[1] })
        #expect(commands == ["a '=ls'", "b '$(id)'", "c '~'", "'$(id)' x=y"])
    }

    @Test func `the type comes from the option, then the schema, then the current value, then string`() throws
    {
        let sandbox = try Sandbox()
        func type(_ key: String) throws -> String? {
            try sandbox.layered("get", key, "--json").object["type"] as? String
        }
        _ = try sandbox.layered("set", "version", "1.10")
        #expect(try type("version") == "string")
        _ = try sandbox.layered("set", "count", "1", "--type", "int")
        _ = try sandbox.layered("set", "count", "2")
        #expect(try type("count") == "int")
        _ = try sandbox.layered("set", "http.port", "80", "--schema", sandbox.schema)
        #expect(try type("http.port") == "int")
        let rejected = try sandbox.layered("set", "count", "many")
        #expect(rejected.errors.contains("expected an integer like the current value in user"))
    }

    @Test func `the schema rejects wrong values and suggests keys`() throws {
        let sandbox = try Sandbox()
        let range = try sandbox.layered("set", "http.port", "70000", "--schema", sandbox.schema)
        #expect(range.status == 1 && range.errors.contains("http.port: expected 1...65535, found 70000"))
        let name = try sandbox.layered("set", "htpp.port", "80", "--schema", sandbox.schema)
        #expect(name.status == 1 && name.errors.contains("did you mean “http.port”?"))
        #expect(
            try sandbox.layered("set", "htpp.port", "80", "--schema", sandbox.schema, "--allow-unknown")
                .status == 0)
    }

    @Test(arguments: [
        ("limits.cpu", "2", nil), ("limits.cpu", "many", "limits.cpu: expected an integer, found many"),
        ("level.x", "1", "level.x: “level” is declared as string, which has no such part"),
    ])
    func `a part of a declared dictionary has the type of its values`(
        key: String, text: String, complaint: String?
    ) throws {
        let sandbox = try Sandbox()
        let run = try sandbox.layered("set", key, text, "--schema", sandbox.schema)
        #expect(run.status == (complaint == nil ? 0 : 1), "\(run)")
        if let complaint {
            #expect(run.errors.contains(complaint), "\(run)")
            #expect(!FileManager.default.fileExists(atPath: sandbox.user))
        } else {
            let limits = try sandbox.layered("get", "limits", "--schema", sandbox.schema)
            #expect(limits.output == "{\"cpu\": 2}\n", "\(limits)")
            let type = try sandbox.layered("set", key, "x", "--type", "string", "--schema", sandbox.schema)
            #expect(type.status == 1, "\(type)")
        }
    }

    @Test(arguments: ["[1, 2", "[a, b]", "[\"a\", 2]"])
    func `a text that begins with a bracket is no list separated by commas`(text: String) throws {
        let sandbox = try Sandbox()
        try sandbox.write(
            #"{"properties": {"names": {"type": "array", "items": {"type": "string"}}}}"#, to: sandbox.schema)
        let run = try sandbox.layered("set", "names", text, "--schema", sandbox.schema)
        let complaint = text == "[\"a\", 2]" ? "names[1]: expected a string" : "expected a JSON array"
        #expect(run.status == 1 && run.errors.contains(complaint), "\(run)")
        let typed = try sandbox.layered("set", "other", text, "--type", "array")
        #expect((typed.status == 0) == (text == "[\"a\", 2]"), "\(typed)")
        let good = try sandbox.layered("set", "names", #"["[a", "b"]"#, "--schema", sandbox.schema)
        #expect(good.status == 0, "\(good)")
    }

    @Test(arguments: [
        ("[::1]:80", ["[::1]:80"]), ("[::1]:80,[::]:443", ["[::1]:80", "[::]:443"]),
        ("[::1], [::]", ["[::1]", "[::]"]),
    ])
    func `a bracket within an element begins no JSON array`(text: String, elements: [String]) throws {
        let sandbox = try Sandbox()
        try sandbox.write(
            #"{"properties": {"names": {"type": "array", "items": {"type": "string"}}}}"#, to: sandbox.schema)
        let run = try sandbox.layered("set", "names", text, "--schema", sandbox.schema)
        #expect(run.status == 0, "\(run)")
        let stored = try sandbox.layered("get", "names", "--schema", sandbox.schema).output
        #expect(stored == "[\(elements.map { "\"\($0)\"" }.joined(separator: ", "))]\n")
    }

    @Test(arguments: [
        "set a 1", "unset a", "edit", "import i.json", "convert --to toml", "lock a", "unlock a", "repair",
    ])
    func `a command that writes rejects to select a layer to read`(command: String) throws {
        let sandbox = try Sandbox()
        try sandbox.write(#"{"a": 2}"#, to: "\(sandbox.root)/i.json")
        try sandbox.write(Sandbox.plist("<key>a</key><string>x</string>"), to: sandbox.user)
        let words = command.split(separator: " ").map(String.init) + sandbox.layers + ["--layer", "system"]
        let run = try sandbox.run(Sandbox.tool, words, environment: ["EDITOR": "true"])
        #expect(run.status == 2 && run.errors.contains("--layer system selects a layer to read"), "\(run)")
        #expect(try sandbox.layered("get", "a").output == "x\n")
    }

    @Test func `an argument that is not UTF-8 is rejected`() throws {
        let sandbox = try Sandbox()
        for words in ["get \"$X\"", "set a \"$X\""] {
            let line = "X=$(printf '\\377'); '\(Sandbox.tool)' \(words) --layer 'user=\(sandbox.user)'"
            let run = try sandbox.run("/bin/sh", ["-c", line])
            #expect(run.status == 2 && run.errors.contains("is not UTF-8"), "\(run)")
        }
        #expect(!FileManager.default.fileExists(atPath: sandbox.user))
    }

    @Test func `the program's own name need not be UTF-8`() throws {
        let sandbox = try Sandbox()
        try sandbox.write(Sandbox.plist("<key>a</key><string>x</string>"), to: sandbox.user)
        let link = "\"$(printf '\\377')\""
        let line = "ln -s '\(Sandbox.tool)' \(link); ./\(link) get a --layer 'user=\(sandbox.user)'"
        let run = try sandbox.run("/bin/sh", ["-c", line])
        #expect(run.status == 0 && run.output == "x\n", "\(run)")
    }

    @Test(arguments: [("", false), ("\\n", true), ("x", true)])
    func `empty standard input stores nothing`(input: String, isStored: Bool) throws {
        let sandbox = try Sandbox()
        _ = try sandbox.layered("set", "token", "old")
        let layer = "--layer 'user=\(sandbox.user)'"
        let line = "printf '\(input)' | '\(Sandbox.tool)' set token - \(layer)"
        let run = try sandbox.run("/bin/sh", ["-c", line])
        #expect((run.status == 0) == isStored, "\(run)")
        #expect(isStored || run.errors.contains("token: standard input is empty"), "\(run)")
        #expect(try sandbox.text(of: sandbox.user).contains("<string>old</string>") == !isStored)
    }

    @Test(arguments: [
        ("real", "1e400"), ("real", "-1e400"), ("integer", "99999999999999999999"), ("integer", "1e400"),
    ])
    func `a number that is out of range is an error that says so`(type: String, text: String) throws {
        let sandbox = try Sandbox()
        let run = try sandbox.layered("set", "d", "--type", type, "--", text)
        #expect(run.status == 1 && run.errors.contains("found \(text), which is out of range"), "\(run)")
        #expect(!FileManager.default.fileExists(atPath: sandbox.user))
        #expect(try sandbox.layered("set", "d", "--type", "real", "--", "1e300").status == 0)
        let like = try sandbox.layered("set", "d", "--", "1e400")
        #expect(like.status == 1 && like.errors.contains("out of range"), "\(like)")
    }

    @Test func `setting a shadowed value names the layer that shadows it`() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.layered("set", "a", "user")
        let run = try sandbox.layered("set", "a", "system", "--to", "system")
        #expect(
            run.status == 0 && run.errors.contains("stored in system, but shadowed by user \(sandbox.user)"))
        let json = try sandbox.layered("set", "a", "again", "--to", "system", "--json")
        #expect(json.object["outcome"] as? String == "shadowed")
    }

    @Test func `setting a value that a variable of the shell shadows names the variable`() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.run(
            Sandbox.tool, ["set", "a", "file", "--to", "user"] + sandbox.layers + ["--env", "X"],
            environment: ["X_A": "variable"])
        #expect(
            run.errors.contains("a: stored in user, but shadowed by the variable X_A of this shell; "),
            "\(run)")
    }

    @Test func `layers have the order of the command line`() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.layered("set", "a", "file")
        let user = "user=\(sandbox.user)"
        func value(_ options: String...) throws -> String {
            try sandbox.run(Sandbox.tool, ["get", "a"] + options, environment: ["X_A": "variable"]).output
        }
        #expect(try value("--layer", user, "--set", "a=set") == "set\n")
        #expect(try value("--set", "a=set", "--layer", user) == "file\n")
        #expect(try value("--set", "a=set", "--env", "X", "--layer", "other=none.plist") == "variable\n")
        #expect(try value("--env", "X_", "--layer", user, "--layer", "environment") == "variable\n")
        #expect(try value("--layer", user, "--env", "X", "--set", "a=set", "--layer", "user") == "file\n")
    }

    @Test func `get prints one JSON object with its origin`() throws {
        let sandbox = try Sandbox()
        try sandbox.write(
            Sandbox.plist("<key>http</key><dict><key>port</key><integer>80</integer></dict>"),
            to: sandbox.user)
        let object = try sandbox.layered("get", "http.port", "--json").object
        #expect(object["key"] as? String == "http.port")
        #expect(object["value"] as? Int == 80)
        #expect(object["type"] as? String == "int")
        #expect(object["layer"] as? String == "user")
        #expect(object["file"] as? String == sandbox.user)
        #expect(object["line"] as? Int == 4)
        #expect(object["untyped"] as? Bool == true)
    }

    @Test func `a pipe receives tabs and no colours`() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.layered("set", "a", "two words")
        let run = try sandbox.layered("list")
        #expect(run.output.hasPrefix("a\t'two words'\tuser \(sandbox.user):"))
        #expect(run.errors.contains("untyped"))
    }

    @Test func `set stores nothing below a value that is no dictionary`() throws {
        let sandbox = try Sandbox(user: "user.toml")
        try sandbox.write("[a]\nb = \"x\"\n", to: sandbox.user)
        let run = try sandbox.layered("set", "a.b.c", "1", "--type", "int")
        #expect(run.status == 1)
        #expect(
            run.errors.contains("\(sandbox.user):2:1: a.b.c: expected a dictionary, found a string at a.b; "))
        #expect(try sandbox.layered("get", "a.b").output == "x\n")
        #expect(try sandbox.layered("set", "a.d", "1", "--type", "int").errors.isEmpty)
    }

    /// Returns a folder with `log.file` in the user's file, and the schema of `log.level`, formerly `log`.
    private func sandboxOfRenamedKey() throws -> (Sandbox, schema: String) {
        let sandbox = try Sandbox()
        let schema = "\(sandbox.root)/log.schema.json"
        try sandbox.write(
            """
            {"type": "object", "properties": {"log": {"type": "object", "properties": {
              "level": {"type": "string", "x-prefs": {"type": "string", "formerNames": ["log"]}}}}}}
            """, to: schema)
        try sandbox.write(
            Sandbox.plist("<key>log</key><dict><key>file</key><string>x</string></dict>"), to: sandbox.user)
        return (sandbox, schema)
    }

    @Test func `a section that has a former name of the key is no value`() throws {
        let (sandbox, schema) = try sandboxOfRenamedKey()
        let run = try sandbox.layered("get", "log.level", "--default", "none", "--schema", schema)
        #expect(run.output == "none\n" && run.errors.isEmpty, "\(run)")
        let explanation = try sandbox.layered("explain", "log.level", "--schema", schema)
        #expect(!explanation.output.contains("rejected"), "\(explanation)")
    }

    @Test func `unset leaves the section that has a former name of the key`() throws {
        let (sandbox, schema) = try sandboxOfRenamedKey()
        _ = try sandbox.layered("set", "log.level", "debug", "--schema", schema)
        #expect(try sandbox.layered("unset", "log.level", "--schema", schema).status == 0)
        #expect(try sandbox.layered("get", "log.file", "--schema", schema).output == "x\n")
        #expect(try sandbox.layered("unset", "log.level", "--schema", schema).status == 1)
        #expect(try sandbox.layered("get", "log.file", "--schema", schema).output == "x\n")
    }

    @Test func `unset removes the key from one layer`() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.layered("set", "a.b", "low", "--to", "system")
        _ = try sandbox.layered("set", "a.b", "high")
        let run = try sandbox.layered("unset", "a.b", "--json")
        #expect(run.object["value"] as? String == "low" && run.object["layer"] as? String == "system")
        #expect(try sandbox.layered("get", "a.b").output == "low\n")
    }

    @Test(arguments: [
        ("http", #"{"http.port": 1, "http": {"tls": {"a": 1}}, "b": 2}"#),
        ("http", #"{"http.tls": {"a": 1}, "b": 2}"#), ("limits", #"{"b": 2, "limits.cpu": 1}"#),
    ])
    func `unset also removes what is spelled with dots below the key`(key: String, text: String) throws {
        let sandbox = try Sandbox(user: "user.json")
        try sandbox.write(text, to: sandbox.user)
        let run = try sandbox.layered("unset", key, "--schema", sandbox.schema)
        #expect(run.status == 0, "\(run)")
        #expect(try sandbox.layered("export", "--json").output == "{\n  \"b\": 2\n}\n")
    }

    @Test func `unset names the other file of the layer that sets the key`() throws {
        let sandbox = try Sandbox()
        let dropIn = "\(sandbox.root)/system.plist.d/50.plist"
        try sandbox.write(Sandbox.plist("<key>a</key><string>x</string>"), to: dropIn)
        let nothing = try sandbox.layered("unset", "a", "--to", "system")
        #expect(
            nothing.status == 1 && nothing.errors.contains("nothing was removed; it is set in "), "\(nothing)"
        )
        #expect(nothing.errors.contains("\(dropIn):4"), "\(nothing)")
        _ = try sandbox.layered("set", "a", "y", "--to", "system")
        let removed = try sandbox.layered("unset", "a", "--to", "system")
        #expect(
            removed.status == 0
                && removed.errors.contains("removed from \(sandbox.system), but still set in "),
            "\(removed)")
        #expect(try sandbox.layered("get", "a").output == "x\n")
    }

    @Test func `a new system file is readable by all users`() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.layered("set", "a", "1", "--to", "system")
        _ = try sandbox.layered("set", "a", "1")
        let modes = try sandbox.run("/usr/bin/stat", ["-c", "%a", sandbox.system, sandbox.user])
        #expect(modes.output == "644\n600\n")
    }
}
