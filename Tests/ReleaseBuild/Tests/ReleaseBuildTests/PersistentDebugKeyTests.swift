import PersistentKeyValueKitCompatibility
import Testing

extension PersistentKeyProtocol where Self == PersistentDebugKey<Bool> {
    fileprivate static var verbose: Self {
        Self("debug.verbose", debugDefaultValue: true, releaseDefaultValue: false)
    }
}

@Suite struct PersistentDebugKeyTests {
    private static let stores: [any PersistentKeyValueStore & Sendable] = [
        InMemoryPersistentKeyValueStore(), DictionaryPrefsStorage(values: ["debug.verbose": true]),
        PrefsStack { PrefsLayer.overrides },
    ]

    @Test(arguments: stores.indices)
    func `no store reads or writes a debug key`(index: Int) {
        let store = Self.stores[index]
        store.set(.verbose, to: true)
        #expect(store.get(.verbose) == false)
        store.remove(.verbose)
        #expect(PersistentValue(.verbose, store: store).wrappedValue == false)
    }
}
