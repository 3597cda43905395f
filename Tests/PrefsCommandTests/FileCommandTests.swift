import Foundation
import Testing

/// The commands `validate`, `diff`, `convert`, `export`, `import`, `edit` and `doctor`.
@Suite struct FileCommandTests {
    @Test func `validate reports file, line and column`() throws {
        let sandbox = try Sandbox()
        try sandbox.write("<plist><dict><key>a</key></dict></plist>", to: sandbox.user)
        let broken = try sandbox.prefs("validate", "user.plist")
        #expect(broken.status == 4 && broken.output.hasPrefix("user.plist:1:"))
        let entries = """
            <key>http</key><dict>
            <key>port</key><integer>70000</integer>
              <key>hots</key><string>x</string></dict>
            <key>level</key><string>loud</string>
            """
        try sandbox.write(Sandbox.plist(entries), to: sandbox.user)
        #expect(try sandbox.prefs("validate", "user.plist").status == 0)
        let run = try sandbox.prefs("validate", "--schema", sandbox.schema, "user.plist")
        #expect(run.status == 1)
        #expect(
            run.lines == [
                "user.plist:5:1: error: http.port: expected 1...65535, found the integer 70000",
                "user.plist:6:3: error: http.hots: unknown key; did you mean “http.host”?",
                "user.plist:7:1: error: level: expected one of \"debug\", \"info\", found the string \"loud\"",
            ])
        let json = try sandbox.prefs("validate", "--json", "--schema", sandbox.schema, "user.plist").object
        let problems = json["problems"] as? [[String: Any]] ?? []
        #expect(json["valid"] as? Bool == false && problems.count == 3)
        #expect(problems[0]["line"] as? Int == 5 && problems[0]["code"] as? String == "invalid")
        #expect(try sandbox.layered("validate").status == 0)
    }

    @Test(arguments: [
        ("\"limits.cpu\": 1", nil), ("\"limits\": {\"ram\": 1}, \"limits.cpu\": 1", nil),
        ("\"limits.cpu\": \"many\"", "limits.cpu: expected an integer, found the string \"many\""),
        ("\"limits\": {\"ram\": 1}, \"limits.cpu\": {}", "limits.cpu: expected an integer"),
        ("\"level\": \"info\", \"level.x\": 1", "level.x: “level” is declared as string"),
        ("\"http.port.x\": 1", "http.port.x: “http.port” is declared as integer"),
    ])
    func `validate checks a literal key as the part of the key that it is`(
        text: String, complaint: String?
    ) throws {
        let sandbox = try Sandbox()
        try sandbox.write("{\(text)}", to: "\(sandbox.root)/x.json")
        let run = try sandbox.prefs("validate", "x.json", "--schema", sandbox.schema)
        #expect(run.status == (complaint == nil ? 0 : 1), "\(run)")
        #expect(complaint.map(run.output.contains) ?? run.output.isEmpty, "\(run)")
    }

    @Test func `a property list of zero bytes is broken from the start`() throws {
        let sandbox = try Sandbox()
        try sandbox.write("", to: sandbox.user)
        let run = try sandbox.layered("get", "a")
        #expect(run.status == 4 && run.errors.contains("\(sandbox.user):1:1: the file is empty"), "\(run)")
    }

    @Test func `conversion keeps values`() throws {
        let sandbox = try Sandbox()
        let entries =
            "<key>a</key><integer>1</integer><key>b</key><array><real>1.5</real></array><key>d</key><data>AAE=</data>"
        try sandbox.write(Sandbox.plist(entries), to: sandbox.user)
        #expect(
            try sandbox.prefs("convert", "user.plist", "--to", "binary", "--output", "b.plist").status == 0)
        #expect(try sandbox.prefs("diff", "user.plist", "b.plist").status == 0)
        let json = try sandbox.prefs("convert", "b.plist", "--to", "json")
        #expect(json.object["d"] as? String == "AAE=" && json.errors.contains("d: written as text"))
        #expect(try sandbox.prefs("convert", "b.plist", "--to", "xml", "--in-place").status == 0)
        #expect(try sandbox.text(of: "\(sandbox.root)/b.plist").hasPrefix("<?xml"))
    }

    @Test func `convert moves the user's file to another format, with comments`() throws {
        let sandbox = try Sandbox()
        let base = "\(sandbox.root)/.config/com.example.myd"
        try sandbox.write(
            Sandbox.plist(
                "<!-- The server. -->\n<key>http</key><dict><key>port</key><integer>1</integer></dict>"),
            to: "\(base).plist")
        func prefs(_ arguments: String...) throws -> Run {
            try sandbox.run(Sandbox.tool, arguments + ["--domain", "com.example.myd"])
        }
        #expect(try prefs("get", "http.port").output == "1\n")
        let run = try prefs("convert", "--to", "toml")
        #expect(run.status == 0 && run.errors.contains("\(base).plist.bak"), "\(run)")
        #expect(try sandbox.text(of: "\(base).toml") == "# The server.\n[http]\nport = 1\n")
        #expect(!FileManager.default.fileExists(atPath: "\(base).plist"))
        #expect(try prefs("set", "http.port", "2").status == 0)
        #expect(try sandbox.text(of: "\(base).toml") == "# The server.\n[http]\nport = 2\n")
        #expect(try prefs("explain", "http.port").output.contains("\(base).toml:3"))
        let editor = try prefs("edit", "--json")
        #expect(editor.status != 0 || editor.output.contains(".toml"))
        #expect(try prefs("convert", "--to", "toml").errors == "")
        let json = try prefs("convert", "--json")
        #expect(json.status == 0 && json.errors.contains("comments are left out"), "\(json)")
        #expect(try prefs("get", "http.port").output == "2\n")
        #expect(try prefs("convert", "--to", "xml").status == 0)
        #expect(try prefs("convert", "--to", "binary").status == 0)
        #expect(try sandbox.text(of: "\(base).toml.bak").contains("port = 2"))
        #expect(try prefs("get", "http.port").output == "2\n")
    }

    @Test func `convert overwrites no file of the name of its backup`() throws {
        let sandbox = try Sandbox()
        try sandbox.write("precious", to: "\(sandbox.root)/x.json.bak")
        try sandbox.write(#"{"a": 1}"#, to: "\(sandbox.root)/x.json")
        let run = try sandbox.prefs("convert", "x.json", "--to", "toml", "--in-place")
        #expect(run.status == 0 && run.errors.contains("x.json.bak.1"), "\(run)")
        #expect(try sandbox.text(of: "\(sandbox.root)/x.json.bak") == "precious")
        #expect(try sandbox.text(of: "\(sandbox.root)/x.json.bak.1") == #"{"a": 1}"#)
    }

    @Test func `a conversion that keeps the name keeps a copy, too`() throws {
        let sandbox = try Sandbox()
        let text = Sandbox.plist("<!-- why --><key>a</key><string>x</string>")
        try sandbox.write(text, to: sandbox.user)
        let run = try sandbox.prefs("convert", "user.plist", "--to", "binary", "--in-place")
        #expect(run.status == 0 && run.errors.contains("user.plist.bak"), "\(run)")
        #expect(try sandbox.text(of: "\(sandbox.user).bak") == text)
        let again = try sandbox.prefs("convert", "user.plist", "--to", "binary", "--in-place")
        #expect(again.status == 0 && again.errors == "", "\(again)")
    }

    @Test(arguments: [
        ("convert user.plist --to json -o x.toml", 2), ("convert user.plist --json -o x.plist", 2),
        ("convert user.plist --to binary -o x.plist", 0), ("convert user.plist --to json -o x", 0),
        ("export --format toml -o x.json", 2), ("export --json -o x.json", 0), ("export -o x.toml", 0),
    ])
    func `the name of an output does not contradict its format`(command: String, status: Int32) throws {
        let sandbox = try Sandbox()
        try sandbox.write(Sandbox.plist("<key>a</key><string>x</string>"), to: sandbox.user)
        let words = command.split(separator: " ").map(String.init)
        let run = try sandbox.run(Sandbox.tool, words + (words[0] == "export" ? sandbox.layers : []))
        #expect(run.status == status, "\(run)")
        #expect(status == 0 || run.errors.contains("give it the extension"), "\(run)")
    }

    #if YAML
        @Test func `the commands read, check, compare and edit a YAML file`() throws {
            let sandbox = try Sandbox()
            let file = "\(sandbox.root)/.config/com.example.myd.yml"
            func prefs(_ arguments: String...) throws -> Run {
                try sandbox.run(Sandbox.tool, arguments + ["--domain", "com.example.myd"])
            }
            try sandbox.write("# mine\nhttp:\n  port: 1 # p\n  host: no\n", to: file)
            #expect(try prefs("get", "http.port").output == "1\n")
            #expect(try prefs("get", "http.host").output == "no\n")
            #expect(try prefs("explain", "http.port").output.contains("\(file):3"))
            #expect(try prefs("set", "http.port", "2").status == 0)
            #expect(try sandbox.text(of: file) == "# mine\nhttp:\n  port: 2 # p\n  host: no\n")
            #expect(try prefs("validate").status == 0)
            // The file keeps its extension.
            #expect(try prefs("convert", "--to", "yaml").status == 0)
            #expect(try sandbox.text(of: file) == "# mine\nhttp:\n  port: 2 # p\n  host: no\n")
            try sandbox.write("http: {port: 2, host: \"no\"}\n", to: "\(sandbox.root)/other.yaml")
            #expect(try sandbox.prefs("diff", file, "other.yaml").status == 0)
            let editor = try sandbox.run(
                Sandbox.tool, ["edit", "--domain", "com.example.myd"], environment: ["EDITOR": "true"])
            #expect(editor.status == 0, "\(editor)")
            #expect(try prefs("convert", "--to", "toml").status == 0)
            #expect(
                try sandbox.text(of: file.replacing(".yml", with: ".toml"))
                    == "# mine\n[http]\nhost = \"no\"\n# p\nport = 2\n")
            #expect(try prefs("convert", "--to", "yaml").status == 0)
            #expect(
                try sandbox.text(of: file.replacing(".yml", with: ".yaml"))
                    == "# mine\nhttp:\n  host: \"no\"\n  # p\n  port: 2\n")
            try sandbox.write("a: [1\n", to: "\(sandbox.root)/bad.yaml")
            let run = try sandbox.prefs("validate", "bad.yaml")
            #expect(
                run.status == 4
                    && (run.output + run.errors).contains("bad.yaml:2:1: error: expected “,” or “]”"),
                "\(run)")
        }
    #endif

    @Test func `two formats of one name are reported by every command, and a conversion completes`() throws {
        let sandbox = try Sandbox()
        let base = "\(sandbox.root)/.config/com.example.myd"
        func prefs(_ arguments: String...) throws -> Run {
            try sandbox.run(Sandbox.tool, arguments + ["--domain", "com.example.myd"])
        }
        // Without a file, the command creates an empty file of that format.
        #expect(try prefs("convert", "--to", "toml").status == 0)
        #expect(try prefs("set", "a", "x").status == 0)
        try sandbox.write(Sandbox.plist("<key>a</key><string>x</string>"), to: "\(base).plist")
        for command in [["set", "a", "y"], ["edit"], ["validate"], ["doctor"], ["list"]] {
            let run = try sandbox.run(
                Sandbox.tool, command + ["--domain", "com.example.myd"], environment: ["EDITOR": "true"])
            let text = run.output + run.errors
            #expect(run.status == 4, "\(command) \(run)")
            #expect(text.contains("\(base).plist") && text.contains("\(base).toml"), "\(run)")
        }
        #expect(try prefs("convert", "--to", "toml").status == 0)
        #expect(try prefs("get", "a").output == "x\n")
        #expect(!FileManager.default.fileExists(atPath: "\(base).plist"))
        try sandbox.write(Sandbox.plist("<key>a</key><string>z</string>"), to: "\(base).plist")
        let run = try prefs("convert", "--to", "toml")
        #expect(run.status == 4 && run.errors.contains("other values"))
    }

    @Test func `doctor names both folders of drop-ins of one name, and remarks on one of another format`()
        throws
    {
        let sandbox = try Sandbox()
        try sandbox.write(Sandbox.plist(""), to: "\(sandbox.root)/system.plist")
        try sandbox.write("http.port = 82\n", to: "\(sandbox.root)/system.toml.d/10.toml")
        let remark = try sandbox.layered("doctor")
        #expect(remark.status == 0 && remark.output.contains("No problems found."), "\(remark)")
        #expect(remark.output.contains("system.toml.d: read, but named after another format"), "\(remark)")
        #expect(try sandbox.layered("get", "http.port").output == "82\n")
        // Renaming may be wrong advice: the folder may be a package's, and an upgrade would create it again.
        #expect(!remark.output.contains("rename"), "\(remark)")
        try FileManager.default.createDirectory(
            atPath: "\(sandbox.root)/system.plist.d", withIntermediateDirectories: true)
        let empty = try sandbox.layered("doctor")
        #expect(empty.status == 0 && empty.output == remark.output, "\(empty)")
        #expect(try sandbox.layered("get", "http.port").output == "82\n")
        try sandbox.write("http.port = 83\n", to: "\(sandbox.root)/system.plist.d/20.toml")
        let problem = try sandbox.layered("doctor")
        #expect(problem.status == 4, "\(problem)")
        #expect(problem.output.contains("system.plist.d") && problem.output.contains("system.toml.d"))
    }

    @Test func `import makes one change or none`() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.layered("set", "http.host", "kept")
        try sandbox.write(
            #"{"http": {"port": 81}, "since": "2024-05-01T10:00:00Z"}"#, to: "\(sandbox.root)/good.json")
        let run = try sandbox.layered("import", "good.json", "--schema", sandbox.schema)
        #expect(run.status == 0, "\(run)")
        let list = try sandbox.layered("list", "--json").objects
        #expect(list.map { $0["type"] as? String } == ["string", "int", "date"])
        try sandbox.write(#"{"http": {"port": 82, "hots": ""}}"#, to: "\(sandbox.root)/bad.json")
        let bad = try sandbox.layered("import", "bad.json", "--schema", sandbox.schema)
        #expect(bad.status == 1 && bad.errors.contains("bad.json:1:23: error: http.hots"))
        #expect(try sandbox.layered("get", "http.port").output == "81\n")
        try sandbox.write("http.port\n", to: "\(sandbox.root)/system.locks")
        #expect(try sandbox.layered("import", "good.json").status == 3)
        _ = try sandbox.layered("unlock", "http.port")
        #expect(try sandbox.layered("import", "good.json", "--replace").status == 0)
        #expect(try sandbox.layered("get", "http.host").status == 1)
    }

    @Test func `texts that are equal but for their Unicode normalization differ`() throws {
        let sandbox = try Sandbox(user: "user.toml")
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        _ = try sandbox.layered("set", "name", composed)
        #expect(try sandbox.layered("set", "name", decomposed).status == 0)
        #expect(try Array(sandbox.text(of: sandbox.user).utf8) == Array("name = \"\(decomposed)\"\n".utf8))
        try sandbox.write("{\"name\": \"\(composed)\"}", to: "\(sandbox.root)/x.json")
        let run = try sandbox.layered("diff", "user", "\(sandbox.root)/x.json")
        #expect(run.status == 1 && run.output.contains("→"), "\(run)")
        #expect(try sandbox.layered("import", "x.json").status == 0)
        #expect(try Array(sandbox.text(of: sandbox.user).utf8) == Array("name = \"\(composed)\"\n".utf8))
        try sandbox.write("\"\(composed)\" = 1\n", to: "\(sandbox.root)/a.toml")
        try sandbox.write("\"\(decomposed)\" = 1\n", to: "\(sandbox.root)/b.toml")
        let keys = try sandbox.layered("diff", "\(sandbox.root)/a.toml", "\(sandbox.root)/b.toml")
        #expect(keys.status == 1 && keys.lines.count == 2, "\(keys)")
    }

    @Test func `an import of an empty dictionary removes nothing`() throws {
        let sandbox = try Sandbox(user: "user.json")
        try sandbox.write(#"{"http": {"port": 81}, "a": 1}"#, to: sandbox.user)
        try sandbox.write(#"{"http": {}, "a": {}, "new": {}}"#, to: "\(sandbox.root)/i.json")
        let run = try sandbox.layered("import", "i.json")
        #expect(run.status == 0, "\(run)")
        #expect(try sandbox.layered("export", "--json").output.contains(#""port": 81"#))
        #expect(try sandbox.layered("get", "a").output == "{}\n")
        #expect(try sandbox.layered("get", "new").output == "{}\n")
        #expect(try sandbox.layered("import", "i.json", "--replace").status == 0)
        #expect(try sandbox.layered("get", "http").output == "{}\n")
    }

    @Test func `export writes the effective values or those of one layer`() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.layered("set", "http.port", "80", "--to", "system")
        _ = try sandbox.layered("set", "http.host", "h")
        #expect(try sandbox.layered("export", "--output", "all.json").status == 0)
        #expect(
            try sandbox.prefs("get", "http", "--layer", "user=all.json").output
                == "{\"host\": \"h\", \"port\": \"80\"}\n")
        #expect(
            try sandbox.layered("export", "--json", "--layer", "system").object["http"] as? [String: String]
                == ["port": "80"])
    }

    /// Installs an editor that consists of one line of shell script. Returns the environment that selects the
    /// editor.
    private func editor(_ script: String, in sandbox: Sandbox) throws -> [String: String] {
        try sandbox.write("#!/bin/sh\n\(script)\n", to: "\(sandbox.root)/editor")
        _ = try sandbox.run("/bin/chmod", ["+x", "\(sandbox.root)/editor"])
        return ["EDITOR": "\(sandbox.root)/editor --wait"]
    }

    @Test func `an edited copy replaces the file once it is valid`() throws {
        let sandbox = try Sandbox()
        try sandbox.write(
            Sandbox.plist("<!-- why --><key>level</key><string>info</string>"), to: sandbox.user)
        let right = try editor(#"sed -i 's/>info</>debug</' "$2""#, in: sandbox)
        let run = try sandbox.layered("edit", "--schema", sandbox.schema, environment: right)
        #expect(run.status == 0, "\(run)")
        #expect(
            try sandbox.text(of: sandbox.user).contains("<!-- why --><key>level</key><string>debug</string>"))
        #expect(
            try sandbox.layered("edit", environment: try editor("true", in: sandbox)).errors.contains(
                "is unchanged"))
    }

    @Test func `an edit of a broken file names the copy that is kept`() throws {
        let sandbox = try Sandbox()
        try sandbox.write("precious", to: "\(sandbox.user).broken")
        try sandbox.write("<plist><dict>", to: sandbox.user)
        let right = try editor(#"echo '<plist><dict/></plist>' > "$2""#, in: sandbox)
        let run = try sandbox.layered("edit", environment: right)
        #expect(run.status == 0 && run.errors.contains("\(sandbox.user).broken.1"), "\(run)")
        #expect(try sandbox.text(of: "\(sandbox.user).broken") == "precious")
        #expect(try sandbox.text(of: "\(sandbox.user).broken.1") == "<plist><dict>")
    }

    @Test(arguments: [
        ("echo '<plist' > \"$2\"", "expected"), (#"sed -i 's/>info</>loud</' "$2""#, "expected one of"),
    ])
    func `an invalid edited copy is kept and changes nothing`(script: String, complaint: String) throws {
        let sandbox = try Sandbox()
        try sandbox.write(Sandbox.plist("<key>level</key><string>info</string>"), to: sandbox.user)
        let before = try sandbox.text(of: sandbox.user)
        let run = try sandbox.layered(
            "edit", "--schema", sandbox.schema, environment: try editor(script, in: sandbox))
        #expect(run.status == 4 && run.errors.contains(complaint), "\(run)")
        #expect(try sandbox.text(of: sandbox.user) == before)
        let kept = run.errors.split(separator: "kept in ").last.map { $0.split(separator: "\n")[0] }.map(
            String.init)
        #expect(FileManager.default.fileExists(atPath: try #require(kept)))
    }

    /// Returns the files that commands have left in the folder of temporary files.
    private func leftovers(_ sandbox: Sandbox) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: sandbox.root).filter {
            $0.hasPrefix("prefs-edit")
        }
    }

    @Test(
        arguments: [
            ("sed -i 's/>info</>debug</' \"$2\"", 0, false), ("true", 0, false), ("exit 1", 1, false),
            ("rm \"$2\"", 1, false), ("echo backup > \"$2~\"; exit 1", 1, false),
            ("echo '<plist' > \"$2\"", 4, true), ("sed -i 's/>info</>loud</' \"$2\"; exit 1", 1, true),
        ] as [(String, Int32, Bool)])
    func `an edit leaves one file if the text would be lost, and else nothing`(
        script: String, status: Int32, isKept: Bool
    ) throws {
        let sandbox = try Sandbox()
        try sandbox.write(Sandbox.plist("<key>level</key><string>info</string>"), to: sandbox.user)
        let before = try sandbox.text(of: sandbox.user)
        let run = try sandbox.layered(
            "edit", "--schema", sandbox.schema, environment: try editor(script, in: sandbox))
        #expect(run.status == status, "\(run)")
        #expect(try (sandbox.text(of: sandbox.user) == before) == (script == "true" || status != 0))
        let names = try leftovers(sandbox)
        #expect(names.count == (isKept ? 1 : 0), "\(names)")
        guard let name = names.first else { return #expect(!run.errors.contains("kept")) }
        #expect(
            name.hasSuffix(".user.plist") && run.errors.contains("kept in \(sandbox.root)/\(name)\n"),
            "\(run)")
        #expect(try !sandbox.text(of: "\(sandbox.root)/\(name)").contains(">info<"))
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(sandbox.root)/\(name)")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test(arguments: ["export --layer user=user.toml -o x.json", "convert user.toml --to json -o x.json"])
    func `an output file has nothing beside it`(command: String) throws {
        let sandbox = try Sandbox(user: "user.toml")
        try sandbox.write("level = \"info\"\n", to: sandbox.user)
        for _ in 1...2 {
            let run = try sandbox.run(Sandbox.tool, command.split(separator: " ").map(String.init))
            #expect(run.status == 0, "\(run)")
            let names = try FileManager.default.contentsOfDirectory(atPath: sandbox.root)
            #expect(names.filter { $0.contains("x.json") } == ["x.json"])
            #expect(try sandbox.text(of: "\(sandbox.root)/x.json").contains("info"))
        }
    }

    @Test func `an edit is kept when another process changes the file first`() throws {
        let sandbox = try Sandbox()
        try sandbox.write(Sandbox.plist("<key>a</key><string>x</string>"), to: sandbox.user)
        let script = #"sed -i 's/>x</>mine</' "$2"; sed -i 's/>x</>theirs</' "# + sandbox.user
        let run = try sandbox.layered("edit", environment: try editor(script, in: sandbox))
        #expect(run.status == 3 && run.errors.contains("another process changed the file"))
        #expect(try sandbox.layered("get", "a").output == "theirs\n")
    }

    @Test func `a broken file can be edited`() throws {
        let sandbox = try Sandbox()
        try sandbox.write("<plist><dict><key>a</key><string>x</string></dict>", to: sandbox.user)
        let mend = try editor(#"echo '</plist>' >> "$2""#, in: sandbox)
        #expect(try sandbox.layered("edit", environment: mend).status == 0)
        #expect(try sandbox.layered("get", "a").output == "x\n")
    }

    @Test func `an edit of a locked key is rejected`() throws {
        let sandbox = try Sandbox()
        try sandbox.write(Sandbox.plist("<key>a</key><string>x</string>"), to: sandbox.user)
        try sandbox.write("a\n", to: "\(sandbox.root)/system.locks")
        let run = try sandbox.layered(
            "edit", environment: try editor(#"sed -i 's/>x</>y</' "$2""#, in: sandbox))
        #expect(run.status == 3 && run.errors.contains("a is locked here"))
    }

    @Test(arguments: [("system", 0o644, 0o755), ("user", 0o600, 0o700)])
    func `only a new system file can be read by all users`(layer: String, file: Int, folder: Int) throws {
        let sandbox = try Sandbox(system: "etc/system.toml", user: "home/user.toml")
        let write = try editor(#"echo 'port = 80' > "$2""#, in: sandbox)
        let run = try sandbox.layered("edit", "--to", layer, environment: write)
        #expect(run.status == 0, "\(run)")
        let path = layer == "system" ? sandbox.system : sandbox.user
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(path) == file)
        #expect(try mode(URL(fileURLWithPath: path).deletingLastPathComponent().path) == folder)
    }

    @Test(arguments: ["INT", "QUIT"])
    func `a signal from the keyboard is for the editor, and loses no edit`(signal: String) throws {
        let sandbox = try Sandbox()
        try sandbox.write(Sandbox.plist("<key>a</key><string>x</string>"), to: sandbox.user)
        // A shell may run between the tool and the editor.
        let script = """
            grep SigIgn /proc/self/status > '\(sandbox.root)/ignored'
            tool=$PPID
            until grep -qx prefs /proc/$tool/comm; do tool=$(cut -d ' ' -f 4 /proc/$tool/stat); done
            kill -\(signal) $tool
            sed -i 's/>x</>y</' "$2"
            """
        let environment = try editor(script, in: sandbox)
        // A program inherits the signal mask of the thread that starts it.
        var (signals, blocked) = (sigset_t(), sigset_t())
        for signal in [SIGINT, SIGQUIT] { unsafe sigaddset(&signals, signal) }
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, &blocked)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &blocked, nil) }
        let run = try sandbox.layered("edit", environment: environment)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
        #expect(try sandbox.layered("get", "a").output == "y\n")
        let ignored = try sandbox.text(of: "\(sandbox.root)/ignored").split(separator: "\t").last
        let mask = try #require(ignored.flatMap { UInt64($0.dropLast(), radix: 16) })
        #expect(mask & (1 << UInt64(SIGINT - 1) | 1 << UInt64(SIGQUIT - 1)) == 0)
    }

    @Test func `doctor lists only the first unknown keys of a file`() throws {
        let sandbox = try Sandbox()
        let keys = (0..<1000).map { "<key>other\($0)</key><true/>" }.joined()
        try sandbox.write(Sandbox.plist(keys), to: sandbox.user)
        let run = try sandbox.layered("doctor", "--schema", sandbox.schema)
        #expect(run.status == 1)
        #expect(run.lines.count { $0.hasSuffix(": unknown key") } == 10, "\(run)")
        let command = (["prefs validate"] + sandbox.layers + ["--schema", sandbox.schema]).joined(
            separator: " ")
        #expect(run.output.contains("\(sandbox.user): 990 more unknown keys; '\(command)' lists them"))
    }

    @Test(arguments: [("/nonexistent/token", 1), ("/tmp", 4), ("/dev/null", 4), ("FIFO", 4)])
    func `doctor reports a secret file that cannot be one`(name: String, status: Int32) throws {
        let sandbox = try Sandbox()
        let path = name == "FIFO" ? "\(sandbox.root)/fifo" : name
        if name == "FIFO" { _ = try sandbox.run("/usr/bin/mkfifo", [path]) }
        let run = try sandbox.layered(
            "doctor", "--schema", sandbox.schema, "--env", "MYD_", "--json",
            environment: ["MYD_TOKEN_FILE": path])
        #expect(run.status == status, "\(run)")
        let problems = run.object["problems"] as? [String] ?? []
        #expect(problems.count == 1 && problems[0].contains(path), "\(run)")
    }

    @Test(arguments: [true, false])
    func `doctor says that a broken locks file locks all keys of its layer`(isReadable: Bool) throws {
        let sandbox = try Sandbox(system: "system.json")
        try sandbox.write(#"{"http": {"port": 1}}"#, to: sandbox.system)
        let locks = "\(sandbox.root)/system.locks"
        if isReadable {
            try sandbox.write("a b\n", to: locks)
        } else {
            try FileManager.default.createDirectory(atPath: locks, withIntermediateDirectories: false)
        }
        let run = try sandbox.layered("doctor", "--json")
        let problems = try #require(run.object["problems"] as? [String])
        let own = problems.filter { $0.contains("system.locks") }
        #expect(own.count == 1, "\(problems)")
        let end = "; until the file is fixed, every key that this layer sets is locked"
        #expect(own.first?.hasSuffix(end) == true, "\(problems)")
        #expect(try sandbox.layered("set", "http.port", "2", "--to", "user").status == 3)
    }

    @Test func `doctor names files that other users may change, and secrets that they may read`() throws {
        let sandbox = try Sandbox(system: "system.json")
        try sandbox.write(#"{"token": "x"}"#, to: sandbox.system)
        try sandbox.write("token\n", to: "\(sandbox.root)/system.locks")
        try sandbox.write("{}", to: sandbox.user)
        func doctor(_ modes: [String: Int]) throws -> Run {
            for (file, mode) in modes {
                try FileManager.default.setAttributes(
                    [.posixPermissions: mode], ofItemAtPath: "\(sandbox.root)/\(file)")
            }
            return try sandbox.layered("doctor", "--schema", sandbox.schema)
        }
        try sandbox.write(Sandbox.plist(""), to: sandbox.user)
        let right = try doctor(["system.json": 0o640])
        #expect(right.status == 0 && right.output.contains("No problems found."), "\(right)")
        let wrong = try doctor(["system.json": 0o646, "system.locks": 0o666])
        #expect(wrong.status == 1)
        for line in [
            "system.json: writable by every user", "system.locks: writable by every user",
            "system.json:1:2: token: all users may read this secret",
        ] {
            #expect(wrong.output.contains(line), "\(wrong)")
        }
    }

    @Test func `a secret in a private folder is no problem, nor is an empty one`() throws {
        let sandbox = try Sandbox(system: "system.json", user: "private/user.json")
        try sandbox.write(#"{"token": ""}"#, to: sandbox.system)
        try sandbox.write(#"{"token": "x"}"#, to: sandbox.user)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o700], ofItemAtPath: "\(sandbox.root)/private")
        let run = try sandbox.layered("doctor", "--schema", sandbox.schema)
        #expect(run.status == 0 && run.output.contains("No problems found."), "\(run)")
    }

    @Test(.enabled(if: geteuid() == 0)) func `doctor names files of other users`() throws {
        let sandbox = try Sandbox()
        func doctor(system: uid_t, user: uid_t) throws -> Run {
            try sandbox.write(Sandbox.plist(""), to: sandbox.system)
            try sandbox.write(Sandbox.plist(""), to: sandbox.user)
            #expect(unsafe chown(sandbox.system, system, 0) == 0 && chown(sandbox.user, user, 0) == 0)
            return try sandbox.layered("doctor", "--schema", sandbox.schema)
        }
        let wrong = try doctor(system: 12345, user: 0)
        let line = "\(sandbox.system): owned by user 12345; expected root\n"
        #expect(wrong.status == 1 && wrong.output.contains(line), "\(wrong)")
        // A user's own file is right, and so are the files of a service, even one with a dynamic user.
        for (system, user) in [(0, 12345), (999, 0), (61184, 999)] as [(uid_t, uid_t)] {
            let right = try doctor(system: system, user: user)
            #expect(right.status == 0, "\(right)")
        }
    }

    @Test func `doctor reports what is wrong`() throws {
        let sandbox = try Sandbox()
        try sandbox.write("<plist", to: sandbox.user)
        try sandbox.write(
            Sandbox.plist("<key>http</key><dict><key>prot</key><integer>1</integer></dict>"),
            to: sandbox.system)
        let run = try sandbox.layered("doctor", "--schema", sandbox.schema)
        #expect(run.status == 4)
        #expect(run.output.contains("broken") && run.output.contains("did you mean “http.port”?"))
        #expect(run.output.contains("engine kernel") || run.output.contains("engine inotifyTools"))
        let json = try sandbox.layered("doctor", "--json", "--schema", sandbox.schema).object
        #expect((json["files"] as? [[String: Any]])?.count == 3)
        #expect((json["problems"] as? [String])?.count == 2)
    }
}
