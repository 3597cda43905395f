import LayeredPrefsTesting
import PrefsSystem
import TestSupport
import Testing

@testable import LayeredPrefs

/// A struct that counts how often it is decoded.
private struct Counted: Codable, Equatable, Sendable {
    @TaskLocal static var count = Tally()

    var host = "::"
    var port = 25

    init(host: String = "::", port: Int = 25) { (self.host, self.port) = (host, port) }

    init(from decoder: any Decoder) throws {
        Self.count.add()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        host = try container.decode(String.self, forKey: .host)
        port = try container.decode(Int.self, forKey: .port)
    }

    /// Returns how often a struct is decoded while `body` runs.
    static func decodes(_ body: () throws -> Void) rethrows -> Int {
        let count = Tally()
        try $count.withValue(count) { try body() }
        return count.count
    }
}

@Suite struct DecodedValueCacheTests {
    private let key = PersistentKey("server", defaultValue: Counted())
    private let user = DictionaryPrefsStorage(values: ["server": ["port": 1]])

    private var stack: PrefsStack { PrefsStack { PrefsLayer(.user, user) } }

    @Test func `an unchanged struct is decoded once`() throws {
        let (stack, key) = (stack, key)
        #expect(stack.get(key) == Counted(port: 1))
        let again = Counted.decodes {
            for _ in 0..<3 { #expect(stack.get(key) == Counted(port: 1)) }
            let copy = key
            #expect(stack.get(copy) == Counted(port: 1))
        }
        #expect(again == 0)
    }

    @Test func `a change is read at once`() throws {
        let (stack, key) = (stack, key)
        #expect(stack.get(key).port == 1)
        try stack.setValue(2, forKey: "server.port", in: .user)
        #expect(stack.get(key).port == 2)
        try stack.removeValue(forKey: "server", in: .user)
        #expect(stack.get(key) == Counted())
    }

    @Test func `each stack and each scope has its own value`() {
        let (first, key) = (stack, key)
        let second = PrefsStack {
            PrefsLayer(.user, DictionaryPrefsStorage(values: ["server": ["port": 3]]))
        }
        for _ in 0..<2 {
            #expect(first.get(key).port == 1)
            #expect(second.get(key).port == 3)
            first.withOverrides(["server.port": 4]) { #expect(first.get(key).port == 4) }
            #expect(first.get(key).port == 1)
        }
    }

    @Test func `the contents of a storage that announces no change are read each time`() {
        final class Silent: PrefsStorage {
            let port = Lock(1)
            var snapshot: PrefsSnapshot {
                PrefsSnapshot(["server": ["port": .integer(Int128(port.withLock { $0 }))]])
            }
        }
        let silent = Silent()
        let stack = PrefsStack { PrefsLayer("silent", silent) }
        #expect(stack.get(key).port == 1)
        silent.port.withLock { $0 = 2 }
        #expect(stack.get(key).port == 2)
    }

    @Test func `a secret is not kept`() {
        let secret = PersistentKey("server", defaultValue: Counted(), .secret)
        let stack = stack
        #expect(stack.get(secret).port == 1)
        let again = Counted.decodes { #expect(stack.get(secret).port == 1) }
        #expect(again > 0)
    }

    @Test func `keys of one name keep their own defaults`() {
        let stack = stack
        let other = PersistentKey("server", defaultValue: Counted(host: "other"))
        for _ in 0..<2 {
            #expect(stack.get(key).host == "::")
            #expect(stack.get(other).host == "other")
        }
    }
}
