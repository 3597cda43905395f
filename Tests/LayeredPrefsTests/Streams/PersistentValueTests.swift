import Testing

@testable import LayeredPrefs

extension PersistentKey where Value == Int {
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
}
