#if ServiceLifecycle
    import FoundationEssentials
    import InMemoryLogging
    import LayeredPrefs
    import LayeredPrefsInspection
    import LayeredPrefsService
    import LayeredPrefsTesting
    import Logging
    import PrefsSystem
    import ServiceLifecycle
    import ServiceLifecycleTestKit
    import TestSupport
    import Testing
    import UnixSignals

    extension NotifySocketTests {
        @Suite struct PrefsServiceTests {
            private let sandbox: PrefsSandbox
            private let listener: NotifySocket
            private let path: String

            init() throws {
                sandbox = try PrefsSandbox()
                listener = try #require(NotifySocket(path: "\(sandbox.root)/notify"))
                path = "\(sandbox.root)/user.json"
                unsafe setenv("NOTIFY_SOCKET", listener.path, 1)
            }

            @Test func `a signal reloads and shutdown completes deferred writes`() async throws {
                try Data(#"{"level": "info"}"#.utf8).write(to: URL(filePath: path))
                // Without a watcher, only a reload finds an edit.
                let unwatched = UnwatchedStorage(FilePrefsStorage(path: path))
                let writable = FilePrefsStorage(path: "\(sandbox.root)/state.json")
                let storage = PrefsStack {
                    PrefsLayer("user", unwatched)
                    PrefsLayer("state", writable)
                }
                try await testGracefulShutdown { trigger in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask { await PrefsService(storage, reloadingOn: [.sigusr2]).run() }
                        #expect(await listener.next() == "READY=1")

                        let reloads = unwatched.reloads
                        kill(getpid(), SIGUSR2)
                        #expect(await listener.next()?.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") == true)
                        #expect(await listener.next() == "STATUS=Reloaded; nothing changed")
                        #expect(await listener.next() == "READY=1")
                        #expect(unwatched.reloads == reloads + 1)

                        storage.setLater(PersistentKey("runs", defaultValue: 0), to: 7)
                        trigger.triggerGracefulShutdown()
                        #expect(await listener.next() == "STOPPING=1")
                        try await group.waitForAll()
                    }
                }
                #expect(try String(contentsOfFile: writable.path, encoding: .utf8).contains("7"))
            }

            @Test func `a reload says what was rejected, by the files' rules and by the program`()
                async throws
            {
                struct Relay: Codable, Sendable { @Setting(in: 1...65535) var port = 8080 }
                struct Taken: Error {}
                func edit(_ port: String) throws {
                    try Data("{\"port\": \(port)}".utf8).write(to: URL(filePath: path))
                    kill(getpid(), SIGUSR2)
                }
                try Data("{}".utf8).write(to: URL(filePath: path))
                let storage = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) {
                    PrefsLayer(
                        "system", UnwatchedStorage(FilePrefsStorage(path: path)), rejectionScope: .source)
                }
                let relay = try Live(Relay(), storage)
                let applying = relay.apply(\.port) { _, new in if new == 22 { throw Taken() } }
                let log = InMemoryLogHandler()
                let logger = Logger(label: "relay") { _ in log }
                try await testGracefulShutdown { trigger in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask {
                            await PrefsService(storage, reloadingOn: [.sigusr2], logger: logger).run()
                        }
                        #expect(await listener.next() == "READY=1")
                        for (port, status) in [
                            ("70000", "listed"), ("22", "rejected by the program: Taken()"),
                            (",", "Reloaded; rejected: system \(path):1:"),
                            ("9000", ": port"),
                        ] {
                            try edit(port)
                            #expect(await listener.next()?.hasPrefix("RELOADING=1") == true)
                            let found = await listener.next() ?? ""
                            let expected =
                                status == "listed"
                                ? "port: expected 1...65535, found the integer 70000" : status
                            #expect(found.contains(expected), "\(found)")
                            #expect(await listener.next() == "READY=1")
                        }
                        trigger.triggerGracefulShutdown()
                        #expect(await listener.next() == "STOPPING=1")
                        try await group.waitForAll()
                    }
                }
                #expect(relay.current.port == 9000)
                #expect(log.entries.map(\.level) == [.error, .error, .error, .notice, .notice])
                #expect(log.entries.dropLast().last?.message == "now using the new version: port")
                #expect(log.entries.last?.message.description.hasSuffix(": port") == true)
                applying.cancel()
            }

            @Test func `a reload is over when the observers have been called`() async throws {
                let mayReturn = Latch()
                try await reload(blockedUntil: mayReturn) { trigger in
                    #expect(listener.receive() == nil)
                    mayReturn.open()
                    #expect(await listener.next()?.hasSuffix(": level") == true)
                    #expect(await listener.next() == "READY=1")
                    trigger.triggerGracefulShutdown()
                }
            }

            @Test func `an observer that never returns does not keep the service from ending`() async throws {
                let mayReturn = Latch()
                try await reload(blockedUntil: mayReturn) { trigger in
                    trigger.triggerGracefulShutdown()
                    #expect(await listener.next()?.hasPrefix("STATUS=Reloaded") == true)
                    #expect(await listener.next() == "READY=1")
                }
                mayReturn.open()
            }

            @Test func `what handlers have prepared is aborted when the service ends`() async throws {
                struct Relay: Codable, Sendable {
                    var port = 8080
                    var limit = 1
                }
                try Data("{}".utf8).write(to: URL(filePath: path))
                let storage = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) {
                    PrefsLayer(
                        "system", UnwatchedStorage(FilePrefsStorage(path: path)), rejectionScope: .source)
                }
                let relay = try Live(Relay(), storage)
                let calls = Recorder<String>()
                let first = relay.apply(\.port) { _, new in
                    calls.record("prepare \(new)")
                    return new
                } commit: {
                    calls.record("commit \($0)")
                } abort: {
                    calls.record("abort \($0)")
                }
                let (blocked, latch) = AsyncStream<Never>.makeStream()
                let second = relay.apply(\.limit) { _, new in
                    calls.record("limit \(new)")
                    // Wait until the task is cancelled.
                    for await _ in blocked {}
                }
                try await testGracefulShutdown { trigger in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask { await PrefsService(storage, reloadingOn: [.sigusr2]).run() }
                        #expect(await listener.next() == "READY=1")
                        try Data(#"{"port": 9000, "limit": 2}"#.utf8).write(to: URL(filePath: path))
                        kill(getpid(), SIGUSR2)
                        _ = try await calls.wait(within: .seconds(60)) { $0.count == 2 }
                        trigger.triggerGracefulShutdown()
                        try await group.waitForAll()
                    }
                }
                #expect(calls.elements == ["prepare 9000", "limit 2", "abort 9000"])
                #expect(relay.current.port == 8080)
                latch.finish()
                _ = (first, second)
            }

            @Test func `a closure that never returns does not keep the service from ending`() async throws {
                struct Relay: Codable, Sendable { var port = 8080 }
                try Data("{}".utf8).write(to: URL(filePath: path))
                let storage = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) {
                    PrefsLayer(
                        "system", UnwatchedStorage(FilePrefsStorage(path: path)), rejectionScope: .source)
                }
                let relay = try Live(Relay(), storage)
                let (blocked, latch) = AsyncStream<Never>.makeStream()
                let called = Recorder<Int>()
                let applying = relay.apply(\.port) { _, new in
                    called.record(new)
                    for await _ in blocked {}
                }
                try await testGracefulShutdown { trigger in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask { await PrefsService(storage, reloadingOn: [.sigusr2]).run() }
                        #expect(await listener.next() == "READY=1")
                        try Data(#"{"port": 9000}"#.utf8).write(to: URL(filePath: path))
                        kill(getpid(), SIGUSR2)
                        #expect(await listener.next()?.hasPrefix("RELOADING=1") == true)
                        _ = try await called.wait { $0 == [9000] }
                        trigger.triggerGracefulShutdown()
                        #expect(await listener.next()?.hasPrefix("STATUS=") == true)
                        #expect(await listener.next() == "READY=1")
                        #expect(await listener.next() == "STOPPING=1")
                        try await group.waitForAll()
                    }
                }
                #expect(relay.current.port == 8080)
                latch.finish()
                // Another service does this when it starts.
                storage.resumeApplying()
                try await relay.applied()
                #expect(relay.current.port == 9000)
                applying.cancel()
            }

            /// Reloads an edited file and calls `body` while an observer is blocked. The observer returns
            /// when the latch is opened. After that, the service has to end.
            private func reload(
                blockedUntil mayReturn: Latch, _ body: @Sendable (GracefulShutdownTestTrigger) async -> Void
            ) async throws {
                try Data(#"{"level": "info"}"#.utf8).write(to: URL(filePath: path))
                let storage = PrefsStack {
                    PrefsLayer("user", UnwatchedStorage(FilePrefsStorage(path: path)))
                }
                let called = Recorder<String>()
                let observation = storage.observe(PersistentKey("level", defaultValue: "none")) {
                    called.record($0.new.value)
                    mayReturn.wait()
                }
                try await testGracefulShutdown { trigger in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask { await PrefsService(storage, reloadingOn: [.sigusr2]).run() }
                        #expect(await listener.next() == "READY=1")
                        try Data(#"{"level": "debug"}"#.utf8).write(to: URL(filePath: path))
                        kill(getpid(), SIGUSR2)
                        #expect(await listener.next()?.hasPrefix("RELOADING=1") == true)
                        _ = try await called.wait { $0 == ["debug"] }
                        await body(trigger)
                        #expect(await listener.next() == "STOPPING=1")
                        try await group.waitForAll()
                    }
                }
                observation.cancel()
            }

            @Test func `inspection is served while the service runs`() async throws {
                let storage = PrefsStack { PrefsLayer.defaults(["port": 1]) }
                let folder = "\(sandbox.root)/run"
                await testGracefulShutdown { trigger in
                    await withTaskGroup(of: Void.self) { group in
                        let service = PrefsService(storage, reloadingOn: [.sigusr2])
                        group.addTask { await service.inspected(domain: "com.example.myd", in: folder).run() }
                        #expect(await listener.next() == "READY=1")
                        #expect(InspectionFolder.sockets(in: folder, domain: nil).map(\.pid) == [getpid()])
                        trigger.triggerGracefulShutdown()
                        #expect(await listener.next() == "STOPPING=1")
                        await group.waitForAll()
                    }
                }
                #expect(InspectionFolder.sockets(in: folder, domain: nil).isEmpty)
            }

            @Test func `a socket that cannot be created is reported, and the service runs`() async throws {
                try Data().write(to: URL(filePath: "\(sandbox.root)/file"))
                let reported = Lock<[PrefsDiagnostic]>([])
                let diagnostics = PrefsDiagnosticHandler { diagnostic in
                    reported.withLock { $0.append(diagnostic) }
                }
                let storage = PrefsStack(diagnostics: diagnostics) {
                    PrefsLayer.defaults(["port": 1])
                }
                let folder = "\(sandbox.root)/file/run"
                await testGracefulShutdown { trigger in
                    await withTaskGroup(of: Void.self) { group in
                        let service = PrefsService(storage, reloadingOn: [.sigusr2])
                        group.addTask { await service.inspected(domain: "com.example.myd", in: folder).run() }
                        #expect(await listener.next() == "READY=1")
                        trigger.triggerGracefulShutdown()
                        #expect(await listener.next() == "STOPPING=1")
                        await group.waitForAll()
                    }
                }
                let errors = reported.withLock(\.self)
                #expect(errors.count == 1 && errors[0].severity == .warning)
                #expect("\(errors)".contains(folder))
            }

            @Test func `a service is printed without what it is made of`() {
                let storage = PrefsStack { PrefsLayer.defaults(["token": "s3cret"]) }
                let service = PrefsService(storage, logger: Logger(label: "relay"))
                #expect("\(service)" == "PrefsService(reloading on SIGHUP)")
            }

            @Test func `cancellation stops the service`() async throws {
                let storage = PrefsStack { PrefsLayer.defaults([:]) }
                let service = Task {
                    await PrefsService(storage, reloadingOn: [.sigusr2], notifiesReadiness: false).run()
                }
                service.cancel()
                await service.value
                #expect(listener.receive() == "STOPPING=1")
            }
        }
    }

    /// A storage that counts its reloads and announces no changes.
    private final class UnwatchedStorage: PrefsStorage {
        private let base: FilePrefsStorage
        private let count = Lock(0)

        init(_ base: FilePrefsStorage) { self.base = base }

        var reloads: Int { count.withLock(\.self) }

        var snapshot: PrefsSnapshot { base.snapshot }

        func reload() {
            count.withLock { $0 += 1 }
            base.reload()
        }
    }
#endif
