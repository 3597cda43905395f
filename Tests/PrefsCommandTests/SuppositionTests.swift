import Foundation
import Testing

/// The options `explain --if` and `diff --if`.
@Suite struct SuppositionTests {
    private let sandbox: Sandbox
    private var new: String { "\(sandbox.root)/new.plist" }

    init() throws {
        sandbox = try Sandbox()
        try sandbox.write(Self.plist(port: "80", level: "info"), to: sandbox.system)
        try sandbox.write(Sandbox.plist("<key>level</key><string>debug</string>"), to: sandbox.user)
    }

    private static func plist(port: String, level: String) -> String {
        Sandbox.plist(
            "<key>http</key><dict><key>port</key><integer>\(port)</integer></dict><key>level</key><string>\(level)</string>"
        )
    }

    private func diff(_ arguments: String...) throws -> Run {
        try sandbox.run(
            Sandbox.tool, ["diff"] + sandbox.layers + ["--schema", sandbox.schema] + arguments)
    }

    private func explain(_ arguments: String...) throws -> Run {
        try sandbox.run(
            Sandbox.tool, ["explain"] + sandbox.layers + ["--schema", sandbox.schema] + arguments)
    }

    @Test func `an edit that changes nothing effective exits with 0`() throws {
        try sandbox.write(Self.plist(port: "80", level: "debug"), to: new)
        let run = try diff("--if", "system=\(new)")
        #expect(run.status == 0, "\(run)")
        #expect(run.output == "")
    }

    @Test func `an edit shows the values that it would change`() throws {
        try sandbox.write(Self.plist(port: "90", level: "info"), to: new)
        let run = try diff("--if", "system=\(new)")
        #expect(run.status == 1, "\(run)")
        #expect(run.lines == ["  http.port: 80 → 90 (system \(new):4:22)"])
        let change = try #require(try diff("--json", "--if", "system=\(new)").objects.first)
        #expect(change["old"] as? Int == 80 && change["new"] as? Int == 90)
        // Nothing was written.
        #expect(try sandbox.layered("get", "http.port").output == "80\n")
    }

    @Test func `a value that would be rejected exits with 3`() throws {
        try sandbox.write(Self.plist(port: "0", level: "info"), to: new)
        let run = try diff("--if", "system=\(new)")
        #expect(run.status == 3, "\(run)")
        #expect(run.lines.first?.hasPrefix("  http.port: 80 → 8080 (default)") == true)
        #expect(run.lines.last?.hasPrefix("! http.port: system \(new):4:22: rejected: ") == true)
        let relative = try diff("--if", "system=./new.plist")
        #expect(relative.status == 3, "\(relative)")
        #expect(relative.lines.last?.contains("/new.plist:4:22: rejected: ") == true)
        let explanation = try explain("http.port", "--if", "system=\(new)")
        #expect(explanation.status == 3, "\(explanation)")
        #expect(explanation.output.contains("\(new):4:22"))
    }

    @Test func `a lock shows what it would lock out`() throws {
        let run = try diff("--if", "lock=level")
        #expect(run.status == 1, "\(run)")
        #expect(run.lines.first == "  level: debug → info (system \(sandbox.system):4:65, locked by system)")
        #expect(run.lines.last == "  level: locks out user \(sandbox.user):4:1")
        let explanation = try explain("level", "--if", "lock=level")
        #expect(explanation.status == 0, "\(explanation)")
        #expect(explanation.output.contains("locked out"))
    }

    @Test func `a value above a lock would be rejected`() throws {
        try sandbox.write("level\n", to: "\(sandbox.root)/system.locks")
        try sandbox.write(Sandbox.plist("<key>level</key><string>info</string>"), to: new)
        let run = try diff("--if", "user=\(new)")
        #expect(run.status == 3, "\(run)")
        #expect(run.output.contains("! level: user \(new):4:1: locked out"))
    }

    @Test func `a drop-in is added to those that exist`() throws {
        let folder = "\(sandbox.system).d"
        try sandbox.write(Self.plist(port: "81", level: "info"), to: "\(folder)/50-a.plist")
        let dropIn = "\(sandbox.root)/60-b.plist"
        try sandbox.write(Self.plist(port: "82", level: "info"), to: dropIn)
        let run = try diff("--if", "drop-in=\(dropIn)")
        #expect(run.lines == ["  http.port: 81 → 82 (system \(dropIn):4:22)"], "\(run)")
        // It replaces a drop-in of the same name, and lies below drop-ins with higher names.
        try sandbox.write(Self.plist(port: "83", level: "info"), to: "\(folder)/70-c.plist")
        #expect(try diff("--if", "drop-in=\(dropIn)").status == 0)
    }

    @Test func `a broken file exits with 4 and a missing one with 2`() throws {
        try sandbox.write("<plist", to: new)
        #expect(try diff("--if", "system=\(new)").status == 4)
        #expect(try explain("level", "--if", "system=\(new)").status == 4)
        let missing = try diff("--if", "system=\(sandbox.root)/none.plist")
        #expect(missing.status == 2)
        #expect(missing.errors.contains("none.plist: no such file"))
    }

    @Test(arguments: ["", "x", "lock=", "=x", "site=/dev/null"])
    func `a malformed supposition is a usage error`(text: String) throws {
        #expect(try diff("--if", text).status == 2)
    }

    @Test func `a secret is not shown`() throws {
        try sandbox.write(Sandbox.plist("<key>token</key><string>hunter2</string>"), to: new)
        for arguments in [["--if", "system=\(new)"], ["--json", "--if", "system=\(new)"]] {
            let run = try sandbox.run(
                Sandbox.tool, ["diff"] + sandbox.layers + ["--schema", sandbox.schema] + arguments)
            #expect(run.output.contains("token"))
            #expect(!"\(run)".contains("hunter2"))
        }
    }
}
