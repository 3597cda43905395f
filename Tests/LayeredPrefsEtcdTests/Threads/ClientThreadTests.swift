#if Etcd
    import Foundation
    import LayeredPrefs
    import Synchronization
    import TestSupport
    import Testing

    @testable import LayeredPrefsEtcd

    private let hasEnded = Atomic(false)

    @Suite struct ClientThreadTests {
        @Test func `a process ends after its threads`() async {
            await #expect(processExitsWith: .exitCode(7)) {
                // Registered first, so called last, like the handlers of the libraries below libcurl.
                atexit { _exit(hasEnded.load(ordering: .acquiring) ? 7 : 1) }
                let transport = try #require(HTTPTransport(tls: EtcdPrefsStorage.TLS()))
                let stopped = DispatchSemaphore(value: 0)
                let isStarted = ClientThread.start(stop: { stopped.signal() }) {
                    stopped.wait()
                    hasEnded.store(true, ordering: .releasing)
                }
                try #require(isStarted)
                withExtendedLifetime(transport) { exit(0) }
            }
        }

        @Test func `a storage that lives to the end of its process is stopped`() async {
            await #expect(processExitsWith: .exitCode(7)) {
                atexit { _exit(ClientThread.count == 0 ? 7 : 1) }
                let server = try FakeServer { _, _ in .silence }
                let storage = EtcdPrefsStorage(endpoints: [server.url], prefix: "/prefs/com.example.myd/")
                try #require(ClientThread.count == 1)
                withExtendedLifetime((server, storage)) { exit(0) }
            }
        }

        @Test func `a thread that does not stop delays the end of the process for some time only`() async {
            await #expect(processExitsWith: .exitCode(0)) {
                let isStarted = ClientThread.start(stop: {}) { while true { pause() } }
                try #require(isStarted)
                ClientThread.endAll()
                exit(0)
            }
        }

        @Test func `the end of a process may come from one of its threads`() async {
            await #expect(processExitsWith: .exitCode(0)) {
                let isStarted = ClientThread.start(stop: {}) {
                    ClientThread.endAll()
                    exit(0)
                }
                try #require(isStarted)
                while true { pause() }
            }
        }

        @Test func `threads that have ended do not accumulate`() async {
            await #expect(processExitsWith: .success) {
                for _ in 0..<1000 {
                    try #require(ClientThread.start(stop: {}) {})
                    try #require(eventually { ClientThread.count == 0 })
                }
                let before = ProcessCounts.residentMemory
                for _ in 0..<1000 {
                    try #require(ClientThread.start(stop: {}) {})
                    try #require(eventually { ClientThread.count == 0 })
                }
                try #require(ProcessCounts.residentMemory - before < 8 << 20)
                // Join the last thread; otherwise ThreadSanitizer reports it as leaked.
                ClientThread.endAll()
            }
        }
    }
#endif
