import LayeredPrefsTesting
import TestSupport
import Testing

@testable import LayeredPrefs

/// In the user's file, and in a program's own storages, single values are rejected.
extension RejectionTests {
    @Test func `in the user's file a key keeps its value, and the others change`() throws {
        try folder.write(#"{"port": 80, "host": "a"}"#, to: "user.json")
        let storage = stack([PrefsLayer(.user, file("user.json"))])
        try folder.write(#"{"port": 70000, "host": "b"}"#, to: "user.json")
        storage.reload()
        #expect(storage.get(port) == 80 && storage.get(host) == "b")
        #expect(storage.value(forKey: "port") == 80)
        try folder.write(#"{"port": 70000, "host": "c"}"#, to: "user.json")
        storage.reload()
        #expect(storage.get(port) == 80 && storage.get(host) == "c")
        #expect(reports.elements == [Self.tooLarge(70000, "value")])
        #expect(storage.status[0].rejection?.problems.map(\.key) == ["port"])
        try folder.write(#"{"port": 81, "host": "c"}"#, to: "user.json")
        storage.reload()
        #expect(storage.get(port) == 81)
        #expect(
            reports.elements == [Self.tooLarge(70000, "value"), "recovered: port: now using the new value"])
        #expect(storage.status[0].rejection == nil)
    }

    @Test func `a key that the user's file did not have stays what the layers below say`() throws {
        try folder.write(#"{"host": "a"}"#, to: "user.json")
        let storage = stack([.defaults(["port": 90]), PrefsLayer(.user, file("user.json"))])
        try folder.write(#"{"host": "b", "port": 70000}"#, to: "user.json")
        storage.reload()
        #expect(storage.get(port) == 90 && storage.get(host) == "b")
        #expect(reports.elements == [Self.tooLarge(70000, "value")])
        #expect(storage.value(forKey: "port") == 90)
        try folder.write(#"{"host": "c"}"#, to: "user.json")
        storage.reload()
        #expect(reports.elements.dropFirst() == ["recovered: port: now using the new value"])
    }

    @Test func `a wrong value in the place of one from before the start is reported as it is`() throws {
        try folder.write(#"{"port": 70000}"#, to: "user.json")
        let storage = stack([.defaults(["port": 90]), PrefsLayer(.user, file("user.json"))])
        storage.declare(port)
        for number in [70001, 70002, 81] {
            try folder.write(#"{"port": \#(number)}"#, to: "user.json")
            storage.reload()
        }
        #expect(storage.get(port) == 81)
        #expect(
            reports.elements == [
                "error: port: expected 1...65535, found the integer 70000",
                "error: port: expected 1...65535, found the integer 70001",
                "error: port: expected 1...65535, found the integer 70002",
                "recovered: port: now using the new value",
            ])
    }

    @Test func `a field of a struct keeps its value where the unit is the key`() throws {
        struct Server: Codable, Sendable, Equatable {
            var host = "::"
            var timeout = 30
        }
        let server = PersistentKey("server", defaultValue: Server())
        try folder.write(#"{"server": {"host": "a", "timeout": 60}}"#, to: "user.json")
        let storage = stack([PrefsLayer(.user, file("user.json"))])
        storage.declare(server)
        try folder.write(#"{"server": {"host": "b", "timeout": "soon"}}"#, to: "user.json")
        storage.reload()
        #expect(storage.get(server) == Server(host: "b", timeout: 60))
        #expect(storage.status[0].rejection?.problems.map(\.key) == ["server.timeout"])
    }

    @Test func `what blocks a key's path is rejected as the key's value is`() throws {
        let nested = PersistentKey("http.port", defaultValue: 1)
        try folder.write(#"{"http": {"port": 80}, "host": "a"}"#, to: "user.json")
        let storage = stack([PrefsLayer(.user, file("user.json"))])
        storage.declare(nested)
        try folder.write(#"{"http": "off", "host": "b"}"#, to: "user.json")
        storage.reload()
        #expect(storage.get(nested) == 80 && storage.get(host) == "b")
    }

    @Test func `values of a storage of one's own are rejected one by one`() throws {
        let own = DictionaryPrefsStorage(values: ["port": 80, "host": "a"])
        let storage = stack([PrefsLayer("own", own)])
        try own.setValue(70000, forKey: "port")
        try own.setValue("b", forKey: "host")
        #expect(storage.get(port) == 80 && storage.get(host) == "b")
        try own.setValue(81, forKey: "port")
        #expect(storage.get(port) == 81)
    }

    @Test func `a value that is rejected in the user's file is no change`() async throws {
        try folder.write(#"{"port": 80}"#, to: "user.json")
        let storage = stack([PrefsLayer(.user, file("user.json"))])
        let generation = storage.snapshot.generation
        let changes = Recorder<[String]>()
        let observation = storage.observe { changes.record($0.shadowed + $0.changes.map(\.key)) }
        try folder.write(#"{"port": 70000}"#, to: "user.json")
        storage.reload()
        #expect(storage.snapshot.generation == generation)
        try folder.write(#"{"port": 70000, "host": "b"}"#, to: "user.json")
        storage.reload()
        await storage.settled()
        #expect(changes.elements == [["host"]])
        observation.cancel()
    }

    @Test func `a dictionary is no key that changed because a value in its place is rejected`() async throws {
        let net = PersistentKey("net.port", defaultValue: 1)
        let limit = PersistentKey("limit", defaultValue: 10)
        try folder.write(#"{"net": "off"}"#, to: "user.json")
        let above = DictionaryPrefsStorage(values: ["net": ["port": ["x": 1]]])
        let storage = stack([PrefsLayer(.user, file("user.json")), PrefsLayer(.overrides, above)])
        storage.constrain(net, limit) { $0 <= $1 ? nil : "expected the port below the limit" }
        let shadowed = Recorder<[String]>()
        let observation = storage.observe { shadowed.record($0.shadowed) }
        try folder.write(#"{"net": {"port": 20}}"#, to: "user.json")
        storage.reload()
        await storage.settled()
        #expect(storage.get(net) == 1)
        #expect(shadowed.elements == [["net"]])
        observation.cancel()
    }

    @Test func `what blocks a dotted key blocks the dictionaries above the key, too`() throws {
        let certificate = PersistentKey("net.tls.key", defaultValue: "")
        try folder.write(#"{"net": 5, "net.tls.key": "b"}"#, to: "user.json")
        let storage = stack([PrefsLayer(.user, file("user.json"))])
        storage.constrain(certificate, host) { key, host in
            key.isEmpty || host != "none" ? nil : "expected a host with the key"
        }
        #expect(storage.get(certificate) == "" && storage.value(forKey: "net") == 5)
        let candidates = storage.snapshot.candidates(forKey: "net.tls")
        #expect(
            candidates.map(\.rejection?.reason) == ["expected a dictionary, found an integer at net"])
    }

    @Test func `a part that was rejected is no key of the dictionary that stays in force`() async throws {
        let certificate = PersistentKey("net.tls.key", defaultValue: "")
        let name = PersistentKey("net.name", defaultValue: "")
        try folder.write(#"{"net": {"name": "a"}}"#, to: "user.json")
        let above = DictionaryPrefsStorage()
        let storage = stack([PrefsLayer(.user, file("user.json")), PrefsLayer("above", above)])
        storage.declare(name)
        storage.constrain(certificate, host) { key, host in
            key.isEmpty || host != "none" ? nil : "expected a host with the key"
        }
        for text in [#"{"net": {"name": "a", "tls": {"key": "b"}}}"#, #"{"net": 5}"#] {
            try folder.write(text, to: "user.json")
            storage.reload()
        }
        #expect(storage.value(forKey: "net") == .dictionary(["name": "a"]))
        let shadowed = Recorder<[String]>()
        let observation = storage.observe { shadowed.record($0.shadowed) }
        try above.setValue(["name": "b"], forKey: "net")
        await storage.settled()
        #expect(shadowed.elements == [[]])
        observation.cancel()
    }

    @Test func `a dotted key below a value that stays active is rejected`() async throws {
        let net = PersistentKey("net.port", defaultValue: 1)
        try folder.write(#"{"net": {"port": 443}}"#, to: "user.json")
        let storage = stack([PrefsLayer(.user, file("user.json"))])
        storage.declare(net)
        let changes = Recorder<[String]>()
        let observation = storage.observe { changes.record($0.changes.map(\.key)) }
        try folder.write(#"{"net.port.deep": 7, "x": 1}"#, to: "user.json")
        storage.reload()
        await storage.settled()
        #expect(storage.get(net) == 443 && storage.value(forKey: "net.port.deep") == nil)
        let candidates = storage.snapshot.candidates(forKey: "net.port.deep")
        #expect(
            candidates.map(\.rejection?.reason) == ["expected a dictionary, found an integer at net.port"])
        #expect(changes.elements == [["x"]])
        observation.cancel()
    }

    @Test func `a dictionary in a struct keeps its value as a whole`() throws {
        struct Server: Codable, Sendable, Equatable { var labels = ["a": 1] }
        let server = PersistentKey("server", defaultValue: Server())
        try folder.write(#"{"server": {"labels": {"b": 2}}}"#, to: "user.json")
        let storage = stack([PrefsLayer(.user, file("user.json"))])
        storage.declare(server)
        try folder.write(#"{"server": {"labels": {"b": 2, "c": "x"}}}"#, to: "user.json")
        storage.reload()
        #expect(storage.get(server) == Server(labels: ["b": 2]))
    }

    @Test func `values that are kept stay if the program rejects a later version`() throws {
        try folder.write(#"{"port": 80, "host": "a"}"#, to: "user.json")
        let rejecting = CandidateCheck { candidate, _, _, _ in
            if candidate["host"] != "b" { return [] }
            return [.init(place: .values([host.name]), error: PrefsError(.invalid, reason: "not b"))]
        }
        let storage = stack([PrefsLayer(.user, file("user.json"))], rejecting)
        try folder.write(#"{"port": 70000, "host": "a"}"#, to: "user.json")
        storage.reload()
        try folder.write(#"{"port": 70000, "host": "b"}"#, to: "user.json")
        storage.reload()
        #expect(storage.get(port) == 80 && storage.get(host) == "a")
    }
}
