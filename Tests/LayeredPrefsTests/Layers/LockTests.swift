import LayeredPrefs
import LayeredPrefsTesting
import Testing

@Suite("Locks")
struct LockTests {
    @Test(arguments: ["http.port", "http"])
    func `a lock applies to the key and everything below it`(_ lock: String) throws {
        let stack = try Stack(
            system: ["http": ["port": 8080]], user: ["http": ["port": 1], "http.port": 2], locking: [lock])
        let resolution = stack.storage.resolution(for: .port)
        #expect(resolution.value == 8080)
        #expect(resolution.lock?.key == lock)
        #expect(resolution.lock?.origin.layer == "system")
    }

    @Test func `a locked key that the locking layer does not set has its default`() throws {
        let stack = try Stack(user: ["http.port": 1], locking: ["http.port"])
        #expect(stack.storage.get(.port) == 80)
    }

    @Test func `a dictionary above a lock cannot change the locked entry`() throws {
        let stack = try Stack(
            system: ["limits": ["a": 1]], user: ["limits": ["a": 2, "b": 3]], locking: ["limits.a"])
        #expect(stack.storage.get(.limits) == ["a": 1, "b": 3])
        #expect(stack.storage.snapshot["limits"] == ["a": 1, "b": 3])
    }

    @Test func `a write above a lock throws and changes nothing`() throws {
        let stack = try Stack(system: ["http.port": 8080], locking: ["http.port"])
        #expect(throws: PrefsError.self) {
            try stack.storage.setValue(1, forKey: "http.port", in: .overrides)
        }
        #expect(throws: PrefsError.self) {
            try stack.storage.setValue(["port": 1], forKey: "http", in: .overrides)
        }
        #expect(stack.overrides.snapshot.dictionary.isEmpty)
        #expect(try stack.storage.setValue(["host": "a"], forKey: "http", in: .overrides) == .effective)
    }

    @Test func `the locking layer itself is writable`() throws {
        let stack = try Stack(system: ["http.port": 8080], locking: ["http.port"])
        #expect(try stack.storage.set(.port, to: 8081, in: .system) == .effective)
        #expect(stack.storage.get(.port) == 8081)
    }

    @Test func `explain shows the locked out values`() throws {
        let stack = try Stack(system: ["http.port": 8080], user: ["http.port": 1], locking: ["http"])
        let explanation = stack.storage.explanation(for: .port)
        #expect(explanation.rows.map(\.role) == [.lockedOut, .winner])
        #expect(
            explanation.description == """
                http.port
                  user     1     http.port  locked out
                  system   8080  http.port  effective
                  default  80               shadowed
                  locked by system (http)
                """)
    }
}
