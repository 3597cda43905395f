import LayeredPrefsTesting
import PrefsSystem
import TestSupport
import Testing

@testable import LayeredPrefs

/// Edits that come while a decision about something else is still open.
extension AppliedSettingsTests {
    private struct Levels: Codable, Sendable {
        @Setting(in: 1...9) var level = 1
        var limit = 512
    }

    private struct Server: Codable, Sendable {
        struct Listener: Codable, Sendable {
            @Setting(needsRestart: true) var backlog = 4
            var port = 8080
        }

        var listen = Listener()
    }

    @Test func `a wrong value in the user's file leaves the others of it in force`() throws {
        let storage = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) {
            layer(.user, "user.toml")
        }
        let levels = try Live(Levels(), storage)
        try folder.write("limit = 5\nlevel = 70", to: "user.toml")
        storage.reload()
        #expect(levels.current.limit == 5 && levels.current.level == 1)
    }

    @Test func `a wrong value in one layer's file leaves those of another layer in force`() throws {
        let storage = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) {
            layer("site", "site.toml")
            layer("host", "host.toml")
        }
        let levels = try Live(Levels(), storage)
        try folder.write("limit = 5", to: "site.toml")
        try folder.write("level = 70", to: "host.toml")
        storage.reload()
        #expect(levels.current.limit == 5 && levels.current.level == 1)
        #expect(storage.status.map { $0.rejection != nil } == [false, true])
    }

    @Test func `nothing is called back while what was rejected is being offered again`() async throws {
        let storage = stack()
        let (calls, latch) = (Recorder<String>(), AsyncLatch())
        let isSecond = Lock(false)
        let plugin = try Live(Plugin(), storage, at: "plugin")
        let relay = try Live(Relay(), storage)
        let first = plugin.apply(\.size) { calls.record("size \($0)→\($1)") }
        let second = relay.apply(\.port) { _, new in
            calls.record("port \(new)")
            if isSecond.withLock({ $0 }) { await latch.wait() }
            throw Rejected(description: "taken")
        }
        try edit("plugin.size = 2\nport = 9000", storage)
        try await relay.applied()
        isSecond.withLock { $0 = true }
        storage.reload()
        _ = try await calls.wait { $0.count == 5 }
        // These writes lead to decisions in the meantime.
        for value: PrefsValue in [1, 2, 3] { try storage.setValue(value, forKey: "other", in: .overrides) }
        await latch.open()
        try await relay.applied()
        let once = ["size 1→2", "port 9000", "size 2→1"]
        #expect(calls.elements == once + once)
        _ = (first, second)
    }

    @Test func `an update goes on when its file has been edited while the closures were called`() async throws
    {
        let storage = stack()
        let relay = try Live(Relay(), storage)
        let (calls, latch) = (Recorder<String>(), AsyncLatch())
        let first = relay.apply(\.port) { calls.record("port \($0)→\($1)") }
        let second = relay.apply(\.limit) {
            calls.record("limit \($0)→\($1)")
            await latch.wait()
        }
        let updates = [7, 8].map { limit in Task { try await relay.update { $0.limit = limit } } }
        _ = try await calls.wait { $0.count == 1 }
        try edit("port = 9000", storage)
        await latch.open()
        for update in updates { _ = try await update.value }
        try await relay.applied()
        #expect(relay.current.port == 9000 && [7, 8].contains(relay.current.limit))
        #expect(calls.elements.count { $0.hasPrefix("port") } == 1)
        #expect(calls.elements.last?.hasSuffix("→\(relay.current.limit)") == true)
        _ = (first, second)
    }

    @Test func `an update that is stored, but perhaps not on disk, is not called back`() async throws {
        let storage = stack()
        let relay = try Live(Relay(), storage)
        let calls = Recorder<Int>()
        let applying = relay.apply(\.limit) { _, new in calls.record(new) }
        var new = Relay()
        new.limit = 7
        do {
            try await relay.handlers.storing { [new] in
                (Relay(), new)
            } _: {
                _ = try storage.setValue(7, forKey: "limit")
                throw PrefsError(.notDurable, reason: "the disk is gone")
            }
            Issue.record("the error is lost")
        } catch let error as PrefsError { #expect(error.code == .notDurable) }
        try await relay.applied()
        #expect(calls.elements == [7] && relay.current.limit == 7)
        applying.cancel()
    }

    @Test func `observers are told of the edit that mends what a lock has made invalid`()
        async throws
    {
        let storage = stack()
        let relay = try overridingReservedPort(in: storage)
        let changes = Recorder<String>()
        let observation = relay.observe { changes.record("\($0.port)→\($1.port)") }
        // Nobody reads this value before the lock.
        try storage.setValue(9100, forKey: "port", in: .overrides)
        storage.lock("port", at: .system)
        #expect(relay.current.port == 9100)
        try edit("port = 2", storage)
        await storage.settled()
        #expect(changes.elements == ["9000→9100", "9100→2"])
        observation.cancel()
    }

    @Test func `a field that needs a restart is not applied`() async throws {
        let storage = stack()
        let server = try Live(Server(), storage)
        let calls = Recorder<Int>()
        let applying = server.apply(\.listen) { _, new in calls.record(new.backlog) }
        try await server.update { $0.listen.backlog = 6 }
        try await server.applied()
        #expect(calls.elements.isEmpty && server.waitingForRestart == ["listen.backlog"])
        applying.cancel()
    }

    @Test func `what the program has rejected is not offered again for another reason`() async throws {
        let storage = stack()
        let plugin = try Live(Plugin(), storage, at: "plugin")
        let relay = try Live(Relay(), storage)
        let calls = Recorder<Int>()
        let applying = relay.apply(\.port) { _, new in
            calls.record(new)
            throw Rejected(description: "taken")
        }
        try edit("port = 9000", storage)
        try await relay.applied()
        try edit("# The same.\nport = 9000", storage)
        try await relay.applied()
        try storage.setValue(1, forKey: "other", in: .overrides)
        try await relay.applied()
        try edit("port = 9000\nplugin.size = 70", storage)
        try await relay.applied()
        try edit("port = 9000\nplugin.size = 7", storage)
        try await relay.applied()
        #expect(calls.elements == [9000] && plugin.current.size == 1)
        applying.cancel()
    }

    @Test func `a rejected value is reported once while the program is asked about others`()
        async throws
    {
        let messages = Recorder<String>()
        let diagnostics = PrefsDiagnosticHandler { messages.record("\($0.severity): \($0.error.key ?? "")") }
        let storage = PrefsStack(diagnostics: diagnostics) { layer(.user, "user.toml") }
        let levels = try Live(Levels(), storage)
        let applying = levels.apply(\.limit) { _, _ in }
        try folder.write("level = 70", to: "user.toml")
        storage.reload()
        try await levels.applied()
        try folder.write("level = 70\nlimit = 5", to: "user.toml")
        storage.reload()
        try await levels.applied()
        #expect(levels.current.limit == 5)
        #expect(messages.elements == ["error: level"])
        applying.cancel()
    }

    @Test func `closures are not called with the overrides of a task`() async throws {
        let storage = stack()
        let relay = try Live(Relay(), storage)
        let calls = Recorder<Int>()
        let applying = relay.apply(\.limit) { _, new in calls.record(new) }
        _ = try await storage.withOverrides(["limit": 7]) { try await relay.update { $0.port = 1 } }
        try await relay.applied()
        #expect(calls.elements.isEmpty && relay.current.port == 1 && relay.current.limit == 512)
        applying.cancel()
    }

    @Test func `a configuration is consistent again when the closure has applied another value`() async throws
    {
        let storage = stack()
        try folder.write("port = 8081", to: "relay.toml")
        storage.reload()
        try storage.setValue(9000, forKey: "port", in: .overrides)
        let relay = try Live(Relay(), storage)
        let applying = relay.apply(\.port) { _, new in
            if new == 8081 { throw Rejected(description: "taken") }
        }
        storage.lock("port", at: .system)
        try await relay.applied()
        #expect(relay.isInconsistent)
        try edit("port = 8082", storage)
        try await relay.applied()
        #expect(relay.current.port == 8082 && !relay.isInconsistent)
        applying.cancel()
    }

    @Test func `what only a closure had rejected is in force when it is cancelled`() async throws {
        let storage = stack()
        let relay = try Live(Relay(), storage)
        let applying = relay.apply(\.port) { _, _ in throw Rejected(description: "taken") }
        try edit("port = 9000", storage)
        try await relay.applied()
        #expect(relay.current.port == 8080)
        applying.cancel()
        try await relay.applied()
        #expect(relay.current.port == 9000)
    }

    @Test func `the edit that ends an invalid state is offered before it is in force`() async throws {
        let storage = stack()
        let relay = try overridingReservedPort(in: storage)
        let calls = Recorder<String>()
        let applying = relay.apply(\.port) { old, new in
            calls.record("\(old)→\(new)")
            if new == 3 { throw Rejected(description: "taken") }
        }
        storage.lock("port", at: .system)
        try edit("port = 3", storage)
        try await relay.applied()
        #expect(relay.current.port == 9000 && calls.elements == ["9000→3"])
        try edit("port = 2", storage)
        try await relay.applied()
        #expect(relay.current.port == 2 && calls.elements == ["9000→3", "9000→2"])
        #expect(!relay.isInconsistent)
        applying.cancel()
    }

    @Test func `when a lock leaves a required field without a value, the previous version stays`()
        async throws
    {
        struct Account: Codable, Sendable { @Setting(required: true) var token = "" }
        let storage = stack()
        try storage.setValue("abc", forKey: "token", in: .overrides)
        let account = try Live(Account(), storage)
        storage.lock("token", at: .system)
        try await account.applied()
        #expect(account.current.token == "abc")
        #expect(reports.elements.count == 1 && reports.elements[0].hasPrefix("error: a value is required"))
        try edit(#"token = "def""#, storage)
        #expect(account.current.token == "def")
        #expect(reports.elements.last == "recovered: now using the new version")
    }
}
