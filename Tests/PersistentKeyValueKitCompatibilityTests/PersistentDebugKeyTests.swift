import PersistentKeyValueKitCompatibility
import Testing

extension PersistentKeyProtocol where Self == PersistentDebugKey<Bool> {
    fileprivate static var traces: Self {
        Self("debug.traces", debugDefaultValue: true, releaseDefaultValue: false)
    }
}

extension PersistentKeyProtocol where Self == PersistentDebugKey<Int?> {
    fileprivate static var depth: Self {
        Self("debug.depth", representation: PrimitivePersistentKeyValueRepresentation<Int>())
    }
}

@Suite struct PersistentDebugKeyTests {
    @Test func `a debug key has the default of its build`() {
        let key = PersistentDebugKey<Bool>.traces
        #expect(key.debugDefaultValue && !key.releaseDefaultValue)
        #expect(key.defaultValue == DebugKeys.areMutable)
        #expect(InMemoryPersistentKeyValueStore().get(.traces) == DebugKeys.areMutable)
    }

    @Test func `a debug key is written only in a debug build`() {
        let store = InMemoryPersistentKeyValueStore()
        store.set(.depth, to: 4)
        #expect(store.get(.depth) == (DebugKeys.areMutable ? 4 : nil))
        let storage = DictionaryPrefsStorage()
        storage.set(.depth, to: 4)
        #expect(storage.snapshot["debug.depth"] == (DebugKeys.areMutable ? 4 : nil))
        #expect(PersistentValue(.depth, store: storage).wrappedValue == storage.get(.depth))
    }

    @Test func `keys are equal if their names and both defaults are`() {
        let key = PersistentDebugKey<Bool>.traces
        #expect(key == .traces)
        #expect(Set([key, .traces]).count == 1)
        #expect(key != PersistentDebugKey("debug.traces", defaultValue: true))
        #expect(key != PersistentDebugKey("traces", debugDefaultValue: true, releaseDefaultValue: false))
    }
}
