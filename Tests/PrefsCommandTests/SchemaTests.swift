import Foundation
import Testing

/// The effects of an installed schema: types, rejections, secrets, documentation.
@Suite struct SchemaTests {
    private let domain = "com.example.myd"

    private func installed() throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.write(Sandbox.schemaText, to: "\(sandbox.root)/share/prefs/schemas/\(domain).schema.json")
        return sandbox
    }

    @Test(arguments: [
        ("{\n}", ":1:1: not a preferences schema"),
        ("{\n\"properties\": []}", ":2:1: expected a dictionary as"),
        ("{\"properties\":\n{\"a\": 5}}", ":2:2: a: expected the schema of a key, found an integer"),
        (
            "{\"properties\": {\"a\": {\"properties\":\n{\"b\": {\"type\": \"integr\"}}}}}",
            ":2:8: a.b: “integr” is not a type of JSON Schema; did you mean “integer”?"
        ),
        ("{\"properties\": {\"a\": true, \"b\": {}}}", nil),
    ])
    func `the fault of a schema has a line and a key`(text: String, complaint: String?) throws {
        let sandbox = try Sandbox()
        try sandbox.write(text, to: sandbox.schema)
        try sandbox.write(Sandbox.plist(""), to: sandbox.user)
        let run = try sandbox.layered("list", "--schema", sandbox.schema)
        #expect(run.status == (complaint == nil ? 0 : 4), "\(run)")
        if let complaint { #expect(run.errors.contains("prefs: \(sandbox.schema)\(complaint)"), "\(run)") }
    }

    @Test(arguments: [("true", 0), ("{}", 0), ("false", 1)])
    func `a schema that is true allows any value, and one that is false none`(
        schema: String, status: Int32
    ) throws {
        let sandbox = try Sandbox(user: "user.json")
        try sandbox.write("{\"properties\": {\"a\": \(schema)}}", to: sandbox.schema)
        let run = try sandbox.layered("set", "a", "x", "--schema", sandbox.schema)
        #expect(run.status == status, "\(run)")
        try sandbox.write(#"{"a": [1]}"#, to: sandbox.user)
        let check = try sandbox.layered("validate", "--schema", sandbox.schema)
        #expect(check.status == status, "\(check)")
    }

    @Test func `a domain finds its installed schema`() throws {
        let sandbox = try installed()
        #expect(try sandbox.prefs("get", "http.port", "--domain", domain).output == "8080\n")
        #expect(try sandbox.prefs("set", "http.port", "81", "--domain", domain).status == 0)
        #expect(FileManager.default.fileExists(atPath: "\(sandbox.root)/.config/\(domain).plist"))
        let list = try sandbox.prefs("list", "--domain", domain, "--json").objects
        #expect(
            list.compactMap { $0["key"] as? String } == [
                "http.port", "http.host", "level", "limits", "ratio", "since", "token",
            ])
        #expect(list.allSatisfy { $0["untyped"] as? Bool == false })
    }

    @Test func `an environment variable is parsed by the declared type`() throws {
        let sandbox = try installed()
        let good = try sandbox.prefs(
            "get", "http.port", "--domain", domain, "--json", environment: ["MYD_HTTP_PORT": "90"])
        #expect(good.object["value"] as? Int == 90 && good.object["layer"] as? String == "environment")
        let bad = try sandbox.prefs(
            "get", "http.port", "--domain", domain, environment: ["MYD_HTTP_PORT": "many"])
        #expect(bad.output == "8080\n" && bad.errors.contains("expected an integer"))
        let named = try sandbox.prefs("get", "level", "--domain", domain, environment: ["LOUDNESS": "debug"])
        #expect(named.output == "debug\n")
    }

    @Test func `a rejected value leaves the next lower one effective`() throws {
        let sandbox = try installed()
        try sandbox.write(
            Sandbox.plist("<key>http.port</key><string>many</string><key>ratio</key><integer>1</integer>"),
            to: sandbox.user)
        let port = try sandbox.layered("get", "http.port", "--schema", sandbox.schema)
        #expect(
            port.output == "8080\n" && port.errors.contains("expected an integer, found the string \"many\""))
        let explained = try sandbox.layered("explain", "ratio", "--json", "--schema", sandbox.schema).object
        let rows = explained["layers"] as? [[String: Any]] ?? []
        #expect(rows.map { $0["role"] as? String } == ["rejected"])
        #expect(explained["value"] as? Double == 0.5 && explained["default"] as? Double == 0.5)
    }

    @Test func `secrets are hidden`() throws {
        let sandbox = try installed()
        _ = try sandbox.layered("set", "token", "s3cret", "--schema", sandbox.schema)
        for command in [
            ["list"], ["list", "--json"], ["explain", "token"], ["explain", "token", "--json"], ["export"],
            ["doctor"],
        ] {
            let run = try sandbox.run(Sandbox.tool, command + sandbox.layers + ["--schema", sandbox.schema])
            #expect(!run.output.contains("s3cret") && !run.errors.contains("s3cret"), "\(run)")
        }
        #expect(try sandbox.layered("get", "token", "--schema", sandbox.schema).status == 3)
        #expect(
            try sandbox.layered("get", "token", "--schema", sandbox.schema, "--show-secrets").output
                == "s3cret\n")
        let diff = try sandbox.layered("diff", "system", "user", "--schema", sandbox.schema)
        #expect(diff.output == "+ token = ••••\n")
    }

    @Test func `explain shows documentation, range and former names`() throws {
        let sandbox = try installed()
        try sandbox.write(Sandbox.plist("<key>port</key><integer>81</integer>"), to: sandbox.user)
        let run = try sandbox.layered("explain", "http.port", "--schema", sandbox.schema, "--env", "MYD")
        #expect(
            run.output.hasPrefix("http.port (integer, 1...65535)\n  The port to listen on.\n  user     81"))
        #expect(run.output.contains("environment: MYD_HTTP_PORT\n  the program also requires a free port\n"))
        let untyped = try sandbox.layered("explain", "port")
        #expect(untyped.output.contains("untyped"))
    }

    @Test func `a declared dictionary is one value`() throws {
        let sandbox = try installed()
        try sandbox.write(
            Sandbox.plist(
                "<key>limits</key><dict><key>cpu</key><integer>1</integer><key>ram</key><integer>2</integer></dict>"
            ), to: sandbox.system)
        try sandbox.write(
            Sandbox.plist("<key>limits</key><dict><key>cpu</key><integer>3</integer></dict>"),
            to: sandbox.user)
        #expect(try sandbox.layered("get", "limits", "--schema", sandbox.schema).output == "{\"cpu\": 3}\n")
        #expect(try sandbox.layered("get", "limits.ram", "--schema", sandbox.schema).status == 1)
        let part = try sandbox.layered("explain", "limits.cpu", "--schema", sandbox.schema)
        #expect(part.output.hasPrefix("limits.cpu (part of “limits”)\n"), "\(part)")
        #expect(try sandbox.layered("get", "limits.ram").output == "2\n")
    }
}
