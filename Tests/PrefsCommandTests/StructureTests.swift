import Foundation
import Testing

/// Values of keys that are declared as arrays of structs.
@Suite struct StructureTests {
    private func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.write(
            """
            {"type": "object", "properties": {"upstreams": {
              "type": "array",
              "items": {"type": "object", "required": ["name", "port"], "additionalProperties": false,
                "properties": {
                  "name": {"type": "string"}, "port": {"type": "integer", "minimum": 1, "maximum": 65535},
                  "scheme": {"type": "string", "enum": ["http", "https"]},
                  "timeout": {"type": "string", "x-prefs": {"type": "duration", "minimum": "1s"}},
                  "since": {"type": "string", "format": "date-time"}}},
              "x-prefs": {"type": "array of {name: string, port: integer}", "environment": "MYD_UPSTREAMS"}}}}
            """, to: sandbox.schema)
        return sandbox
    }

    @Test func `an array of structs is stored as one`() throws {
        let sandbox = try sandbox()
        let text = #"[{"name":"a","port":80,"timeout":"1s","since":"2024-01-01T00:00:00Z"}]"#
        let run = try sandbox.layered("set", "upstreams", text, "--schema", sandbox.schema)
        #expect(run.status == 0, "\(run)")
        let stored = try sandbox.text(of: sandbox.user)
        #expect(stored.contains("<integer>80</integer>"), "\(stored)")
        #expect(stored.contains("<date>2024-01-01T00:00:00Z</date>"), "\(stored)")
        #expect(try sandbox.prefs("validate", sandbox.user, "--schema", sandbox.schema).status == 0)
    }

    @Test(
        arguments: [
            ("all of them", "expected an array"),
            (#"{"name": "a", "port": 1}"#, "expected an array"),
            (#"[{"name": "a"}]"#, "upstreams[0].port: expected an integer, found nothing"),
            (
                #"[{"name": "a", "port": "80"}]"#,
                "upstreams[0].port: expected an integer, found the string 80"
            ),
            (#"[{"name": "a", "port": 1}, 7]"#, "upstreams[1]: expected a dictionary with name, port"),
            (
                #"[{"name": "a", "port": 1, "scheme": "htps"}]"#,
                "upstreams[0].scheme: expected one of \"http\", \"https\", found the string htps"
            ),
            (#"[{"name": "a", "port": 1, "timeout": "soon"}]"#, "upstreams[0].timeout: expected a duration"),
            (
                #"[{"name": "a", "port": 70000}]"#,
                "upstreams[0].port: expected 1...65535, found the integer 70000"
            ),
            (#"[{"name": "a", "port": 1, "timeout": "5ms"}]"#, "upstreams[0].timeout: expected 1s..., found"),
            (#"[{"name": "a", "prot": 1, "port": 1}]"#, "did you mean “port”?"),
        ])
    func `a value that the program rejects is not stored`(text: String, message: String) throws {
        let sandbox = try sandbox()
        let run = try sandbox.layered("set", "upstreams", text, "--schema", sandbox.schema)
        #expect(run.status == 1, "\(run)")
        #expect(run.errors.contains(message), "\(run)")
        #expect(!FileManager.default.fileExists(atPath: sandbox.user))
    }

    @Test func `a wrong or unknown field in a file is reported with its line`() throws {
        let sandbox = try sandbox()
        let path = "\(sandbox.root)/edited.json"
        try sandbox.write("{\"upstreams\": [\n{\"name\": \"a\",\n\"port\": \"80\"}]}", to: path)
        let wrong = try sandbox.prefs("validate", path, "--schema", sandbox.schema)
        #expect(wrong.output.contains(":3:1: error: upstreams[0].port: expected an integer"), "\(wrong)")
        try sandbox.write("{\"upstreams\": [\n{\"name\": \"a\", \"port\": 80,\n\"prot\": 80}]}", to: path)
        let unknown = try sandbox.prefs("validate", path, "--schema", sandbox.schema)
        #expect(unknown.output.contains(":3:1: error: upstreams[0].prot: unknown field"), "\(unknown)")
    }

    @Test func `validate and doctor name every unknown field with its line`() throws {
        let sandbox = try sandbox()
        let path = "\(sandbox.root)/relay.toml"
        try sandbox.write(
            """
            [[upstreams]]
            name = "a"
            port = 80
            shceme = "http"
            [[upstreams]]
            nmae = "b"
            name = "b"
            port = 81
            """, to: path)
        let schema = ["--schema", sandbox.schema]
        let validated = try sandbox.prefs("validate", path, schema[0], schema[1])
        let places = [
            (":4:1:", "upstreams[0].shceme: unknown field; did you mean “scheme”?"),
            (":6:1:", "upstreams[1].nmae: unknown field; did you mean “name”?"),
        ]
        for (place, words) in places {
            #expect(validated.output.contains("\(place) error: \(words)"), "\(validated)")
        }
        let doctor = try sandbox.prefs("doctor", "--layer", "system=\(path)", schema[0], schema[1])
        for (place, words) in places { #expect(doctor.output.contains("\(place) \(words)"), "\(doctor)") }
        #expect(doctor.status == 1)
    }

    /// A field is required from any layer; within a section, only if the section exists.
    @Test(arguments: [
        ("", ["token"]), ("token = \"t\"", []), ("token = \"t\"\n[tls]", ["tls.certificate"]),
        ("[tls]\nminimum = 1.0", ["token", "tls.certificate"]),
        ("token = \"t\"\n[tls]\ncertificate = \"c\"", []),
    ])
    func `doctor names what is required and missing`(text: String, missing: [String]) throws {
        let sandbox = try Sandbox()
        try sandbox.write(
            """
            {"type": "object", "properties": {
              "token": {"type": "string", "x-prefs": {"type": "string", "required": true}},
              "tls": {"type": "object", "properties": {
                "certificate": {"type": "string",
                  "x-prefs": {"type": "string", "required": true, "section": "tls"}},
                "minimum": {"type": "number", "x-prefs": {"type": "real"}}}}}}
            """, to: sandbox.schema)
        let path = "\(sandbox.root)/relay.toml"
        try sandbox.write(text, to: path)
        let run = try sandbox.prefs("doctor", "--layer", "system=\(path)", "--schema", sandbox.schema)
        #expect(
            run.lines.filter { $0.contains("required") }
                == missing.map { key in
                    "  \(key): a value is required, and no layer has one; 'prefs set --layer system=\(path) "
                        + "--schema \(sandbox.schema) \(key) VALUE' sets it"
                }, "\(run)")
        #expect(!run.output.contains("unknown key"), "\(run)")
        #expect(run.status == (missing.isEmpty ? 0 : 1))
    }
}
