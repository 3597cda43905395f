import LayeredPrefsTesting
import TestSupport
import Testing

@testable import LayeredPrefs

/// Rules over several keys.
extension RejectionTests {
    @Test func `a rule over several keys rejects the values of them where the unit is the key`() throws {
        let limit = PersistentKey("limit", defaultValue: 100)
        try folder.write(#"{"port": 80, "host": "a"}"#, to: "user.json")
        let storage = stack([PrefsLayer(.user, file("user.json"))])
        storage.constrain(port, limit) { $0 <= $1 ? nil : "expected the port below the limit" }
        try folder.write(#"{"port": 200, "host": "b"}"#, to: "user.json")
        storage.reload()
        #expect(storage.get(port) == 80 && storage.get(host) == "b")
    }

    @Test func `a rule that was broken before the start rejects no other edit`() throws {
        let limit = PersistentKey("limit", defaultValue: 100)
        try folder.write(#"{"port": 200}"#, to: "site.json")
        let overrides = DictionaryPrefsStorage()
        let storage = stack([PrefsLayer("site", file("site.json")), PrefsLayer(.overrides, overrides)])
        storage.constrain(port, limit) { $0 <= $1 ? nil : "expected the port below the limit" }
        try folder.write(#"{"port": 200, "host": "b"}"#, to: "site.json")
        storage.reload()
        #expect(storage.get(host) == "b" && storage.get(port) == 200)
        try storage.setValue("x", forKey: "name", in: .overrides)
        #expect(storage.value(forKey: "name") == "x")
        // From now on, an edit of one of the keys must satisfy the rule.
        try folder.write(#"{"port": 300, "host": "c"}"#, to: "site.json")
        storage.reload()
        #expect(storage.get(host) == "b" && storage.get(port) == 200)
        let error = #expect(throws: PrefsError.self) { try storage.set(limit, to: 150, in: .overrides) }
        #expect(error?.reason == "expected the port below the limit")
        try storage.set(limit, to: 400, in: .overrides)
        #expect(storage.get(host) == "c" && storage.get(port) == 300)
        #expect(
            reports.elements.filter { $0.contains("port, limit") } == [
                "error: port, limit: expected the port below the limit",
                "error: port, limit: expected the port below the limit; keeping the previous version",
                "recovered: port, limit: the values satisfy the rule again",
            ])
    }

    @Test func `a rule holds under the former names of its keys, too`() throws {
        let limit = PersistentKey("limit", defaultValue: 100, .formerly("maximum"))
        try folder.write(#"{"port": 80, "maximum": 90}"#, to: "site.json")
        let storage = stack([PrefsLayer("site", file("site.json"))])
        storage.constrain(port, limit) { $0 <= $1 ? nil : "expected the port below the limit" }
        try folder.write(#"{"port": 80, "maximum": 70}"#, to: "site.json")
        storage.reload()
        #expect(storage.get(limit) == 90)
        #expect(
            reports.elements == [
                "error: port, limit: expected the port below the limit; keeping the previous version"
            ])
    }

    @Test func `a rule leaves a key absent that the user's file did not have`() throws {
        let limit = PersistentKey("limit", defaultValue: 100)
        try folder.write(#"{"port": 50}"#, to: "user.json")
        let storage = stack([PrefsLayer(.user, file("user.json"))])
        storage.constrain(port, limit) { $0 <= $1 ? nil : "expected the port below the limit" }
        try folder.write(#"{"port": 50, "limit": 10}"#, to: "user.json")
        storage.reload()
        #expect(storage.get(port) == 50 && storage.get(limit) == 100)
        #expect(storage.value(forKey: "limit") == nil)
    }

    @Test func `a rule keeps what the user's file had, through later writes of other keys`() throws {
        let minimum = PersistentKey("net.minimum", defaultValue: 0)
        let net = PersistentKey("net.port", defaultValue: 1)
        try folder.write(#"{"net": {"port": 50}}"#, to: "user.json")
        let storage = stack([
            .defaults(["net": .dictionary(["minimum": 10])]), PrefsLayer(.user, file("user.json")),
        ])
        storage.constrain(net, minimum) { $0 >= $1 ? nil : "expected the port above the minimum" }
        try folder.write("{}", to: "user.json")
        storage.reload()
        #expect(storage.get(net) == 50)
        #expect(storage.value(forKey: "net") == .dictionary(["port": 50, "minimum": 10]))
        try storage.setValue("b", forKey: "net.host", in: .user)
        #expect(storage.get(net) == 50)
        #expect(storage.value(forKey: "net.host") == "b")
    }
}
