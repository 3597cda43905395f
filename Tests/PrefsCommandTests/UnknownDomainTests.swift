import Foundation
import Testing

/// A domain that no file, schema or running process has.
@Suite struct UnknownDomainTests {
    private let sandbox: Sandbox
    private let words = "com.example.nots: no file, schema or running process has this domain"

    init() throws {
        sandbox = try Sandbox()
        try sandbox.write(
            #"{"type": "object", "properties": {"port": {"type": "integer"}}}"#,
            to: "\(sandbox.root)/share/prefs/schemas/com.example.notes.schema.json")
        try sandbox.write("", to: "\(sandbox.root)/empty.toml")
    }

    @Test(arguments: [
        ("get port --default 1", 0), ("list", 0), ("explain port", 1), ("set port x", 0),
        ("unset port --absent-ok", 0),
        ("validate", 0), ("validate empty.toml", 0), ("diff user system", 0),
        ("diff --if user=empty.toml", 0),
        ("export", 0), ("import empty.toml", 0), ("locks", 0), ("edit", 0), ("repair", 1),
    ])
    func `every command says so, once, with the nearest domain`(command: String, status: Int32) throws {
        let arguments = command.split(separator: " ").map(String.init) + ["-d", "com.example.nots"]
        let run = try sandbox.run(Sandbox.tool, arguments, environment: ["EDITOR": "true"])
        #expect(run.status == status, "\(run)")
        let line = "prefs: warning: \(words); did you mean “com.example.notes”?\n"
        #expect(run.errors.hasPrefix(line), "\(run)")
        #expect(run.errors.components(separatedBy: words).count == 2, "\(run)")
    }

    @Test(arguments: [
        ("com.exmaple.notes", true), ("com.example.Notes", true), ("com.example.other", false),
        ("com.example.notes.more", false), ("relay", false),
    ])
    func `only a similar domain is suggested`(domain: String, isSimilar: Bool) throws {
        let run = try sandbox.prefs("list", "-d", domain)
        #expect(
            run.errors.contains("has this domain; did you mean “com.example.notes”?") == isSimilar, "\(run)")
    }

    @Test func `the doctor reports it as a problem`() throws {
        let run = try sandbox.prefs("doctor", "-d", "com.example.nots")
        #expect(run.status == 1 && run.errors == "", "\(run)")
        #expect(run.output.contains("Problems\n  \(words); did you mean “com.example.notes”?\n"), "\(run)")
    }

    @Test(arguments: ["ps", "drift", "history", "reads"])
    func `a command that asks processes says that none has the domain`(command: String) throws {
        let run = try sandbox.run(
            Sandbox.tool, [command, "-d", "com.example.nots"], environment: ["XDG_RUNTIME_DIR": sandbox.root])
        #expect(run.errors.contains("of com.example.nots serves inspection"), "\(run)")
    }

    @Test(arguments: [
        "xdg/com.example.nots.toml", "xdg/com.example.nots.plist.d/50.plist", ".config/com.example.nots.json",
        "share/prefs/schemas/com.example.nots.schema.json",
    ])
    func `a domain with a file or a schema is known`(path: String) throws {
        let isEmptyMain = path.hasSuffix(".toml")
        let text = isEmptyMain ? "" : path.hasSuffix(".plist") ? Sandbox.plist("") : #"{"type": "object"}"#
        try sandbox.write(text, to: "\(sandbox.root)/\(path)")
        let run = try sandbox.prefs("list", "-d", "com.example.nots")
        #expect(run.status == 0 && !run.errors.contains(words), "\(run)")
    }
}
