import Foundation
import LayeredPrefs
import LayeredPrefsInspection
import Testing

@testable import LayeredPrefsCommands

private enum Configuration: PrefsCommandSource {
    static let domain: String? = "com.example.myd"
    static var keys: [PrefsKeyDescription] {
        [PrefsKeyDescription(PersistentKey("http.port", defaultValue: 8080, in: 1...65535))]
    }
}

/// `prefs schema install` and `prefs schema print`.
@Suite struct SchemaInstallTests {
    private let sandbox: Sandbox
    private let domain = "com.example.myd"
    private var folder: String { "\(sandbox.root)/share/prefs/schemas" }
    private var place: String { "\(folder)/\(domain).schema.json" }

    init() throws { sandbox = try Sandbox() }

    private func install(_ file: String) throws -> Run {
        try sandbox.prefs("schema", "install", file, "-d", domain)
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `a schema is installed in the first place that doctor names`() throws {
        let doctor = try sandbox.prefs("doctor", "-d", domain)
        #expect(doctor.output.contains("untyped: no schema in \(place)"), "\(doctor)")
        // The umask of the administrator's shell makes no difference.
        let run = try sandbox.run(
            "/bin/sh",
            [
                "-c", "umask 077; exec \"$0\" \"$@\"", Sandbox.tool, "schema", "install", sandbox.schema,
                "-d", domain,
            ])
        #expect(run.status == 0 && run.output == "\(place)\n" && run.errors == "", "\(run)")
        #expect(try sandbox.text(of: place) == Sandbox.schemaText)
        #expect(try mode(place) == 0o644)
        #expect(try mode(folder) == 0o755)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["\(domain).schema.json"])
        #expect(try sandbox.prefs("get", "http.port", "-d", domain).output == "8080\n")
        #expect(try sandbox.prefs("schema", "print", "-d", domain).output == Sandbox.schemaText)

        let again = try sandbox.prefs("schema", "install", sandbox.schema, "-d", domain, "--json")
        #expect(again.object["changed"] as? Bool == false, "\(again)")
        #expect(again.object["file"] as? String == place)
        try sandbox.write(#"{"properties": {"a": {"type": "string"}}}"#, to: sandbox.schema)
        #expect(try install(sandbox.schema).status == 0)
        #expect(try sandbox.text(of: place) == #"{"properties": {"a": {"type": "string"}}}"#)
    }

    @Test func `a schema is read from standard input`() throws {
        let run = try sandbox.run(
            "/bin/sh", ["-c", "\"$0\" schema install - -d \(domain) <\(sandbox.schema)", Sandbox.tool])
        #expect(run.status == 0, "\(run)")
        #expect(try sandbox.text(of: place) == Sandbox.schemaText)
    }

    @Test(arguments: [("{", ":1:2: "), ("{\n}", ":1:1: not a preferences schema"), (nil, ": no such file")])
    func `what is no schema is not installed`(text: String?, complaint: String) throws {
        try sandbox.write("{}", to: place)
        let file = "\(sandbox.root)/new.json"
        if let text { try sandbox.write(text, to: file) }
        let run = try install(file)
        #expect(run.status == (text == nil ? 1 : 4), "\(run)")
        #expect(
            run.errors.hasPrefix("prefs: error: \(file)\(complaint)")
                || run.errors.hasPrefix("prefs: \(file)\(complaint)"), "\(run)")
        #expect(try sandbox.text(of: place) == "{}")
    }

    @Test func `a place that cannot be written is an error, and nothing is left there`() throws {
        try sandbox.write("a file", to: "\(sandbox.root)/share")
        let run = try install(sandbox.schema)
        #expect(run.status == 3 && run.errors.contains("\(place): cannot install the file: "), "\(run)")
        #expect(try sandbox.text(of: "\(sandbox.root)/share") == "a file")
    }

    @Test(arguments: [
        ["install", "-d", "com.example.myd"], ["install", "x.json"], ["print"],
        ["install", "x", "-d", "a/b"],
    ])
    func `what is missing on the command line is named`(arguments: [String]) throws {
        let run = try sandbox.run(Sandbox.tool, ["schema"] + arguments)
        #expect(run.status == 2, "\(run)")
        #expect(run.errors.contains("no schema given") || run.errors.contains("domain"), "\(run)")
    }

    @Test func `a program that embeds the commands has its own schema`() throws {
        let bytes = try #require(Configuration.declaredSchema(of: domain))
        let schema = try SchemaFile.read(bytes, from: "here")
        #expect(schema.keys.all.map(\.name) == ["http.port"] && schema.unchecked.isEmpty)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("\"http\"") && text.contains("MYD_HTTP_PORT") && text.contains("65535"))
        #expect(Configuration.declaredSchema(of: "com.example.other") == nil)
        #expect(AnyDomain.declaredSchema(of: domain) == nil)
    }
}
