import LayeredPrefsTesting
import PrefsDocuments
import Testing

@testable import LayeredPrefs

/// Keys with one name above another, where the file may have a section instead of a value.
@Suite("A former name above or below the present one") struct NestedNamesTests {
    private let level = PersistentKey<String>("log.level", defaultValue: "info", .formerly("log"))
    private let log = PersistentKey<String>("log", defaultValue: "info", .formerly("log.level"))
    private let server = PersistentKey<[String: String]>("tls.server", defaultValue: [:], .formerly("tls"))
    private let client = PersistentKey<[String: String]>("tls.client", defaultValue: [:])
    private let sandbox: PrefsSandbox

    init() throws { sandbox = try PrefsSandbox() }

    /// Returns a stack whose user's file has the given contents.
    private func storage(_ content: [String: PrefsValue]) throws -> PrefsStack {
        try sandbox.write(content, to: sandbox.user)
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler()
        return sandbox.standard(options: options)
    }

    private func content(of storage: PrefsStack) -> [String: PrefsValue]? {
        storage.layer(.user)?.storage.snapshot.dictionary
    }

    @Test(
        arguments: [
            (["log": ["level": "debug", "file": "/x"]], "debug"), (["log": "debug"], "debug"),
            (["log": ["file": "/x"]], "info"),
        ] as [([String: PrefsValue], String)])
    func `a section is not the value of a text that had its name`(
        content: [String: PrefsValue], value: String
    ) throws {
        let stack = try Stack(system: content)
        stack.storage.declare(level)
        let resolution = stack.storage.resolution(for: level)
        #expect(resolution.value == value && resolution.rejected.isEmpty)
        #expect(stack.reported.elements.isEmpty)
    }

    @Test func `a value below the section that has the present name is read`() throws {
        let stack = try Stack(user: ["log": ["level": "debug", "file": "/x"]])
        stack.storage.declare(log)
        #expect(stack.storage.get(log) == "debug")
        #expect(stack.reported.elements.isEmpty)
    }

    @Test func `an edit of the section is accepted`() async throws {
        let stack = try Stack(system: ["log": ["level": "debug"]])
        stack.storage.declare(level)
        stack.system.update { $0 = ["log": ["file": "/y"]] }
        await stack.storage.reloadAndSettle()
        #expect(stack.reported.elements.isEmpty)
        #expect(stack.storage.snapshot["log.file"] == "/y")
        #expect(stack.storage.get(level) == "info")
    }

    @Test func `the section is no former name in use, and what is unknown in it is reported`() throws {
        let stack = try Stack(user: ["log": ["level": "debug", "file": "/x"]])
        stack.storage.declare([level.name])
        stack.storage.reportUnknownKeys()
        #expect(stack.reported.elements.map(\.error.key) == ["log.file"])
    }

    @Test(arguments: [true, false])
    func `a write removes the former name of its key that stands in its way, and nothing else`(
        isFile: Bool
    ) throws {
        let before: [String: PrefsValue] = ["log": "debug", "x": "y"]
        let memory = DictionaryPrefsStorage(values: before)
        let storage = isFile ? try storage(before) : PrefsStack { PrefsLayer("memory", memory) }
        func content() -> [String: PrefsValue]? {
            isFile ? self.content(of: storage) : memory.snapshot.dictionary
        }
        for key in ["x.z", "log.file"] {
            let error = #expect(throws: PrefsError.self) { try storage.setValue(1, forKey: key) }
            let place = key.prefix { $0 != "." }
            #expect(error?.key == key && error?.origin?.file == (isFile ? sandbox.user : nil))
            #expect(error?.reason == "expected a dictionary, found a string at \(place); remove that first")
            #expect(content() == before)
        }
        #expect(try storage.set(level, to: "error") == .effective)
        #expect(content() == ["log": ["level": "error"], "x": "y"])
        #expect(storage.get(level) == "error")
        try storage.transaction { transaction in
            transaction.removeValue(forKey: "x")
            transaction.setValue(1, forKey: "x.z")
        }
        #expect(content() == ["log": ["level": "error"], "x": ["z": 1]])
    }

    @Test(
        arguments: [
            (["log": ["level": "debug", "file": "/x"]], ["log": ["file": "/x"]]), (["log": "debug"], [:]),
            (["log": ["file": "/x"]], ["log": ["file": "/x"]]),
            (["log.level": "debug", "log": ["file": "/x"]], ["log": ["file": "/x"]]),
        ] as [([String: PrefsValue], [String: PrefsValue])])
    func `a removal leaves the other keys of the section`(
        before: [String: PrefsValue], after: [String: PrefsValue]
    ) throws {
        for key in [level, log] {
            let storage = try storage(before)
            try storage.remove(key)
            #expect(content(of: storage) == after)
        }
        let optional = PersistentKey<String?>("log.level", .formerly("log"))
        let storage = try storage(before)
        try storage.set(optional, to: nil)
        #expect(content(of: storage) == after)
    }

    @Test(
        arguments: [
            (["log": ["level": "debug", "file": "/x"]], ["log": ["level": "debug", "file": "/x"]]),
            (["log": ["file": "/x"]], ["log": ["file": "/x"]]),
            (["log": "debug"], ["log": ["level": "debug"]]),
        ] as [([String: PrefsValue], [String: PrefsValue])])
    func `migration to a name below leaves the section`(
        before: [String: PrefsValue], after: [String: PrefsValue]
    ) throws {
        let storage = try storage(before)
        storage.declare(level)
        let value = storage.get(level)
        storage.migrate()
        #expect(content(of: storage) == after)
        #expect(storage.get(level) == value)
        #expect(storage.migrate() == [:])
    }

    @Test(
        arguments: [
            (["log": ["level": "debug", "file": "/x"]], ["log": ["level": "debug", "file": "/x"]]),
            (["log": ["level": "debug"]], ["log": "debug"]),
        ] as [([String: PrefsValue], [String: PrefsValue])])
    func `migration to a name above loses neither the value nor the section`(
        before: [String: PrefsValue], after: [String: PrefsValue]
    ) throws {
        let storage = try storage(before)
        storage.declare(log)
        storage.migrate()
        #expect(content(of: storage) == after)
        #expect(storage.get(log) == "debug")
        #expect(storage.migrate() == [:])
    }

    @Test(
        arguments: [
            (["tls": ["a": "1"]], ["tls": ["server": ["a": "1"]]], [:]),
            (
                ["tls": ["client": ["a": "1"]]], ["tls": ["client": ["a": "1"]]],
                ["tls": ["client": ["a": "1"]]]
            ),
            (
                ["tls": ["server": ["a": "1"], "b": "2"]], ["tls": ["server": ["a": "1"], "b": "2"]],
                ["tls": ["b": "2"]]
            ),
        ] as [([String: PrefsValue], [String: PrefsValue], [String: PrefsValue])])
    func `a dictionary with other declared keys is neither moved nor removed`(
        before: [String: PrefsValue], moved: [String: PrefsValue], removed: [String: PrefsValue]
    ) throws {
        let storage = try storage(before)
        storage.declare(server)
        storage.declare(client)
        storage.migrate()
        #expect(content(of: storage) == moved)
        try sandbox.write(before, to: sandbox.user)
        storage.reload()
        try storage.remove(server)
        #expect(content(of: storage) == removed)
    }

    @Test func `a lock on another key of the section does not concern the key`() throws {
        let stack = try Stack(
            system: ["log": ["file": "/x"]], user: ["log": ["level": "debug"]], locking: ["log.file"])
        stack.storage.declare(level)
        #expect(stack.storage.get(level) == "debug")
        #expect(try stack.storage.set(level, to: "trace", in: .overrides) == .effective)
    }

    @Test func `a lock on the key does not lock the section`() throws {
        let stack = try Stack(
            system: ["log": ["level": "info"]], user: ["log": ["file": "/x"]], locking: ["log.level"])
        stack.storage.declare(level)
        #expect(stack.storage.snapshot["log.file"] == "/x")
        stack.user.update { $0 = ["log": "debug"] }
        #expect(stack.storage.get(level) == "info")
    }
}
