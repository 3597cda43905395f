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
        let error = #expect(throws: PrefsError.self) {
            try stack.storage.setValue(1, forKey: "http.port", in: .overrides)
        }
        #expect(
            error.map { "\($0)" } == """
                system: http.port: not written to “overrides” because the lock on “http.port” in “system” forbids writes \
                to higher layers; write to “system”, or have the program unlock the key
                """)
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

    @Test(arguments: ["old.x", "new.x"], ["old", "new"])
    func `a lock below any name of a key holds even if the key is undeclared`(
        lock: String, stored: String
    ) throws {
        let key = PersistentKey("new", defaultValue: [:] as [String: String], .formerly("old"))
        let stack = try Stack(
            system: ["old": ["x": "good"]], user: [stored: ["x": "evil", "y": "u"]], locking: [lock])
        #expect(stack.storage.snapshot.get(key) == ["x": "good", "y": "u"])
        #expect(stack.storage.get(key) == ["x": "good", "y": "u"])
        #expect(throws: PrefsError.self) { try stack.storage.set(key, to: ["x": "evil"], in: .overrides) }
        let observation = stack.storage.observe(key) { _ in }
        #expect(stack.storage.get(key) == ["x": "good", "y": "u"])
        observation.cancel()
    }

    @Test(arguments: ["old.x", "new.x"])
    func `a value that would hide a locked entry under a former name is not effective and not written`(
        _ lock: String
    ) throws {
        let key = PersistentKey("new", defaultValue: 5, .formerly("old"))
        let stack = try Stack(system: ["old": ["x": 1]], user: ["new": 80], locking: [lock])
        #expect(stack.storage.get(key) == 5)
        #expect(throws: PrefsError.self) { try stack.storage.set(key, to: 80, in: .overrides) }
    }

    @Test func `a lock that one name's outer lock lets through holds below the other name`() throws {
        let key = PersistentKey(
            "new", defaultValue: [:] as [String: [String: String]], .formerly("old"))
        let stack = try Stack(
            system: ["old": ["x": ["y": "good"]]], user: ["new": ["x": ["y": "evil"]]],
            locking: ["old.x.y"])
        stack.storage.lock("new.x", at: .user)
        stack.overrides.update { $0 = ["new": ["x": ["y": "worse"]]] }
        #expect(stack.storage.get(key) == ["x": ["y": "good"]])
    }

    @Test func `several keys are locked and unlocked as one generation`() throws {
        let stack = try Stack(user: ["a": 1, "b": 2, "c": 3])
        let sets = Recorder.changeSets(in: stack.storage)
        let before = stack.storage.snapshot.generation
        stack.storage.lock(["a", "b", "a"], at: .system)
        #expect(stack.storage.locks.map(\.key) == ["a", "b"])
        #expect(stack.storage.snapshot.dictionary == ["c": 3])
        #expect(stack.storage.snapshot.generation > before)
        stack.storage.unlock(["a", "c"], at: .system)
        #expect(stack.storage.snapshot.dictionary == ["a": 1, "c": 3])
        sets.stop()
    }
}
