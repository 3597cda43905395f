import Foundation
import Testing

/// `prefs repair`.
@Suite struct RepairCommandTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox(user: "user.toml") }

    private static let nulls = String(repeating: "\0", count: 512)

    @Test(arguments: [nulls, "level = = 1\n"])
    func `a broken file is put aside, and settings can be saved again`(text: String) throws {
        try sandbox.write(text, to: sandbox.user)
        let rejected = try sandbox.layered("set", "level", "info")
        #expect(rejected.status == 4, "\(rejected)")
        // The command in the message works unchanged.
        let command = try #require(rejected.errors.firstMatch(of: /`prefs (repair [^`]*)`/)).output.1
        let run = try sandbox.run("/bin/sh", ["-c", "'\(Sandbox.tool)' \(command)"])
        #expect(
            run.status == 0 && run.output == "\(sandbox.user) was broken, and is now \(sandbox.user).broken\n"
        )
        #expect(run.errors.isEmpty, "\(run)")
        #expect(try sandbox.text(of: "\(sandbox.user).broken") == text)
        #expect(try sandbox.layered("set", "level", "info").status == 0)
        #expect(try sandbox.text(of: sandbox.user) == "level = \"info\"\n")
    }

    @Test func `repair prints JSON and overwrites nothing`() throws {
        try sandbox.write("precious", to: "\(sandbox.user).broken")
        try sandbox.write("level = ", to: sandbox.user)
        let run = try sandbox.layered("repair", "--json", "--to", "user")
        #expect(run.object["kept"] as? String == "\(sandbox.user).broken.1", "\(run)")
        #expect(try sandbox.text(of: "\(sandbox.user).broken") == "precious")
    }

    @Test func `what is not broken stays`() throws {
        #expect(try sandbox.layered("repair").status == 1)
        try sandbox.write("level = \"info\"\n", to: sandbox.user)
        let run = try sandbox.layered("repair")
        #expect(run.status == 1 && run.errors.contains("the file is not broken"), "\(run)")
        #expect(try sandbox.text(of: sandbox.user) == "level = \"info\"\n")
        #expect(try sandbox.layered("repair", "--to", "other").status == 2)
        #expect(try sandbox.layered("repair", "--to", "system").status == 1)
    }

    @Test func `doctor names the command for a user's file`() throws {
        try sandbox.write("level = ", to: sandbox.user)
        let run = try sandbox.layered("doctor")
        let command = try #require(run.output.firstMatch(of: /'prefs (repair [^']*)' puts it aside/)).output.1
        #expect(run.status == 4 && run.output.contains("'prefs edit --layer"), "\(run)")
        #expect(try sandbox.run("/bin/sh", ["-c", "'\(Sandbox.tool)' \(command)"]).status == 0)
    }
}
