import Foundation
import LayeredPrefsUserDefaults
import Observation
import TestSupport
import Testing

@testable import LayeredPrefs

extension PersistentKey where Value == Int {
    fileprivate static var launches: Self { Self("LaunchCount", defaultValue: 1) }
}

extension DefaultsSuite {
    fileprivate var storage: UserDefaultsPrefsStorage { UserDefaultsPrefsStorage(suite: defaults) }
}

#if Macros
    @PrefsSchema private final class DefaultsPrefs {
        @Storage var storage: UserDefaultsPrefsStorage
        @Pref var count: Int = 1

        init(_ storage: UserDefaultsPrefsStorage) { self.storage = storage }
    }
#endif

/// Defaults that count how often a value is read.
private final class CountingDefaults: UserDefaults {
    let reads = Tally()

    override func object(forKey defaultName: String) -> Any? {
        reads.add()
        return super.object(forKey: defaultName)
    }
}

@Suite(.serialized) struct UserDefaultsPrefsStorageTests {
    private let suite = DefaultsSuite()

    @Test func `UserDefaults reads and writes typed keys`() throws {
        let (defaults, storage) = (suite.defaults, suite.storage)
        #expect(storage.get(.launches) == 1)
        try storage.set(.launches, to: 5)
        #expect(defaults.integer(forKey: "LaunchCount") == 5)
        #expect(storage.get(.launches) == 5)
        try storage.remove(.launches)
        #expect(defaults.object(forKey: "LaunchCount") == nil)
        defaults.set("many", forKey: "LaunchCount")
        #expect(storage.get(.launches) == 1)
    }

    @Test func `an integer beyond 64 bits is rejected, not lost`() throws {
        let coding = ClosurePrefsCoding<UInt, PrefsValue>(
            encode: { .integer(Int128($0)) }, decode: { Int(prefsValue: $0).flatMap(UInt.init(exactly:)) }
        )
        let key = PersistentKey("big", defaultValue: UInt(0), coding: coding)
        let storage = suite.storage
        try storage.set(key, to: 5)
        #expect(throws: PrefsError.self) { try storage.set(key, to: .max) }
        #expect(storage.get(key) == 5)
    }

    @Test func `saving any suite drops a negative zero's sign and a date's fraction in all`() async throws {
        let other = DefaultsSuite()
        // If a test reads a suite before it is saved, its values stay in memory.
        suite.defaults.set(-0.0, forKey: "zero")
        suite.defaults.set(Date(timeIntervalSinceReferenceDate: 1.5), forKey: "date")
        try other.storage.setValue(1, forKey: "other")
        for _ in 1...2 { try await DefaultsSuite.save { try other.storage.synchronize() } }
        #expect(suite.storage.value(forKey: "zero") == 0.0)
        let date = PrefsValue.date(Date(timeIntervalSinceReferenceDate: 1))
        #expect(suite.storage.value(forKey: "date") == date)
    }

    @Test func `registering a key registers its default`() throws {
        let (defaults, storage) = (suite.defaults, suite.storage)
        let name = "registered-\(UUID().uuidString)"
        let key = PersistentKey(name, defaultValue: 7)
        storage.register(key)
        #expect(defaults.integer(forKey: name) == 7)
        storage.register(PersistentKey<Int?>(name + "-absent"), key)
        #expect(defaults.object(forKey: name + "-absent") == nil)
        try storage.set(key, to: 8)
        #expect(defaults.integer(forKey: name) == 8)
    }

    @Test func `writes through keys are observable`() async throws {
        let defaults = suite.storage
        var values = defaults.values(for: .launches).makeAsyncIterator()
        try defaults.set(.launches, to: 2)
        #expect(await values.next() == 1)
        #expect(await values.next() == 2)
        try suite.storage.set(.launches, to: 3)
        #expect(await values.next() == 3)
    }

    @Test func `a write reads nothing unless the key is observed`() async throws {
        let defaults = try #require(CountingDefaults(suiteName: suite.name))
        let storage = UserDefaultsPrefsStorage(suite: defaults)
        let other = Tally()
        let observations = [
            storage.observe(PersistentKey("other", defaultValue: 0)) { _ in other.add() },
            storage.observeWrites(forKey: "other") { other.add() },
        ]
        let before = defaults.reads.count
        try storage.set(.launches, to: 2)
        try suite.storage.set(.launches, to: 3)
        #expect(defaults.reads.count == before && other.count == 0)
        try storage.setValue(1, forKey: "other")
        #expect(defaults.reads.count > before && other.count == 2)
        withExtendedLifetime(observations) {}
    }

    @Test func `an equal write is observed as a write, and as no change`() throws {
        let storage = suite.storage
        try storage.set(.launches, to: 2)
        let (changes, writes, elsewhere) = (Tally(), Tally(), Tally())
        let observations = [
            storage.observe(.launches) { _ in changes.add() },
            storage.observeWrites(forKey: "LaunchCount") { writes.add() },
            suite.storage.observeWrites(forKey: "LaunchCount") { elsewhere.add() },
        ]
        try storage.set(.launches, to: 2)
        #expect(changes.count == 0 && writes.count == 1 && elsewhere.count == 0)
        try storage.set(.launches, to: 3)
        #expect(changes.count == 1 && writes.count == 2 && elsewhere.count == 1)
        withExtendedLifetime(observations) {}
    }

    @Test func `UserDefaults as a storage has no change source`() throws {
        let storage = UserDefaultsPrefsStorage(suite: suite.defaults)
        try storage.setValue([1, 2], forKey: "a.b")
        #expect(storage.get(PersistentKey<[Int]?>("a.b")) == [1, 2])
        #expect(storage.snapshot["a.b"] == [1, 2])
        #expect(storage.changeSource == nil)
        #expect(storage.get(PersistentKey<Bool?>("none")) == nil)
    }

    #if Macros
        @Test func `a schema is notified of every write through this library`() throws {
            let (defaults, other) = (suite.storage, suite.storage)
            let (prefs, peer) = (DefaultsPrefs(defaults), DefaultsPrefs(other))
            let writes: [() throws -> Void] = [
                { peer.count = 2 }, { try other.set(PersistentKey("count", defaultValue: 1), to: 3) },
                { try defaults.setValue(4, forKey: "count") }, { prefs.count = 5 },
            ]
            for (index, write) in writes.enumerated() {
                let received = Tally()
                withObservationTracking {
                    _ = prefs.count
                } onChange: {
                    received.add()
                }
                try write()
                #expect(received.count == 1)
                #expect(prefs.count == index + 2)
            }
            // A write by other means is not announced, but reads find it.
            defaults.suite.set(9, forKey: "count")
            #expect(prefs.count == 9)
        }
    #endif

    @Test func `values that were set are saved when the process exits`() async throws {
        await #expect(processExitsWith: .success) { [name = suite.name as String] in
            let suite = DefaultsSuite(name: name)
            try suite.storage.set(PersistentKey("n", defaultValue: 0), to: 42)
            withExtendedLifetime(suite) { exit(0) }
        }
        let data = try Data(contentsOf: URL(fileURLWithPath: suite.file))
        let plist =
            unsafe try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        #expect(plist?["n"] as? Int == 42)
    }
}
