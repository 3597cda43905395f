import PersistentKeyValueKitCompatibility
import Testing

extension PersistentKeyProtocol where Self == PersistentKey<Int> {
    fileprivate static var listenPort: Self { Self("port", defaultValue: 80) }
}

@Suite struct DefaultPrefsStoreTests {
    @Test func `the default store of property wrappers can be replaced`() {
        struct Settings {
            @PersistentValue(.listenPort) var port
        }
        let before = DefaultPrefsStore.current
        defer { DefaultPrefsStore.current = before }
        let storage = DictionaryPrefsStorage(values: ["port": 7])
        DefaultPrefsStore.current = storage
        let settings = Settings()
        #expect(settings.port == 7)
        settings.port = 9
        #expect(storage.snapshot["port"] == 9)
    }
}
