import LayeredPrefs
import LayeredPrefsTesting
import Synchronization
import TestSupport
import Testing

@Suite("Writing")
struct WritingTests {
    @Test func `a write can be read at once and reports the value that shadows it`() throws {
        let stack = try Stack()
        #expect(try stack.storage.set(.port, to: 1, in: .user) == .effective)
        #expect(stack.storage.get(.port) == 1)
        #expect(try stack.storage.set(.port, to: 2, in: .overrides) == .effective)
        let outcome = try stack.storage.set(.port, to: 3, in: .user)
        guard case .shadowed(let origin) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(origin.layer == "overrides")
        #expect(stack.storage.get(.port) == 2)
    }

    @Test func `removing a value makes the lower one effective`() throws {
        let stack = try Stack(system: ["http": ["port": 1]], user: ["http": ["port": 2], "http.port": 3])
        try stack.storage.setValue(nil, forKey: "http.port", in: .user)
        #expect(stack.storage.get(.port) == 1)
        #expect(stack.user.snapshot.dictionary.isEmpty)
    }

    @Test(
        arguments: [
            ([:], ["http": ["port": 7]]),
            (["http": ["host": "a"]], ["http": ["host": "a", "port": 7]]),
            (["http.port": 1, "http": ["port": 2]], ["http.port": 7, "http": ["port": 2]]),
        ] as [([String: PrefsValue], [String: PrefsValue])])
    func `a write keeps the spelling`(before: [String: PrefsValue], after: [String: PrefsValue]) throws {
        let stack = try Stack(user: before)
        try stack.storage.set(.port, to: 7, in: .user)
        #expect(stack.user.snapshot.dictionary == after)
        #expect(stack.storage.get(.port) == 7)
    }

    @Test func `a write without a persistent layer goes to memory`() throws {
        let stack = try Stack()
        #expect(try stack.storage.set(.port, to: 1) == .effective)
        #expect(stack.user.snapshot.dictionary == ["http": ["port": 1]])
    }

    @Test func `an invalid value is not written`() throws {
        let stack = try Stack()
        let error = #expect(throws: PrefsError.self) { try stack.storage.set(.port, to: 0, in: .user) }
        #expect(error?.code == .invalid)
        #expect(stack.user.snapshot.dictionary.isEmpty)
    }

    @Test(arguments: [("nowhere", PrefsError.Code.missing)] as [(PrefsLayer.Name, PrefsError.Code)])
    func `an unknown layer is an error`(_ name: PrefsLayer.Name, code: PrefsError.Code) throws {
        let stack = try Stack()
        let error = #expect(throws: PrefsError.self) { try stack.storage.set(.port, to: 1, in: name) }
        #expect(error?.code == code)
    }

    @Test func `what the stack's own keys reject is not written to a layer that is a stack`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(#"{"name": "a"}"#, to: "site.json")
        let inner = PrefsStack { PrefsLayer("site", FilePrefsStorage(path: file)) }
        let stack = PrefsStack { PrefsLayer("inner", inner) }
        stack.declare(.port)
        #expect(throws: PrefsError.self) { try stack.setValue("many", forKey: "http.port", in: "inner") }
        #expect(inner.value(forKey: "http.port") == nil)
        #expect(try stack.setValue(7, forKey: "http.port", in: "inner") == .effective)
        #expect(stack.get(.port) == 7 && inner.value(forKey: "name") == "a")
    }

    @Test func `nor to a storage of another module, nor with a rule over several keys`() throws {
        let remote = RemotePrefsStorage()
        let limit = PersistentKey("limit", defaultValue: 100)
        let stack = PrefsStack { PrefsLayer("remote", remote) }
        stack.declare(.port)
        stack.constrain(.port, limit) { $0 < $1 ? nil : "the port must be below the limit" }
        #expect(throws: PrefsError.self) { try stack.setValue("many", forKey: "http.port", in: "remote") }
        #expect(throws: PrefsError.self) { try stack.set(limit, to: 1, in: "remote") }
        #expect(remote.snapshot.dictionary.isEmpty)
        try stack.transaction {
            $0.set(limit, to: 10_000, in: "remote")
            $0.set(.port, to: 8081, in: "remote")
        }
        #expect(stack.get(.port) == 8081)
    }
}

/// A storage of another module that can be written.
private final class RemotePrefsStorage: PrefsStorage {
    private let contents = Mutex<[String: PrefsValue]>([:])

    var snapshot: PrefsSnapshot {
        PrefsSnapshot(candidates: contents.withLock { $0 }.mapValues { PrefsCandidate($0) })
    }

    var isWritable: Bool { true }
    var isPersistent: Bool { true }

    func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        contents.withLock { $0[key] = value }
        return .effective
    }
}
