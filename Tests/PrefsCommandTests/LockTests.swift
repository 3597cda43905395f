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

    @Test func `locks are ignored in a folder named by a variable`() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.prefs("lock", "http", "--domain", "com.example.myd")
        #expect(run.status == 3 && run.errors.contains("environment variable"))
    }
}
