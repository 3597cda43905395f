import PersistentKeyValueKitCompatibility
import TestSupport
import Testing

extension PersistentKeyProtocol where Self == PersistentKey<Int> {
    fileprivate static var launches: Self { Self("LaunchCount", defaultValue: 1) }
}

@Suite struct PersistentKeyValueStoreTests {
    @Test func `a store in memory reads and writes without throwing`() async {
        let store = InMemoryPersistentKeyValueStore()
        #expect(store.get(.launches) == 1)
        store.set(.launches, to: 5)
        #expect(store[.launches] == 5)
        store[.launches] = 6
        var values = store.values(for: .launches).makeAsyncIterator()
        #expect(await values.next() == 6)
        store.remove(.launches)
        #expect(await values.next() == 1)
    }

    @Test func `a key reads from and writes to a store`() {
        let (store, key) = (InMemoryPersistentKeyValueStore(), PersistentKey<Int>.launches)
        key.set(to: 3, in: store)
        #expect(key.get(from: store) == 3)
        key.remove(from: store)
        #expect(key.get(from: store) == 1)
    }

    @Test func `ephemeral stores are separate`() {
        func change(_ store: some PersistentKeyValueStore) -> Int {
            store[.launches] += 1
            return store.get(.launches)
        }
        #expect(change(.ephemeral) == 2)
        #expect(change(.ephemeral) == 2)
    }

    @Test func `a key may state a representation`() throws {
        let store = InMemoryPersistentKeyValueStore()
        let key = PersistentKey<Date?>(
            "day",
            representation: ProxyPersistentKeyValueRepresentation(
                to: \Date.timeIntervalSinceReferenceDate, from: Date.init(timeIntervalSinceReferenceDate:)))
        store.set(key, to: Date(timeIntervalSinceReferenceDate: 7))
        #expect(store.prefsStorage.snapshot["day"] == 7.0)
        #expect(store.get(key) == Date(timeIntervalSinceReferenceDate: 7))
    }

    @Test func `a program may declare a type of key`() throws {
        struct Flag: PersistentKeyProtocol {
            let id: String
            var defaultValue: Bool { false }
            var representation: any PersistentKeyValueRepresentation<Bool> {
                PrimitivePersistentKeyValueRepresentation()
            }
        }
        func toggle<Key: PersistentKeyProtocol<Bool>>(_ key: Key, in store: some PersistentKeyValueStore) {
            store.set(key, to: !store.get(key))
        }
        let store = DictionaryPrefsStorage()
        toggle(Flag(id: "loud"), in: store)
        #expect(store.snapshot["loud"] == true)
        #expect(store[Flag(id: "loud")])
        toggle(PersistentKey("loud", defaultValue: false), in: store)
        #expect(store.snapshot["loud"] == false)
    }

    @Test func `UserDefaults reads and writes typed keys`() throws {
        let suite = DefaultsSuite()
        defer { withExtendedLifetime(suite) {} }
        let defaults = suite.defaults
        #expect(defaults.get(.launches) == 1)
        defaults.set(.launches, to: 5)
        #expect(defaults.integer(forKey: "LaunchCount") == 5)
        #expect(defaults[.launches] == 5)
        defaults.remove(.launches)
        #expect(defaults.object(forKey: "LaunchCount") == nil)
        defaults.set("many", forKey: "LaunchCount")
        #expect(defaults.get(.launches) == 1)
        let registered = PersistentKey("registered-\(suite.name)", defaultValue: 7)
        defaults.register(registered)
        #expect(defaults.integer(forKey: registered.id) == 7)
    }
}
