import Foundation
import Testing

/// Shortcuts in typing, and the messages for a mistyped command line.
@Suite struct TypingTests {
    private func installed(_ domains: String...) throws -> Sandbox {
        let sandbox = try Sandbox()
        for domain in domains {
            try sandbox.write(
                Sandbox.schemaText, to: "\(sandbox.root)/share/prefs/schemas/\(domain).schema.json")
        }
        return sandbox
    }

    @Test func `the only installed schema, a short name and a variable name the domain`() throws {
        let sandbox = try installed("com.example.myd")
        #expect(try sandbox.prefs("get", "http.port").output == "8080\n")
        #expect(try sandbox.prefs("set", "http.port", "81", "-d", "myd").status == 0)
        #expect(FileManager.default.fileExists(atPath: "\(sandbox.root)/.config/com.example.myd.plist"))
        #expect(try sandbox.prefs("get", "http.port", "--domain", "myd").output == "81\n")
    }

    @Test func `of several installed schemas none is chosen`() throws {
        let sandbox = try installed("com.example.myd", "org.example.myd", "org.example.relay")
        #expect(try sandbox.prefs("get", "http.port").status == 2)
        #expect(try sandbox.prefs("get", "http.port", "-d", "relay").output == "8080\n")
        let several = try sandbox.prefs("get", "http.port", "-d", "myd")
        #expect(several.status == 2)
        #expect(several.errors.contains("short for several domains: com.example.myd, org.example.myd"))
        let variable = ["PREFS_DOMAIN": "org.example.relay"]
        #expect(try sandbox.prefs("get", "http.port", environment: variable).output == "8080\n")
        // A file named on the command line may belong to any program.
        try sandbox.write("{\"other\": 1}", to: "\(sandbox.root)/other.json")
        #expect(try installed("com.example.myd").prefs("validate", "\(sandbox.root)/other.json").status == 0)
    }

    @Test func `a name that is a domain itself is not completed to another`() throws {
        let sandbox = try installed("org.example.relay", "relay")
        #expect(try sandbox.prefs("set", "http.port", "81", "-d", "relay").status == 0)
        #expect(FileManager.default.fileExists(atPath: "\(sandbox.root)/.config/relay.plist"))
        #expect(try sandbox.prefs("get", "http.port", "-d", "org.example.relay").output == "8080\n")
    }

    @Test(
        arguments: [
            (["gte", "foo"], "prefs: unknown command “gte”; did you mean “get”?\n"),
            (["help", "gte"], "prefs: unknown command “gte”; did you mean “get”?\n"),
            (["frobnicate"], "prefs: unknown command “frobnicate”; 'prefs help' lists them\n"),
        ])
    func `an unknown command is named`(arguments: [String], message: String) throws {
        let sandbox = try Sandbox()
        let run = try sandbox.run(Sandbox.tool, arguments)
        #expect(run.status == 2)
        #expect(run.errors == message)
    }

    @Test func `an assignment says what to write`() throws {
        let run = try Sandbox().layered("set", "http.port=81")
        #expect(run.status == 2)
        #expect(run.errors.contains("prefs set KEY VALUE"), "\(run)")
        #expect(try Sandbox().layered("set", "http.port").errors.contains("<value>"))
    }

    @Test func `a misspelled value is corrected`() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.layered("set", "level", "debgu", "--schema", sandbox.schema)
        #expect(run.status == 1)
        #expect(run.errors.hasSuffix("found debgu; did you mean “debug”?\n"), "\(run)")
    }

    @Test func `an export has the format of the file`() throws {
        let sandbox = try Sandbox()
        let path = "\(sandbox.root)/settings.toml"
        try sandbox.write("port = 1\n", to: path)
        #expect(try sandbox.prefs("export", "--layer", "user=\(path)").output == "port = 1\n")
        try sandbox.write("{\"port\": 1}", to: "\(sandbox.root)/settings.json")
        let json = try sandbox.prefs("export", "--layer", "user=\(sandbox.root)/settings.json")
        #expect(json.object["port"] as? Int == 1)
    }

    @Test func `domains, cases and truth values are completed`() throws {
        let sandbox = try installed("com.example.myd", "org.example.relay")
        let domains = try sandbox.prefs(
            "---completion", "get", "--", "--domain", "3", "0", "prefs", "get", "--domain", "",
            environment: ["SAP_SHELL": "bash"])
        #expect(domains.lines == ["com.example.myd", "org.example.relay"], "\(domains)")
        let values = try sandbox.prefs(
            "---completion", "set", "--", "positional@1", "5", "0", "prefs", "set", "--schema",
            sandbox.schema,
            "level", "", environment: ["SAP_SHELL": "bash"])
        #expect(values.lines == ["debug", "info"], "\(values)")
    }
}
