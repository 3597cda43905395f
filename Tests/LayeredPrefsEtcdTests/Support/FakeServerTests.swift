#if Etcd
    import LayeredPrefs
    import Testing

    @testable import LayeredPrefsEtcd

    /// Tests of the other tests' server.
    @Suite struct FakeServerTests {
        @Test func `a server that was stopped takes no connections of another`() throws {
            for _ in 0..<500 {
                try FakeServer { _, _ in .silence }.stop()
                let server = try FakeServer { _, _ in .body("{}") }
                let settings = EtcdSettings(
                    endpoints: [server.url], prefix: "/p", credentials: nil, tls: .init(),
                    timing: .init(request: .seconds(10)))
                let client = EtcdClient(settings: settings, diagnostics: .init())
                let connection = try #require(EtcdConnection(client))
                let answer = try connection.call("/", "{}", at: server.url)
                #expect(answer == Array("{}".utf8))
            }
        }
    }
#endif
