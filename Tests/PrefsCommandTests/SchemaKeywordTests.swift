import Foundation
import LayeredPrefs
import LayeredPrefsInspection
import Testing

@testable import LayeredPrefsCommands

/// The keywords of a JSON Schema that another tool has written.
@Suite struct SchemaKeywordTests {
    /// Reads a schema with a key `a`.
    private func schema(_ a: String, _ others: String = "") throws -> ProgramSchema {
        try SchemaFile.read(Array("{\"properties\": {\"a\": \(a)}\(others)}".utf8), from: "schema.json")
    }

    private func value(_ json: String) throws -> PrefsValue {
        let document = try PrefsDocument(parsing: Array("{\"v\": \(json)}".utf8), as: .json)
        return try #require(document.root["v"]).value
    }

    @Test(arguments: [
        (#"{"type": "string", "pattern": "^[a-z]+$"}"#, #""abc""#, #""aBc""#, "text that matches “^[a-z]+$”"),
        (#"{"type": "string", "pattern": "b"}"#, #""abc""#, #""ac""#, "text that matches “b”"),
        (#"{"type": "string", "pattern": "^.$"}"#, #""é""#, #""e\u0301""#, "text that matches “^.$”"),
        (#"{"type": "string", "pattern": "^\\d$"}"#, #""5""#, #""٥""#, "text that matches “^\\d$”"),
        (#"{"type": "string", "minLength": 2}"#, #""ab""#, #""a""#, "at least 2 characters"),
        (#"{"type": "string", "maxLength": 1}"#, #""a""#, #""ab""#, "at most 1 character"),
        (#"{"type": "integer", "exclusiveMinimum": 0}"#, "1", "0", "more than 0"),
        (#"{"type": "number", "exclusiveMaximum": 1}"#, "0.5", "1", "..<1.0"),
        (#"{"type": "integer", "maximum": 9, "exclusiveMaximum": 5}"#, "4", "5", "less than 5"),
        (#"{"type": "integer", "minimum": 0.5}"#, "1", "0", "0.5..."),
        (#"{"type": "integer", "multipleOf": 512}"#, "1024", "1000", "a multiple of 512"),
        (#"{"type": "number", "multipleOf": 0.1}"#, "0.3", "0.35", "a multiple of 0.1"),
        (#"{"type": "array", "items": {}, "minItems": 1}"#, "[1]", "[]", "at least 1 element"),
        (#"{"type": "array", "maxItems": 1}"#, "[1]", "[1, 2]", "at most 1 element"),
        (#"{"type": "array", "uniqueItems": true}"#, "[1, 2]", "[1, 1]", "elements that differ"),
        (#"{"const": "x"}"#, #""x""#, #""y""#, #"one of "x""#),
        (#"{"type": ["integer", "string"]}"#, #""x""#, "true", "an integer or a string"),
        (#"{"type": ["string", "null"]}"#, #""x""#, "1", "a string"),
        (#"{"type": ["integer", "boolean"], "minimum": 3}"#, "3", "2", "3..."),
        (
            #"{"type": "string", "format": "uri"}"#, #""https://a.example""#, #""a b""#,
            "a URI such as “https://example.com”"
        ),
        (
            #"{"type": "string", "format": "duration"}"#, #""PT1H""#, #""1h""#,
            "an ISO 8601 duration such as “PT1H30M”"
        ),
        (
            #"{"type": "string", "format": "uuid"}"#, #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#, #""5""#,
            "a UUID"
        ),
    ])
    func `a keyword rejects what it does not allow`(
        schema: String, good: String, bad: String, expected: String
    )
        throws
    {
        let schema = try self.schema(schema)
        let key = try #require(schema.keys["a"])
        #expect(schema.unchecked.isEmpty, "\(schema.unchecked)")
        #expect(key.rejection(of: PrefsCandidate(try value(good))) == nil)
        let reason = key.rejection(of: PrefsCandidate(try value(bad)))?.reason ?? ""
        #expect(reason.hasPrefix("expected \(expected), found "), "\(reason)")
    }

    @Test(arguments: [
        (#"{"type": "array", "items": {"type": "string", "minLength": 2}}"#, #"["ab", "c"]"#, "a[1]"),
        (#"{"type": "array", "items": {"type": "integer", "maximum": 9}}"#, "[1, 10]", "a[1]"),
        (#"{"type": "object", "additionalProperties": {"enum": ["x"]}}"#, #"{"k": "y"}"#, "a.k"),
        (
            #"{"type": "array", "items": {"type": "object", "properties": {"n": {"type": "string", "pattern": "^x"}}}}"#,
            #"[{"n": "y"}]"#, "a[0].n"
        ),
        (
            #"{"type": "array", "items": {"type": "object", "required": ["n"], "properties": {"n": {}}}}"#,
            "[{}]", "a[0].n"
        ),
    ])
    func `a keyword holds for parts`(schema: String, bad: String, part: String) throws {
        let key = try #require(try self.schema(schema).keys["a"])
        #expect(key.rejection(of: PrefsCandidate(try value(bad)))?.key == part)
    }

    @Test func `a reference leads to a schema in the file`() throws {
        let schema = try schema(
            ##"{"$ref": "#/$defs/a~1b", "description": "here"}"##,
            #", "$defs": {"a/b": {"type": "integer", "minimum": 1, "description": "there"}}"#)
        let key = try #require(schema.keys["a"])
        #expect(key.documentation == "here" && key.storedType == .integer)
        #expect(key.rejection(of: PrefsCandidate(0)) != nil)
        #expect(schema.unchecked.isEmpty)
        let root = try SchemaFile.read(
            Array(
                ##"{"$ref": "#/definitions/All", "definitions": {"All": {"properties": {"b": {}}}}}"##.utf8),
            from: "schema.json")
        #expect(root.keys.all.map(\.name) == ["b"])
        let missing = #expect(throws: PrefsError.self) { try self.schema(##"{"$ref": "#/$defs/b"}"##) }
        #expect(missing?.reason == "“#/$defs/b” is not in the schema")
    }

    @Test(arguments: [
        (
            ##"{"type": "array", "items": {"$ref": "#/properties/a"}}"##, "$ref",
            ": it refers to a schema around it"
        ),
        (
            #"{"$ref": "other.json"}"#, "$ref",
            ": expected a path in the file such as “#/$defs/port”, found “other.json”"
        ),
        (#"{"anyOf": [{"type": "string"}], "type": "string"}"#, "anyOf", ""),
        (#"{"type": "array", "items": {"not": {}}}"#, "not", ""),
        (#"{"type": "array", "items": [{}]}"#, "items", ": expected one schema, found an array"),
        (
            #"{"type": "string", "pattern": "("}"#, "pattern",
            ": expected a regular expression that Swift supports, found \"(\""
        ),
        (
            #"{"type": "string", "format": "email"}"#, "format",
            ": expected date-time, duration, uri or uuid, found \"email\""
        ),
        (#"{"type": "integer", "multipleOf": 0}"#, "multipleOf", ": expected a number above 0, found 0"),
        (
            #"{"properties": {"b": {}}, "additionalProperties": {"type": "string"}}"#, "additionalProperties",
            " beside “properties”"
        ),
    ])
    func `what is not checked is named`(schema: String, keyword: String, detail: String) throws {
        let schema = try self.schema(schema)
        #expect(schema.unchecked.map(\.reason) == ["the keyword “\(keyword)” is not checked\(detail)"])
        #expect(schema.unchecked.first?.key == "a")
    }

    @Test func `a required key that no layer sets is a problem, unless its section is absent`() throws {
        let sandbox = try Sandbox(user: "user.json")
        try sandbox.write(
            """
            {"required": ["a", "c"], "properties": {
              "a": {"type": "string"}, "c": {"default": 1}, "d": {"type": "string"},
              "s": {"type": "object", "required": ["x"], "properties": {"x": {"type": "string"}, "y": {}}}}}
            """, to: sandbox.schema)
        try sandbox.write("{}", to: sandbox.user)
        func missing() throws -> [String] {
            let doctor = try sandbox.layered("doctor", "--json", "--schema", sandbox.schema)
            let problems = doctor.object["problems"] as? [String] ?? []
            return problems.compactMap { problem in
                problem.firstRange(of: "; 'prefs set ").map { String(problem[..<$0.lowerBound]) }
            }.filter { $0.contains("a value is required") }
        }
        #expect(try missing() == ["a: a value is required, and no layer has one"])
        try sandbox.write(#"{"a": "x", "s": {"y": 1}}"#, to: sandbox.user)
        #expect(try missing() == ["s.x: a value is required, and no layer has one"])
    }

    private static let example = """
        {"properties": {
          "name": {"type": "string", "pattern": "^[a-z]+$", "not": {}},
          "port": {"type": ["integer", "string"], "not": {}},
          "limits": {"type": "object", "additionalProperties": {"type": "integer", "multipleOf": 8}},
          "hosts": {"type": "array", "items": {"type": "string", "minLength": 3}}}}
        """

    @Test func `set, validate and doctor check keywords, and name the others once`() throws {
        let sandbox = try Sandbox(user: "user.json")
        try sandbox.write(Self.example, to: sandbox.schema)
        let remark = "\(sandbox.schema):2:53: name: the keyword “not” is not checked"
        func set(_ key: String, _ value: String) throws -> Run {
            try sandbox.layered("set", key, value, "--schema", sandbox.schema)
        }
        let rejected = try set("name", "Ab")
        #expect(rejected.status == 1)
        #expect(rejected.errors.hasPrefix("prefs: warning: \(remark)\n"), "\(rejected)")
        #expect(
            rejected.errors.contains("name: expected text that matches “^[a-z]+$”, found Ab"), "\(rejected)")
        #expect(rejected.errors.components(separatedBy: "not checked").count == 2)
        #expect(try set("limits.cpu", "9").errors.contains("limits.cpu: expected a multiple of 8, found 9"))
        #expect(
            try set("hosts", #"["abc", "d"]"#).errors.contains("hosts[1]: expected at least 3 characters"))
        #expect(try set("name", "ab").status == 0)
        #expect(try set("port", "80").status == 0)
        #expect(try sandbox.text(of: sandbox.user).contains("\"port\": 80"))

        try sandbox.write(#"{"hosts": ["abc", "d"]}"#, to: sandbox.user)
        let checked = try sandbox.layered("validate", "--schema", sandbox.schema)
        #expect(checked.status == 1)
        #expect(
            checked.output.contains("\(sandbox.schema):2:53: warning: name: the keyword “not”"),
            "\(checked)")
        #expect(
            checked.output.contains("\(sandbox.user):1:19: error: hosts[1]: expected at least 3 characters"),
            "\(checked)")
        let doctor = try sandbox.layered("doctor", "--json", "--schema", sandbox.schema)
        #expect((doctor.object["remarks"] as? [String] ?? []).contains(remark), "\(doctor)")
        #expect("\(doctor.object["problems"] ?? "")".contains("hosts[1]: expected at least 3 characters"))

        try sandbox.write("{}", to: sandbox.user)
        #expect(try sandbox.layered("validate", "--schema", sandbox.schema).status == 0)
        let domain = "com.example.myd"
        let installed = try sandbox.prefs("schema", "install", sandbox.schema, "-d", domain)
        #expect(installed.status == 0 && installed.errors == "prefs: warning: \(remark)\n", "\(installed)")
        #expect(try sandbox.prefs("get", "name", "-d", domain).errors.contains("not checked") == false)
    }

    @Test func `explain says what a value must be`() throws {
        let sandbox = try Sandbox()
        try sandbox.write(Self.example, to: sandbox.schema)
        let run = try sandbox.layered("explain", "name", "--schema", sandbox.schema)
        #expect(run.output.contains("  expected text that matches “^[a-z]+$”\n"), "\(run)")
    }
}
