import LayeredPrefsTesting
import Testing

@testable import LayeredPrefs

@Suite struct ReadsTests {
    private let storage = PrefsStack {
        PrefsLayer.defaults(["http": ["port": 1]])
        PrefsLayer.overrides
    }

    private let level = PersistentKey("log.level", defaultValue: "info")
    private let token = PersistentKey("token", defaultValue: "t", .secret)
    private let hosts = PersistentKey("hosts", defaultValue: ["a"])

    @Test func `keys are recorded with their default and the origin of the first read`() throws {
        storage.declare(PersistentKey<Int>.port)
        storage.declare(level)
        storage.declare(token)
        storage.declare(hosts)
        #expect(storage.unreadKeys.isEmpty)
        let reads = storage.trackReads()
        #expect(storage.trackReads() === reads)
        #expect(storage.unreadKeys == ["hosts", "http.port", "log.level", "token"])
        for _ in 1...3 {
            #expect(storage.get(.port) == 1)
            #expect(storage.get(level) == "info")
            #expect(storage.get(token) == "t")
        }
        #expect(storage.unreadKeys == ["hosts"])
        let keys = reads.keys
        #expect(keys.map(\.name) == ["http.port", "log.level", "token"])
        #expect(keys.map(\.defaultValue) == [80, "info", nil])
        #expect(keys.map(\.origin?.layer) == ["defaults", nil, nil])
        #expect(storage.get(hosts) == ["a"])
        #expect(storage.unreadKeys.isEmpty)
    }

    @Test func `the source line of the first read is recorded, also through a generic function`() {
        func read(_ storage: some PrefsStorage) -> String { storage.get(level) }
        let generic = #line - 1
        let reads = storage.trackReads()
        #expect(reads === storage.reads)
        _ = read(storage)
        _ = storage.get(.port)
        let direct = #line - 1
        _ = storage.get(.port)
        let file = "LayeredPrefsTests/ReadsTests.swift"
        #expect(reads.keys.map(\.location) == ["\(file):\(direct)", "\(file):\(generic)"])
    }

    @Test func `an observed key is in use`() {
        storage.trackReads()
        let observation = storage.observe(level) { _ in }
        #expect(storage.unreadKeys.isEmpty)
        #expect(storage.trackReads().keys.map(\.name) == ["log.level"])
        observation.cancel()
    }

    @Test func `threads record at once`() async {
        let reads = storage.trackReads()
        await withTaskGroup { group in
            for number in 0..<8 {
                group.addTask { [storage] in
                    for index in 0..<200 {
                        _ = storage.get(PersistentKey("k\((index + number) % 100)", defaultValue: 0))
                    }
                }
            }
        }
        #expect(reads.keys.count == 100)
        #expect(reads.keys.allSatisfy { $0.defaultValue == 0 && $0.origin == nil })
    }
}
