import Foundation
import Testing

/// The file that a command creates.
@Suite struct NewFileTests {
    private let sandbox: Sandbox
    private let domain = "com.example.notes"
    private var config: String { "\(sandbox.root)/.config" }

    init() throws { sandbox = try Sandbox() }

    private func prefs(_ arguments: String..., environment: [String: String] = [:]) throws -> Run {
        let place = ["--domain", domain]
        return try sandbox.run(
            Sandbox.tool, arguments.prefix(1) + place + arguments.dropFirst(), environment: environment)
    }

    private var files: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: config)) ?? []
        return names.filter { !$0.hasPrefix(".") }.sorted()
    }

    @Test(arguments: [("xml", "plist"), ("json", "json"), ("toml", "toml")])
    func `a command creates the format that it is told, and explain and doctor name the file`(
        format: String, ending: String
    ) throws {
        let path = "\(config)/\(domain).\(ending)"
        let explained = try prefs("explain", "level", "--format", format)
        #expect(explained.output.contains("a write creates \(path)"), "\(explained)")
        #expect(
            try prefs("explain", "level", "--format", format, "--json").object["newFile"] as? String == path)
        let doctor = try prefs("doctor", "--format", format, "--json")
        let files = doctor.object["files"] as? [[String: Any]] ?? []
        #expect(
            files.contains { $0["file"] as? String == path && $0["exists"] as? Bool == false }, "\(doctor)")
        let set = try prefs("set", "level", "info", "--format", format, "--json")
        #expect(set.object["file"] as? String == path, "\(set)")
        #expect(self.files == ["\(domain).\(ending)"])
        #expect(try !prefs("explain", "level", "--format", format).output.contains("a write creates"))
    }

    @Test func `without the option a property list is created`() throws {
        #expect(try prefs("explain", "level").output.contains("a write creates \(config)/\(domain).plist"))
        #expect(try prefs("set", "level", "info").status == 0)
        #expect(files == ["\(domain).plist"])
    }

    @Test func `the format is that of the program's schema, unless the option says another`() throws {
        let schema = #"{"type": "object", "properties": {}, "x-prefs": {"user": "notes/notes.toml"}}"#
        try sandbox.write(schema, to: "\(sandbox.root)/share/prefs/schemas/\(domain).schema.json")
        let path = "\(config)/notes/notes"
        for (options, ending) in [([], "toml"), (["--format", "json"], "json")] as [([String], String)] {
            let run = try sandbox.run(
                Sandbox.tool, ["set", "-d", domain, "level", "info", "--allow-unknown", "--json"] + options)
            #expect(run.object["file"] as? String == "\(path).\(ending)", "\(run)")
            try FileManager.default.removeItem(atPath: "\(path).\(ending)")
        }
    }

    @Test(arguments: ["set level debug", "import i.json", "edit"])
    func `no command creates a second format`(command: String) throws {
        try sandbox.write("{\"level\": \"debug\"}", to: "\(sandbox.root)/i.json")
        try sandbox.write("level = \"info\"\n", to: "\(config)/\(domain).toml")
        let words = command.split(separator: " ").map(String.init)
        let run = try sandbox.run(
            Sandbox.tool, words + ["-d", domain, "--format", "json"],
            environment: ["EDITOR": "sed -i s/info/debug/"])
        #expect(run.status == 0, "\(run)")
        #expect(files == ["\(domain).toml"])
        #expect(try sandbox.text(of: "\(config)/\(domain).toml") == "level = \"debug\"\n")
    }

    @Test func `import and edit create the format, too`() throws {
        try sandbox.write("{\"level\": \"debug\"}", to: "\(sandbox.root)/i.json")
        #expect(try prefs("import", "i.json", "--format", "toml").status == 0)
        #expect(files == ["\(domain).toml"])
        try FileManager.default.removeItem(atPath: "\(config)/\(domain).toml")
        let edit = try prefs("edit", "--format", "json", environment: ["EDITOR": "sed -i 's/{/{\"a\": 1/'"])
        #expect(edit.status == 0 && files == ["\(domain).json"], "\(edit)")
    }

    @Test func `the option is rejected where it can do nothing`() throws {
        let layered = try sandbox.layered("set", "level", "info", "--format", "toml")
        #expect(layered.status == 2 && layered.errors.contains("--layer NAME=PATH"), "\(layered)")
        let binary = try prefs("set", "level", "info", "--format", "binary")
        #expect(binary.status == 2 && binary.errors.contains("a new property list is XML"), "\(binary)")
    }

    @Test func `without a home nothing is created`() throws {
        let run = try sandbox.run(
            "/usr/bin/env",
            ["-u", "HOME", Sandbox.tool, "set", "-d", domain, "level", "info", "--format", "toml"])
        #expect(run.status == 3 && run.errors.contains("HOME"), "\(run)")
        let explained = try sandbox.run(
            "/usr/bin/env",
            ["-u", "HOME", Sandbox.tool, "explain", "-d", domain, "level", "--format", "toml"])
        #expect(!explained.output.contains("a write creates"), "\(explained)")
    }
}
