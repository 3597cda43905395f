import Foundation
import Testing

@Suite struct LockTests {
    @Test func `a locked key takes its value from the locking layer and rejects writes above it`() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.layered("set", "http.port", "80", "--to", "system")
        _ = try sandbox.layered("set", "http.port", "81")
        try sandbox.write("# policy\nother # why\n", to: "\(sandbox.root)/system.locks")
        #expect(try sandbox.layered("lock", "http").status == 0)
        #expect(try sandbox.text(of: "\(sandbox.root)/system.locks") == "# policy\nother # why\nhttp\n")
        #expect(try sandbox.layered("get", "http.port").output == "80\n")
        let rejected = try sandbox.layered("set", "http.port", "82")
        #expect(rejected.status == 3 && rejected.errors.contains("system.locks:3"))
        #expect(try sandbox.layered("set", "http.port", "83", "--to", "system").status == 0)
        let explained = try sandbox.layered("explain", "http.port")
        #expect(explained.output.contains("locked out") && explained.output.contains("locked by system"))
    }

    @Test func `unlocking keeps comments and names the lock above the key`() throws {
        let sandbox = try Sandbox()
        try sandbox.write("# policy\nhttp\nother # why\n", to: "\(sandbox.root)/system.locks")
        let above = try sandbox.layered("unlock", "http.port")
        #expect(above.status == 1 && above.errors.contains("but by the lock on “http” in system"))
        #expect(try sandbox.layered("unlock", "http").status == 0)
        #expect(try sandbox.text(of: "\(sandbox.root)/system.locks") == "# policy\nother # why\n")
        let locks = try sandbox.layered("locks", "--json").objects
        #expect(locks.map { $0["key"] as? String } == ["other"] && locks[0]["line"] as? Int == 2)
    }

    @Test func `a locks file without a line is removed by the last unlock`() throws {
        let sandbox = try Sandbox()
        let path = "\(sandbox.root)/system.locks"
        #expect(try sandbox.layered("lock", "http", "log").status == 0)
        #expect(try sandbox.layered("unlock", "http").status == 0)
        #expect(FileManager.default.fileExists(atPath: path))
        let last = try sandbox.layered("unlock", "log")
        #expect(last.status == 0 && last.errors.isEmpty, "\(last)")
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try sandbox.layered("lock", "http").status == 0)
        #expect(try sandbox.text(of: path) == "http\n")
    }

    @Test(arguments: [
        ("\u{FEFF}a\r\nb", "\u{FEFF}a\r\nb\r\nhttp\r\n"), ("a\rb\r", "a\rb\rhttp\r"), ("", "http\n"),
        ("# a\n\n", "# a\n\nhttp\n"), ("http.*", "http.*"),
    ])
    func `locking keeps the line ends and the byte order mark`(before: String, after: String) throws {
        let sandbox = try Sandbox()
        try sandbox.write(before, to: "\(sandbox.root)/system.locks")
        #expect(try sandbox.layered("lock", "http.*").status == 0)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(sandbox.root)/system.locks"))
        #expect(bytes.elementsEqual(after.utf8))
        #expect(try sandbox.layered("unlock", "http").status == 0)
        #expect(try sandbox.layered("locks").output.contains("http") == false)
    }

    @Test(arguments: ["lock", "unlock"])
    func `a file with a line that cannot be understood is not edited`(_ command: String) throws {
        let sandbox = try Sandbox()
        try sandbox.write("http\na b\n", to: "\(sandbox.root)/system.locks")
        let run = try sandbox.layered(command, "http")
        #expect(run.status == 4)
        #expect(run.errors.contains("system.locks:2: unexpected space in a key"))
        #expect(try sandbox.text(of: "\(sandbox.root)/system.locks") == "http\na b\n")
        let locks = try sandbox.layered("locks")
        #expect(locks.status == 4 && locks.output.contains("http") && locks.errors.contains("system.locks:2"))
    }

    @Test(arguments: ["a b", "", "a#b", "*.port", "a..b", "a\u{1}"])
    func `what a locks file cannot name is not locked`(_ key: String) throws {
        let sandbox = try Sandbox()
        #expect(try sandbox.layered("lock", key, "--allow-unknown").status == 2)
    }
}
