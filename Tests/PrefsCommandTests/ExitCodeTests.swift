import Testing

@Suite struct ExitCodeTests {
    static let table: [(arguments: [String], status: Int32)] = [
        (["--help"], 0),
        (["help", "watch"], 0),
        (["--version"], 0),
        (["get", "a", "LAYERS"], 0),
        (["get", "nothing", "LAYERS"], 1),
        (["get", "nothing", "--default", "x", "LAYERS"], 0),
        (["get", "a", "--type", "int", "LAYERS"], 0),
        (["get", "word", "--type", "int", "LAYERS"], 1),
        (["explain", "nothing", "LAYERS"], 1),
        (["list", "nothing", "LAYERS"], 1),
        (["unset", "nothing", "LAYERS"], 1),
        (["set", "a", "many", "LAYERS"], 1),
        (["set", "a", "-5", "LAYERS"], 0),
        (["set", "a", "LAYERS"], 2),
        (["set", "a", "1", "2", "LAYERS"], 2),
        (["set", "a", "1", "--typ", "int", "LAYERS"], 2),
        (["set", "a", "1", "--type", "number?", "LAYERS"], 2),
        (["set", "a", "1", "--to", "nowhere", "LAYERS"], 2),
        (["nonsense"], 2),
        (["get"], 2),
        (["get", "a"], 2),
        (["get", "a", "--layer", "user"], 2),
        (["get", "a", "--layer", "=x"], 2),
        (["get", "a", "--set", "x", "LAYERS"], 2),
        (["get", "a", "--domain", "com.example.x", "LAYERS"], 2),
        (["get", "a", "-d", ""], 2),
        (["get", "a", "-d", ".."], 2),
        (["set", "a", "1", "-d", "../../etc/passwd"], 2),
        (["doctor", "-d", "/etc/x"], 2),
        (["get", "a", "-d", "com/x", "--live"], 2),
        (["ps", "-d", "."], 2),
        (["validate", "nowhere.plist"], 1),
        (["convert", "nowhere.plist", "--to", "xml"], 1),
        (["convert", "system.plist", "--to", "ini"], 2),
        (["diff", "system.plist", "system.plist"], 0),
        (["diff", "system.plist", "user.plist"], 1),
        (["diff", "system", "user", "LAYERS"], 1),
        (["diff", "a", "user", "--layer", "a=system.plist", "--layer", "user=broken.plist"], 4),
        (["set", "locked.key", "1", "LAYERS"], 3),
        (["set", "locked.key", "1", "--to", "system", "LAYERS"], 0),
        (["set", "a", "1", "--set", "b=1"], 3),
        (["unlock", "nothing", "LAYERS"], 1),
        (["validate", "broken.plist"], 4),
        (["get", "a", "--layer", "user=broken.plist", "--set", "a=1"], 4),
        (["set", "a", "1", "--layer", "user=broken.plist"], 4),
        (["validate", "--schema", "nowhere.json", "system.plist"], 1),
        (["validate", "--schema", "broken.plist", "system.plist"], 4),
    ]

    /// The command writes its output before a warning.
    @Test(arguments: [
        "set auth.token hunter2 --json", "list", "watch --json", "watch --lines --initial",
    ])
    func `output that cannot be written is a failure`(command: String) throws {
        let sandbox = try Sandbox()
        try sandbox.write(Sandbox.plist("<key>a</key><integer>2</integer>"), to: sandbox.user)
        let line = "timeout 60 '\(Sandbox.tool)' \(command) --layer 'user=\(sandbox.user)' > /dev/full"
        let run = try sandbox.run("/bin/sh", ["-c", line])
        #expect(run.status == 3, "\(run)")
    }

    @Test(arguments: table)
    func `a command exits with its documented code`(arguments: [String], status: Int32) throws {
        let sandbox = try Sandbox()
        try sandbox.write(
            Sandbox.plist("<key>a</key><integer>1</integer><key>word</key><string>many</string>"),
            to: sandbox.system)
        try sandbox.write(Sandbox.plist("<key>a</key><integer>2</integer>"), to: sandbox.user)
        try sandbox.write("locked.key\n", to: "\(sandbox.root)/system.locks")
        try sandbox.write("<plist", to: "\(sandbox.root)/broken.plist")
        let words = arguments.flatMap { $0 == "LAYERS" ? sandbox.layers : [$0] }
        let run = try sandbox.run(Sandbox.tool, words)
        #expect(run.status == status, "\(run)")
        #expect(status == 0 || !run.errors.isEmpty || !run.output.isEmpty, "a failure prints its reason")
    }
}
