import LayeredPrefs
import LayeredPrefsTesting
import PrefsDocuments
import PrefsSystem
import Testing

/// Keys with dots in dictionaries, such as host names, whose paths have quoted components.
@Suite struct DottedComponentTests {
    static let route = #"routes."example.com""#

    private static func stack(
        system: [String: PrefsValue] = [:], user: [String: PrefsValue] = [:], locking: [String] = []
    ) throws -> Stack {
        try Stack(system: system, user: user, locking: locking)
    }

    @Test func `a quoted component names one entry`() throws {
        let stack = try Self.stack(user: ["routes": ["example.com": "a", "example": ["com": "b"]]])
        #expect(stack.storage.snapshot[Self.route] == "a")
        #expect(stack.storage.snapshot["routes.example.com"] == "b")
        #expect(stack.storage.get(PersistentKey(Self.route, defaultValue: "")) == "a")
        #expect(stack.storage.resolution(forKey: Self.route).origin?.spelling == Self.route)
    }

    @Test func `a write to it changes that entry alone`() throws {
        let stack = try Self.stack(user: ["routes": ["example.com": "a", "b.c": "x"]])
        try stack.storage.setValue("z", forKey: Self.route, in: .user)
        #expect(stack.storage.snapshot["routes"] == ["example.com": "z", "b.c": "x"])
        try stack.storage.setValue(nil, forKey: #"routes."b.c""#, in: .user)
        #expect(stack.storage.snapshot["routes"] == ["example.com": "z"])
    }

    @Test func `a change of it has its name`() async throws {
        let stack = try Self.stack(user: ["routes": ["example.com": "a"]])
        let names = Names()
        let observation = stack.storage.observe { names.add($0.changes.map(\.key)) }
        try stack.storage.setValue("z", forKey: Self.route, in: .user)
        await stack.storage.settled()
        #expect(names.all.contains(Self.route))
        observation.cancel()
    }

    @Test func `a lock on it locks that entry`() throws {
        let stack = try Self.stack(
            system: ["routes": ["example.com": "a"]], user: ["routes": ["example.com": "evil", "x": "y"]],
            locking: [Self.route])
        #expect(stack.storage.snapshot["routes"] == ["example.com": "a", "x": "y"])
        #expect(
            stack.storage.get(PersistentKey("routes", defaultValue: [String: String]()))["example.com"] == "a"
        )
        #expect(stack.storage.locks.map(\.key) == [Self.route])
        #expect(throws: PrefsError.self) { try stack.storage.setValue("z", forKey: Self.route, in: .user) }
    }

    @Test func `an explanation finds it`() throws {
        let stack = try Self.stack(
            system: ["routes": ["example.com": "a"]], user: ["routes": ["example.com": "b"]])
        let rows = stack.storage.explanation(forKey: Self.route).rows
        #expect(rows.map(\.value) == ["b", "a"])
        #expect(rows.first?.origin.spelling == Self.route)
    }

    @Test func `the top level spells it in its own notation`() throws {
        let stack = try Self.stack(user: [Self.route: "a", #""x"."y""#: "literal"])
        #expect(stack.storage.snapshot["routes"] == ["example.com": "a"])
        // Quotes that a path does not need are characters of the key.
        #expect(stack.storage.snapshot["x.y"] == nil)
        #expect(stack.storage.snapshot[PrefsPath(components: [#""x"."y""#]).name] == "literal")
    }

    @Test(arguments: [
        "a.b", "a\nb", "\"x\"", "\"x.y\".z", "a..b", "", "a.\"\"", "a.\"b", "é\u{301}.\u{85}", Self.route,
    ])
    func `whatever the name, a value is found under it again`(name: String) throws {
        let key = PersistentKey(name, defaultValue: 0)
        let alone = DictionaryPrefsStorage()
        try alone.set(key, to: 1)
        #expect(alone.get(key) == 1 && alone.snapshot[name] == 1)
        let stack = try Self.stack()
        try stack.storage.set(key, to: 2, in: .user)
        #expect(stack.storage.get(key) == 2 && stack.storage.snapshot[name] == 2)
        #expect(stack.storage.snapshot.dictionary.count == 1)
        try stack.storage.remove(key, in: .user)
        #expect(stack.storage.get(key) == 0 && stack.storage.snapshot.dictionary.isEmpty)
    }

    private final class Names: Sendable {
        private let names = Lock<[String]>([])
        var all: [String] { names.withLock { $0 } }
        func add(_ more: [String]) { names.withLock { $0 += more } }
    }
}
