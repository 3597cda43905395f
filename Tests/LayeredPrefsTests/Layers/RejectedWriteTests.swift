import LayeredPrefsTesting
import TestSupport
import Testing

@testable import LayeredPrefs

/// Writes of wrong values.
@Suite struct RejectedWriteTests: StackSuite {
    let fixture: StackFixture
    private let port = PersistentKey("port", defaultValue: 1, in: 1...65535)

    init() throws { fixture = try StackFixture("a.json") }

    private func stack(_ name: PrefsLayer.Name) -> PrefsStack {
        let stack = stack(of: layer(name))
        stack.declare(port)
        return stack
    }

    private func problem(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? PrefsError)?.reason ?? "\(error)"
        }
    }

    @Test(arguments: [PrefsLayer.Name("site"), .user])
    func `an untyped write of a declared key is checked and stores nothing`(_ name: PrefsLayer.Name) throws {
        try folder.write(#"{"port": 80}"#, to: "a.json")
        let storage = stack(name)
        #expect(
            problem { try storage.setValue(70000, forKey: "port", in: name) }
                == "expected 1...65535, found the integer 70000")
        #expect(try folder.read("a.json") == Array(#"{"port": 80}"#.utf8))
        #expect(storage.get(port) == 80)
    }

    @Test func `a write to a file with a rejected version throws, unless it mends the file`() throws {
        try folder.write(#"{"port": 80}"#, to: "a.json")
        let storage = stack("site")
        try folder.write(#"{"port": 70000, "host": "b"}"#, to: "a.json")
        storage.reload()
        #expect(
            problem { try storage.setValue("c", forKey: "host", in: "site") }
                == "expected 1...65535, found the integer 70000")
        #expect(storage.value(forKey: "host") == nil)
        try storage.set(port, to: 81, in: "site")
        #expect(storage.get(port) == 81 && storage.value(forKey: "host") == "b")
        #expect(storage.status[0].rejection == nil)
    }

    @Test func `where the unit is the key, only the keys that a write sets count`() throws {
        try folder.write(#"{"port": 80}"#, to: "a.json")
        let storage = stack(.user)
        try folder.write(#"{"port": 70000}"#, to: "a.json")
        storage.reload()
        try storage.setValue("c", forKey: "host", in: .user)
        #expect(storage.value(forKey: "host") == "c" && storage.get(port) == 80)
        try storage.set(port, to: 81, in: .user)
        #expect(storage.get(port) == 81)
    }

    @Test func `a transaction names every problem`() throws {
        try folder.write(#"{"port": 80}"#, to: "a.json")
        let storage = stack("site")
        let limit = PersistentKey("limit", defaultValue: 5, in: 1...9)
        storage.declare(limit)
        do {
            try storage.transaction {
                $0.setValue(70000, forKey: "port", in: "site")
                $0.setValue(10, forKey: "limit", in: "site")
                $0.setValue("b", forKey: "host", in: "site")
            }
            Issue.record("a transaction with two wrong values was made")
        } catch let error as PrefsError {
            #expect(error.problems.map(\.key) == ["port", "limit"])
        }
        #expect(try folder.read("a.json") == Array(#"{"port": 80}"#.utf8))
    }
}
