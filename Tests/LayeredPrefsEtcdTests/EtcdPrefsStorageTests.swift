#if Etcd
    import Foundation
    import LayeredPrefs
    import LayeredPrefsTesting
    import PrefsSystem
    import TestSupport
    import Testing

    @testable import LayeredPrefsEtcd

    /// The storage with a real server.
    @Suite(.enabled(if: EtcdServer.isInstalled, "etcd is not installed"))
    struct EtcdPrefsStorageTests {
        private let port = PersistentKey("http.port", defaultValue: 80)
        private let level = PersistentKey("log.level", defaultValue: "info")
        private let diagnostics = PrefsDiagnosticHandler()
        private let reports: Recorder<PrefsDiagnostic>

        init() { reports = .diagnostics(of: diagnostics) }

        private func storage(
            _ servers: EtcdServer..., cache: EtcdPrefsStorage.Cache = .none, isWritable: Bool = false,
            credentials: EtcdPrefsStorage.Credentials? = nil, request: Duration = .seconds(10),
            check: Duration = .seconds(60), start: Duration = .seconds(60)
        ) -> EtcdPrefsStorage {
            EtcdPrefsStorage(
                endpoints: servers.map(\.url), prefix: "/prefs/com.example.myd/", credentials: credentials,
                cache: cache, isWritable: isWritable,
                timing: .init(start: start, request: request, check: check, longestPause: .milliseconds(100)),
                diagnostics: diagnostics)
        }

        @Test func `keys change live as they change on the server`() async throws {
            let server = try EtcdServer()
            try server.put("/prefs/com.example.myd/http/port", "8080")
            try server.put("/prefs/com.example.mydother/http/port", "1")
            let storage = storage(server)
            let stack = PrefsStack { PrefsLayer("fleet", storage) }
            #expect(stack.get(port) == 8080)
            #expect(
                stack.resolution(for: port).origin?.description
                    == "fleet etcd /prefs/com.example.myd/http/port revision 2")
            let ports = Recorder.changes(of: port, in: stack)
            let revision = try server.put("/prefs/com.example.myd/http/port", "9090")
            try await ports.wait(within: .seconds(60)) { $0.last?.new.value == 9090 }
            #expect(stack.resolution(for: port).origin?.revision == String(revision))
            try server.delete("/prefs/com.example.myd/http/port")
            try await ports.wait(within: .seconds(60)) { $0.last?.new.value == 80 }
            #expect(reports.elements.isEmpty)
        }

        @Test func `a transaction is one change`() async throws {
            let server = try EtcdServer()
            let stack = PrefsStack { PrefsLayer("fleet", storage(server)) }
            let changes = Recorder.changeSets(in: stack)
            try server.transaction(
                [("http/port", "1"), ("log/level", "debug"), ("c", "3")].map { key, value in
                    .init(key: Array("/prefs/com.example.myd/\(key)".utf8), value: Array(value.utf8), base: 0)
                })
            let received = try await changes.wait(within: .seconds(60)) { !$0.isEmpty }
            #expect(received.map { $0.changes.count } == [3])
            #expect(stack.get(level) == "debug")
        }

        @Test func `a write can be read when it returns, by this process and by others`() async throws {
            let server = try EtcdServer()
            let writer = storage(server, isWritable: true)
            let stack = PrefsStack {
                PrefsLayer("fleet", writer)
                PrefsLayer(.overrides, .dictionary)
            }
            let other = PrefsStack { PrefsLayer("fleet", storage(server)) }
            let ports = Recorder.changes(of: port, in: other)
            for value in 1...20 {
                try stack.set(port, to: value)
                #expect(stack.get(port) == value)
            }
            try await ports.wait(within: .seconds(60)) { $0.last?.new.value == 20 }
            try stack.remove(port)
            #expect(stack.get(port) == 80)
            try stack.set(port, to: 7, in: .overrides)
            #expect(
                try stack.set(port, to: 8)
                    == .shadowed(by: PrefsOrigin(layer: "overrides", spelling: "http.port")))
        }

        @Test func `an observer may write`() async throws {
            let server = try EtcdServer()
            let storage = storage(server, isWritable: true)
            let (port, level) = (port, level)
            let levels = Recorder<String>()
            levels.keep(
                storage.changeSource?.observe { [unowned storage] in
                    let text = "\(storage.get(port))"
                    if storage.get(level) != text {
                        _ = try? storage.setValue(.string(text), forKey: "log.level")
                    }
                    levels.record(storage.get(level))
                })
            try server.put("/prefs/com.example.myd/http/port", "8081")
            try await levels.wait(within: .seconds(60)) { $0.last == "8081" }
            try server.put("/prefs/com.example.myd/http/port", "8082")
            try await levels.wait(within: .seconds(60)) { $0.last == "8082" }
            levels.stop()
        }

        @Test func `an observer of a key may write, and a transaction may span layers`() async throws {
            let server = try EtcdServer()
            let stack = PrefsStack {
                PrefsLayer("fleet", storage(server, isWritable: true))
                PrefsLayer(.overrides, .dictionary)
            }
            let (port, level, name) = (port, level, PersistentKey("name", defaultValue: ""))
            let levels = Recorder.changes(of: level, in: stack)
            let observation = stack.observe(port) { [unowned stack] change in
                _ = try? stack.set(level, to: "\(change.new.value)", in: "fleet")
            }
            try stack.transaction { transaction in
                transaction.set(port, to: 1, in: "fleet")
                transaction.set(name, to: "b", in: .overrides)
            }
            #expect(stack.snapshot.get(port, name) == (1, "b"))
            try await levels.wait(within: .seconds(60)) { $0.last?.new.value == "1" }
            observation.cancel()
        }

        @Test func `writers of several processes lose nothing`() throws {
            let server = try EtcdServer()
            let storages = (0..<4).map { _ in storage(server, isWritable: true) }
            concurrently(4) { index in
                for round in 0..<10 {
                    #expect(throws: Never.self) {
                        try storages[index].setValues([
                            "own.\(index).k\(round)": 1, "shared": .integer(Int128(index)),
                        ])
                    }
                }
            }
            let keys = PersistentKey("own", defaultValue: [String: [String: Int]]())
            for storage in storages {
                #expect(
                    eventually {
                        storage.get(keys).mapValues(\.count) == ["0": 10, "1": 10, "2": 10, "3": 10]
                    })
            }
        }

        @Test func `contents outlive the server, and a start without it uses the cache`() async throws {
            let (server, folder) = (try EtcdServer(), try TemporaryFolder())
            let cache = EtcdPrefsStorage.Cache.file(at: folder.path + "/x/cache").omitting(["log"])
            try server.put("/prefs/com.example.myd/http/port", "8080")
            try server.put("/prefs/com.example.myd/log/level", "debug")
            var first: EtcdPrefsStorage? = storage(server, cache: cache)
            #expect(eventually { folder.names == ["x"] && (try? folder.read("x/cache"))?.isEmpty == false })
            server.kill()
            #expect(first?.get(port) == 8080 && first?.get(level) == "debug")
            first = nil
            let second = storage(server, cache: cache, start: .zero)
            #expect(second.get(port) == 8080 && second.get(level) == "info")
            try await reports.wait(within: .seconds(60)) { reports in
                reports.contains { $0.description.contains("keeping the previous version, of revision") }
            }
            func inode() -> Int? {
                try? FileManager.default.attributesOfItem(atPath: folder.path + "/x/cache")[.systemFileNumber]
                    as? Int
            }
            let before = inode()
            try server.start()
            let stack = PrefsStack { PrefsLayer("fleet", second) }
            #expect(eventually { stack.get(level) == "debug" })
            // Wait for the write, so that nothing is written after the folder is gone.
            #expect(eventually { inode() != before })
        }

        @Test func `a deletion is found after compaction, and while not connected`() async throws {
            let server = try EtcdServer()
            try server.put("/prefs/com.example.myd/http/port", "8080")
            let storage = storage(server)
            server.signal(SIGSTOP)
            let stack = PrefsStack { PrefsLayer("fleet", storage) }
            server.kill()
            try server.start()
            let revision = try server.delete("/prefs/com.example.myd/http/port")
            try server.put("/other", "x")
            try server.compact(at: revision)
            #expect(eventually { stack.get(port) == 80 })
        }

        /// etcd before 3.4.36 and 3.5.18 loses the deletion if the watch begins at the compacted revision.
        @Test func `a deletion that is compacted between the list and the watch is not lost`() throws {
            let server = try EtcdServer()
            try server.put("/prefs/com.example.myd/http/port", "8080")
            let settings = EtcdSettings(
                endpoints: [server.url], prefix: "/prefs/com.example.myd/", credentials: nil, tls: .init(),
                timing: .init())
            let connection = try #require(
                EtcdConnection(EtcdClient(settings: settings, diagnostics: diagnostics)))
            let list = try connection.list(settings.ranges, at: server.url)
            try server.compact(at: server.delete("/prefs/com.example.myd/http/port"))
            let stream = try EtcdStream(connection, settings.ranges, after: list.header, at: server.url)
            defer { stream.close() }
            var events: [EtcdEvent] = []
            let deadline = ContinuousClock.now.advanced(by: .seconds(60))
            #expect {
                while events.isEmpty, ContinuousClock.now < deadline {
                    connection.transport.poll(for: .seconds(1))
                    events += try stream.receive().flatMap(\.events)
                    if stream.isEstablished { try server.put("/prefs/com.example.myd/http/host", "a") }
                }
            } throws: {
                ($0 as? EtcdFailure)?.kind == .revision
            }
            #expect(events.isEmpty)
        }

        @Test func `a server that is stopped without closing its connections is passed over`() async throws {
            let (stopped, other) = (try EtcdServer(), try EtcdServer())
            try stopped.put("/prefs/com.example.myd/http/port", "1")
            let storage = EtcdPrefsStorage(
                endpoints: [stopped.url], prefix: "/prefs/com.example.myd/", cache: .none,
                timing: .init(start: .seconds(60), request: .milliseconds(500), check: .milliseconds(100)),
                diagnostics: diagnostics)
            #expect(eventually { storage.status.first?.problem == nil })
            stopped.signal(SIGSTOP)
            try await reports.wait(within: .seconds(60)) { !$0.isEmpty }
            #expect(storage.get(port) == 1 && storage.status.first?.problem != nil)
            stopped.signal(SIGCONT)
            try await reports.wait(within: .seconds(60)) { $0.last?.severity == .recovered }
            withExtendedLifetime(other) {}
        }

        @Test func `locks come from a prefix beside that of the values`() async throws {
            let server = try EtcdServer()
            try server.put("/prefs/com.example.myd/http/port", "1")
            let storage = EtcdPrefsStorage(
                endpoints: [server.url], prefix: "/prefs/com.example.myd/",
                locks: "/prefs-locks/com.example.myd/",
                cache: .none, timing: .init(start: .seconds(60)), diagnostics: diagnostics)
            let stack = PrefsStack {
                PrefsLayer("fleet", storage)
                PrefsLayer(.overrides, .dictionary)
            }
            try stack.set(port, to: 2, in: .overrides)
            #expect(stack.get(port) == 2)
            let revision = try server.put("/prefs-locks/com.example.myd/http", "")
            #expect(eventually { stack.get(port) == 1 })
            #expect(
                stack.resolution(for: port).lock?.origin.description
                    == "fleet etcd /prefs-locks/com.example.myd/http revision \(revision)")
            try server.delete("/prefs-locks/com.example.myd/http")
            #expect(eventually { stack.get(port) == 2 })
        }

        @Test func `the storage satisfies the contract`() async throws {
            let server = try EtcdServer()
            let number = Lock(0)
            for check in PrefsStorageContract.checks {
                try await check.run { content in
                    let prefix = number.withLock { number in
                        number += 1
                        return "/prefs/contract\(number)/"
                    }
                    @Sendable func open() -> EtcdPrefsStorage {
                        EtcdPrefsStorage(
                            endpoints: [server.url], prefix: prefix, cache: .none, isWritable: true,
                            timing: .init(start: .seconds(60)), diagnostics: PrefsDiagnosticHandler { _ in })
                    }
                    let (storage, editor) = (open(), open())
                    try storage.setValues(content)
                    return PrefsStorageSubject(storage, reopen: { open() }) { content in
                        // The editor may not have received the subject's last write.
                        editor.reload()
                        let old = editor.snapshot.dictionary.mapValues { _ in PrefsValue?.none }
                        try editor.setValues(old.merging(content) { $1 })
                    }
                }
            }
        }

        @Test func `earlier contents can be read and restored in one transaction`() throws {
            let server = try EtcdServer()
            let storage = storage(server, isWritable: true)
            try storage.setValues(["http.port": 1, "log.level": "debug"])
            let revision = try #require(
                storage.snapshot.candidates(forKey: "http.port").first?.origin.revision.flatMap { Int64($0) })
            try storage.setValues(["http.port": 2, "log.level": nil, "added": 3])
            let earlier = PrefsSnapshot(candidates: try storage.candidates(atRevision: revision))
            #expect(earlier.get(port, level) == (1, "debug"))
            #expect(try storage.history(ofKey: "http.port").map(\.value) == [2, 1])
            try storage.restore(revision: revision)
            #expect(storage.snapshot.get(port, level) == (1, "debug"))
            #expect(storage.snapshot.candidates(forKey: "added").isEmpty)
            #expect(try storage.history(ofKey: "http.port").map(\.value) == [1, 2, 1])
            #expect(try storage.history(ofKey: "nothing").isEmpty)
            try server.compact(at: revision + 2)
            #expect {
                try storage.restore(revision: revision)
            } throws: { ($0 as? PrefsError)?.code == .missing }
            #expect(try storage.history(ofKey: "http.port").map(\.value) == [1])
        }

        @Test func `keys that name no preference are reported, once, and their removal`() async throws {
            let server = try EtcdServer()
            let key = Array("/prefs/com.example.myd/a".utf8) + [0xff]
            let revision = try server.transaction([.init(key: key, value: [0x31], base: 0)])
            let storage = storage(server)
            try await reports.wait(within: .seconds(60)) { !$0.isEmpty }
            #expect(
                reports.elements.map(\.description) == [
                    #"error: etcd /prefs/com.example.myd/a\xff revision \#(revision): the key is not UTF-8"#
                ])
            try server.transaction([.init(key: key, value: nil, base: 0)])
            try await reports.wait(within: .seconds(60)) { $0.last?.severity == .recovered }
            withExtendedLifetime(storage) {}
        }
    }
#endif
