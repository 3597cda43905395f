import LayeredPrefsTesting
import Testing

@testable import LayeredPrefs

private struct Options: Codable, Equatable, Sendable {
    var host: String
    var timeout: Duration
    var level: String?
}

@Suite struct SubtreeTests {
    @Test func `a subtree of several layers is one value`() throws {
        let stack = try Stack(
            system: ["server": ["host": "s", "timeout": "1m"]], user: ["server.host": "u"])
        #expect(
            try stack.storage.get(Options.self, at: "server")
                == Options(host: "u", timeout: .seconds(60), level: nil))
        #expect(try stack.storage.get(Options.self, at: "client") == nil)
    }

    @Test func `a wrong field falls back to a lower layer or is an error`() throws {
        let stack = try Stack(
            system: ["server": ["host": "s", "timeout": "1m"]], user: ["server": ["timeout": "soon"]])
        #expect(try stack.storage.get(Options.self, at: "server")?.timeout == .seconds(60))
        stack.system.update { $0 = [:] }
        let error = #expect(throws: PrefsError.self) { try stack.storage.get(Options.self, at: "server") }
        #expect(error?.key == "server.host")
        #expect(error?.reason == "expected a value, found nothing")
    }

    @Test func `a deeper path and a collection are subtrees, too`() throws {
        let storage = DictionaryPrefsStorage(values: [
            "a": ["b": ["host": "h", "timeout": "1s"], "list": [1, 2]]
        ])
        #expect(try storage.get(Options.self, at: "a.b")?.host == nil)
        let stack = PrefsStack { PrefsLayer(.user, storage) }
        #expect(try stack.get(Options.self, at: "a.b")?.host == "h")
        #expect(try stack.get([Int].self, at: "a.list") == [1, 2])
        #expect(throws: PrefsError.self) { try stack.get([String].self, at: "a.list") }
    }

    @Test func `changes of any layer are elements`() async throws {
        let stack = try Stack(system: ["server": ["host": "s", "timeout": "1m"]])
        var values = stack.storage.values(of: Options.self, at: "server").makeAsyncIterator()
        let first = try #require(await values.next())
        #expect(first?.host == "s")
        stack.user.update { $0["server"] = ["host": "u"] }
        let second = try #require(await values.next())
        #expect(second?.host == "u")
        await stack.storage.settled()
        #expect(stack.reported.elements.isEmpty)
    }
}
