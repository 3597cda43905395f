import LayeredPrefs
import LayeredPrefsTesting
import TestSupport
import Testing

struct PrefsChangeSetTests {
    @Test func `a change set of many keys has each of them once, sorted`() async throws {
        let stack = try Stack()
        let received = Recorder<PrefsChangeSet>()
        let observation = stack.storage.observe(received.record)
        let names = (0..<500).map { $0 % 2 == 0 ? "k\($0)" : "a.b\($0)" } + ["a-b", "a..b", "z.\u{e9}"]
        stack.user.update { content in for name in names { content[name] = 1 } }
        stack.system.update { content in for name in names { content[name] = 2 } }
        stack.user.update { content in for name in names { content[name] = nil } }
        await stack.storage.reloadAndSettle()
        #expect(received.elements.map { $0.changes.map(\.key) } == [names.sorted(), [], names.sorted()])
        #expect(received.elements.map(\.shadowed) == [[], names.sorted(), []])
        #expect(received.elements.last?.changes.allSatisfy { $0.old.value == 1 && $0.new.value == 2 } == true)
        observation.cancel()
    }

    @Test func `a dictionary in place of a lower layer's number is a change, too`() async throws {
        let stack = try Stack(system: ["a": ["b": 1], "http": ["port": 80]])
        let received = Recorder<PrefsChangeSet>()
        let observation = stack.storage.observe(received.record)
        stack.user.update { $0["http.port.deep"] = 1 }
        await stack.storage.reloadAndSettle()
        #expect(received.elements.map(\.changes.keys) == [["http.port", "http.port.deep"]])
        observation.cancel()
    }

    @Test func `a change is resolved in the contents of its commit`() async throws {
        let stack = try Stack(system: ["a": 0])
        let received = Recorder<PrefsChangeSet>()
        let observation = stack.storage.observe(received.record)
        stack.user.update { $0["a"] = 1 }
        await stack.storage.reloadAndSettle()
        stack.user.update { $0["a"] = 2 }
        await stack.storage.reloadAndSettle()
        let changes = try #require(received.elements.first).changes
        #expect(changes.keys == ["a"])
        #expect(changes.map(\.description) == ["a: 0 → 1 (user)"])
        #expect(changes.first?.new.shadowed.map(\.value) == [0])
        observation.cancel()
    }
}
