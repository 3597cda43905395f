import Testing

@testable import LayeredPrefs

extension PersistentKeyProtocol where Self == PersistentKey<Int> {
    fileprivate static var listenPort: Self { Self("port", defaultValue: 80) }
}

@Suite struct PersistentValueTests {
    struct Server {
        @PersistentValue(.listenPort, store: .dictionary) var port
        @PersistentValue(.listenPort, store: .dictionary) var other: Int
    }

    @Test func `a property reads and writes and streams the value of its key`() async {
        let server = Server()
        var values = server.$port.makeAsyncIterator()
        #expect(server.port == 80)
        server.port = 81
        #expect(server.port == 81)
        #expect(server.other == 80)
        #expect(await values.next() == 80)
        #expect(await values.next() == 81)
    }

    @Test func `the default store of property wrappers can be replaced`() {
        struct Settings {
            @PersistentValue(.listenPort) var port
            @FoilDefaultStorage(key: "foil") var foil = 3
        }
        let before = DefaultPrefsStore.current
        defer { DefaultPrefsStore.current = before }
        let storage = DictionaryPrefsStorage(values: ["port": 7, "foil": 8])
        DefaultPrefsStore.current = storage
        let settings = Settings()
        #expect(settings.port == 7)
        #expect(settings.foil == 8)
        settings.foil = 9
        #expect(storage.snapshot["foil"] == 9)
    }
}
