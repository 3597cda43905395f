import Foundation
import Testing

/// `prefs set` of a name above keys: the fields of a struct, or the keys of a group.
@Suite struct SectionTests {
    private func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox(user: "user.json")
        try sandbox.write(
            #"""
            {"type": "object", "properties": {
              "window": {"type": "object", "properties": {
                "width": {"type": "integer", "minimum": 1, "x-prefs": {"type": "integer"}},
                "height": {"type": "integer", "x-prefs": {"type": "integer", "formerNames": ["window.rows"]}},
                "frame": {"type": "object", "properties": {
                  "color": {"type": "string", "x-prefs": {"type": "string"}}}},
                "since": {"type": "string", "format": "date-time", "x-prefs": {"type": "date"}},
                "labels": {"type": "object", "additionalProperties": {"type": "string"},
                  "x-prefs": {"type": "dictionary of string"}},
                "pin": {"type": "string", "writeOnly": true, "x-prefs": {"type": "string", "secret": true}}}}}}
            """#, to: sandbox.schema)
        return sandbox
    }

    private func set(_ text: String, _ options: String..., in sandbox: Sandbox) throws -> Run {
        try sandbox.run(
            Sandbox.tool, ["set", "window", text, "--schema", sandbox.schema] + sandbox.layers + options)
    }

    @Test func `an object sets the fields that it names, and the others stay`() throws {
        let sandbox = try sandbox()
        try sandbox.write(#"{"window": {"height": 24, "labels": {"a": "b"}}, "other": 1}"#, to: sandbox.user)
        let text = #"{"width": 90, "frame": {"color": "red"}, "labels": {"c": "d"}}"#
        let run = try set(text, in: sandbox)
        #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty, "\(run)")
        let stored = try JSONSerialization.jsonObject(with: Data(sandbox.text(of: sandbox.user).utf8))
        let expected: [String: Any] = [
            "window": [
                "height": 24, "width": 90, "frame": ["color": "red"], "labels": ["c": "d"],
            ] as [String: Any],
            "other": 1,
        ]
        #expect((stored as? NSDictionary) == expected as NSDictionary)
        let explained = try sandbox.layered("explain", "window", "--schema", sandbox.schema)
        #expect(explained.output.contains("window.width (integer"), "\(explained)")
    }

    @Test func `the output lists what is stored`() throws {
        let sandbox = try sandbox()
        let run = try set(#"{"width": 90, "rows": 5, "pin": "1234"}"#, "--json", in: sandbox)
        #expect(run.objects.map { $0["key"] as? String } == ["window.height", "window.pin", "window.width"])
        #expect(run.objects.map { $0["value"] as? Int } == [5, nil, 90], "\(run)")
        #expect(!run.output.contains("1234"), "\(run)")
        #expect(run.errors.contains("window.rows: renamed to “window.height”"), "\(run)")
    }

    @Test(
        arguments: [
            ("90", "window: expected a JSON object with the keys to set, such as {\"width\": …}"),
            ("{}", "window: expected a JSON object"),
            (#"{"width": 90"#, "window: expected a JSON object"),
            (#"{"widht": 90}"#, "window.widht: unknown key; did you mean “window.width”?"),
            (#"{"width": 90, "height": "tall"}"#, "window.height: expected an integer, found the string"),
            (#"{"width": 0}"#, "window.width: expected 1..., found the integer 0"),
            (#"{"frame": 1}"#, "window.frame: expected a dictionary, found an integer"),
        ])
    func `nothing is stored if anything is wrong`(text: String, message: String) throws {
        let sandbox = try sandbox()
        let run = try set(text, in: sandbox)
        #expect(run.status == 1 && run.errors.hasPrefix("prefs: \(message)"), "\(run)")
        #expect(!FileManager.default.fileExists(atPath: sandbox.user))
    }

    @Test func `an unknown field is stored on request`() throws {
        let sandbox = try sandbox()
        let run = try set(#"{"zoom": 2}"#, "--allow-unknown", in: sandbox)
        #expect(run.status == 0, "\(run)")
        #expect(try sandbox.text(of: sandbox.user).contains("\"zoom\": 2"))
    }

    @Test func `a locked field stores nothing`() throws {
        let sandbox = try sandbox()
        try sandbox.write(Sandbox.plist("<key>window</key><dict/>"), to: sandbox.system)
        try sandbox.write("window.width\n", to: "\(sandbox.root)/system.locks")
        let run = try set(#"{"width": 90, "height": 5}"#, in: sandbox)
        #expect(run.status == 3, "\(run)")
        #expect(!FileManager.default.fileExists(atPath: sandbox.user))
    }
}
