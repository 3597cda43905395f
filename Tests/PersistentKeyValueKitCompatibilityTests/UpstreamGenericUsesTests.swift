import PersistentKeyValueKitCompatibility
import TestSupport
import Testing

private func copy<
    Key: PersistentKeyProtocol, Source: PersistentKeyValueStore, Target: PersistentKeyValueStore
>(
    _ key: Key, from source: Source, to target: Target
) {
    target.set(key, to: source.get(key))
}

private func increase(_ key: some PersistentKeyProtocol<Int>, in store: any PersistentKeyValueStore) -> Int {
    store.set(key, to: store.get(key) + 1)
    return key.get(from: store)
}

private func key<Value: KeyValuePersistible & Sendable>(_ id: String, _ value: Value) -> PersistentKey<Value>
{
    PersistentKey(id, defaultValue: value)
}

private func roundTrip<Representation: PersistentKeyValueRepresentation>(
    _ value: Representation.Value, in representation: Representation
) -> Representation.Value? {
    var dictionary: [String: Any] = [:]
    representation.set("k", to: value, in: &dictionary)
    return representation.get("k", from: dictionary)
}

extension PersistentKeyValueStore {
    fileprivate func toggle<Key: PersistentKeyProtocol>(_ key: Key) where Key.Value == Bool {
        set(key, to: !get(key))
    }
}

extension PersistentKeyProtocol {
    fileprivate func isDefault(in store: some PersistentKeyValueStore) -> Bool where Value: Equatable {
        store.get(self) == defaultValue
    }
}

private struct Tagged<Content: KeyValuePersistible & Sendable & Equatable>: KeyValuePersistible, Equatable {
    var content: Content

    static var persistentKeyValueRepresentation: some PersistentKeyValueRepresentation<Tagged> {
        ProxyPersistentKeyValueRepresentation(to: \Tagged.content, from: Tagged.init(content:))
    }
}

private final class Model<Key: PersistentKeyProtocol> {
    @PersistentValue<Key> var value: Key.Value

    init(_ key: Key, _ store: any PersistentKeyValueStore) { _value = PersistentValue(key, store: store) }
}

@Suite struct PersistentKeyValueKitGenericUsesTests {
    let store = InMemoryPersistentKeyValueStore()

    @Test func `a function is generic over keys and stores`() {
        let count = PersistentKey("count", defaultValue: 1)
        #expect(increase(count, in: store) == 2)
        let other = DictionaryPrefsStorage()
        copy(count, from: store, to: other)
        #expect(other.snapshot["count"] == 2)
        #expect(!count.isDefault(in: store))
        store.toggle(PersistentKey("flag", defaultValue: false))
        #expect(store.get(PersistentKey("flag", defaultValue: false)))
        #expect(increase(PersistentDebugKey("debug", defaultValue: 1), in: store) == 2)
    }

    @Test func `a function is generic over values and representations`() {
        store.set(key("tag", Tagged(content: 1)), to: Tagged(content: 4))
        #expect(store.get(PersistentKey("tag", defaultValue: 0)) == 4)
        #expect(store.get(key("tags", [Tagged(content: "a")])) == [Tagged(content: "a")])
        #expect(roundTrip(Tagged(content: 2.5), in: Tagged.persistentKeyValueRepresentation)?.content == 2.5)
        #expect(roundTrip(3, in: PrimitivePersistentKeyValueRepresentation()) == 3)
    }

    @Test func `keys are used without their types`() {
        let keys: [any PersistentKeyProtocol] = [PersistentKey("a", defaultValue: 1), key("b", "x")]
        var defaults: [String: Any] = [:]
        for key in keys { key.registerDefault(in: &defaults) }
        #expect(defaults["a"] as? Int == 1 && defaults["b"] as? String == "x")
        for key in keys { key.remove(from: store) }
    }

    @Test func `a class is generic over keys`() async {
        let model = Model(PersistentKey("count", defaultValue: 1), store)
        model.value = 3
        #expect(model.value == 3)
        var values = model.$value.makeAsyncIterator()
        #expect(await values.next() == 3)
    }
}
