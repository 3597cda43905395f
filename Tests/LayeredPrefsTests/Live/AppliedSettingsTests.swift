import LayeredPrefsTesting
import PrefsSystem
import TestSupport
import Testing

@testable import LayeredPrefs

/// The settings that the program has applied are the active ones, whatever comes between.
@Suite struct AppliedSettingsTests: StackSuite {
    struct Relay: Codable, Sendable {
        var port = 8080
        var limit = 512
    }

    struct Plugin: Codable, Sendable {
        @Setting(in: 1...9) var size = 1
    }

    struct Rejected: Error, CustomStringConvertible {
        let description: String
    }

    let fixture: StackFixture

    init() throws { fixture = try StackFixture { "\($0.severity): \($0.error.reason)" } }

    func stack(environment: [String: String] = [:]) -> PrefsStack {
        let variables = EnvironmentPrefsStorage(prefix: "RELAY_", environment: environment)
        return stack(of: layer(), PrefsLayer(.environment, variables), .overrides)
    }

    func edit(_ text: String, _ storage: PrefsStack) throws { try replace(text, storage) }

    /// Returns a configuration with an override that hides the file's port. The port breaks the rule, and a
    /// lock uncovers it.
    func overridingReservedPort(in storage: PrefsStack) throws -> Live<Relay> {
        try folder.write("port = 1", to: "relay.toml")
        storage.reload()
        try storage.setValue(9000, forKey: "port", in: .overrides)
        return try Live(Relay(), storage) { if $0.port == 1 { throw Rejected(description: "reserved") } }
    }

    @Test(arguments: 1...20)
    func `an update that waits behind an edit leaves that applied`(yields: Int) async throws {
        let storage = stack()
        let relay = try Live(Relay(), storage)
        let (ports, latch) = (Recorder<Int>(), AsyncLatch())
        let applying = relay.apply(\.port) { _, new in
            ports.record(new)
            await latch.wait()
        }
        try edit("port = 9000", storage)
        _ = try await ports.wait { $0 == [9000] }
        let update = Task { try await relay.update { $0.limit = 7 } }
        for _ in 0..<yields { await Task.yield() }
        await latch.open()
        _ = try await update.value
        try await relay.applied()
        #expect(relay.current.port == 9000 && relay.current.limit == 7)
        #expect(ports.elements == [9000])
        applying.cancel()
    }

    @Test func `two configurations are asked about one edit, each once`() async throws {
        let storage = stack()
        let calls = Recorder<String>()
        let plugin = try Live(Plugin(), storage, at: "plugin")
        let relay = try Live(Relay(), storage)
        let first = plugin.apply(\.size) { calls.record("size \($0)→\($1)") }
        let second = relay.apply(\.port) { calls.record("port \($0)→\($1)") }
        try edit("plugin.size = 2\nport = 9000", storage)
        try await relay.applied()
        #expect(plugin.current.size == 2 && relay.current.port == 9000)
        #expect(calls.elements == ["size 1→2", "port 8080→9000"])
        _ = (first, second)
    }

    @Test func `what one configuration rejects is called back in the other, and not offered again`()
        async throws
    {
        let storage = stack()
        let calls = Recorder<String>()
        let plugin = try Live(Plugin(), storage, at: "plugin")
        let relay = try Live(Relay(), storage)
        let first = plugin.apply(\.size) { calls.record("size \($0)→\($1)") }
        let second = relay.apply(\.port) { _, new in
            calls.record("port \(new)")
            throw Rejected(description: "taken")
        }
        try edit("plugin.size = 2\nport = 9000", storage)
        try await relay.applied()
        #expect(plugin.current.size == 1 && relay.current.port == 8080)
        #expect(calls.elements == ["size 1→2", "port 9000", "size 2→1"])
        _ = (first, second)
    }

    @Test func `nothing is asked about an edit that breaks a rule of another configuration`() async throws {
        let storage = stack()
        let calls = Recorder<Int>()
        let plugin = try Live(Plugin(), storage, at: "plugin")
        let relay = try Live(Relay(), storage) { if $0.port == 1 { throw Rejected(description: "reserved") } }
        let applying = plugin.apply(\.size) { _, new in calls.record(new) }
        try edit("plugin.size = 2\nport = 1", storage)
        try await relay.applied()
        #expect(calls.elements.isEmpty && plugin.current.size == 1)
        applying.cancel()
    }

    @Test func `an update of what a higher layer sets is written, but not applied`() async throws {
        let storage = stack(environment: ["RELAY_PORT": "9000"])
        let relay = try Live(Relay(), storage)
        let calls = Recorder<Int>()
        let applying = relay.apply(\.port) { _, new in calls.record(new) }
        let outcome = try await relay.update { ($0.port, $0.limit) = (7000, 7) }
        guard case .shadowed(let origin) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(origin.layer == "environment")
        #expect(relay.current.port == 9000 && relay.current.limit == 7)
        let text = String(decoding: try folder.read("relay.toml"), as: UTF8.self)
        #expect(text.contains("port = 7000"))
        try await relay.applied()
        #expect(calls.elements.isEmpty)
        #expect(try await relay.update { $0.limit = 8 } == .effective)
        applying.cancel()
    }

    @Test func `a task that a closure starts may update when the closure has returned`() async throws {
        let relay = try Live(Relay(), stack())
        let (latch, done) = (AsyncLatch(), Recorder<String>())
        let applying = try await relay.applyNow(\.port) { [weak relay] _ in
            Task {
                await latch.wait()
                do { try await relay?.update { $0.limit = 7 } } catch { done.record("\(error)") }
                done.record("done")
            }
        }
        await latch.open()
        // The update takes many steps, which wait for processors behind the steps of other tests.
        _ = try await done.wait(within: .seconds(60)) { $0.contains("done") }
        #expect(done.elements == ["done"] && relay.current.limit == 7)
        applying.cancel()
    }

    @Test func `a lock changes what the program uses, and a closure that rejects that is reported`()
        async throws
    {
        let storage = stack()
        try folder.write("port = 8081\nlimit = 5", to: "relay.toml")
        storage.reload()
        try storage.setValue(9000, forKey: "port", in: .overrides)
        try storage.setValue(6, forKey: "limit", in: .overrides)
        let relay = try Live(Relay(), storage)
        let calls = Recorder<String>()
        let first = relay.apply(\.limit) { calls.record("limit \($0)→\($1)") }
        storage.lock("limit", at: .system)
        try await relay.applied()
        #expect(relay.current.limit == 5 && calls.elements == ["limit 6→5"] && !relay.isInconsistent)
        let second = relay.apply(\.port) { _, _ in throw Rejected(description: "taken") }
        storage.lock("port", at: .system)
        try await relay.applied()
        #expect(relay.current.port == 8081 && relay.isInconsistent)
        #expect(
            reports.elements.contains {
                $0.hasPrefix("error: the program could not apply the active settings: taken; it may use")
            })
        _ = (first, second)
    }

    @Test func `a lock that breaks the rule leaves the settings that are valid`() async throws {
        let storage = stack()
        let relay = try overridingReservedPort(in: storage)
        let calls = Recorder<Int>()
        let applying = relay.apply(\.port) { _, new in calls.record(new) }
        storage.lock("port", at: .system)
        try await relay.applied()
        #expect(relay.current.port == 9000 && calls.elements.isEmpty)
        #expect(
            reports.elements == [
                "error: rejected by a rule of the program: reserved; keeping the previous version"
            ])
        try edit("port = 2", storage)
        try await relay.applied()
        #expect(relay.current.port == 2 && calls.elements == [2])
        #expect(reports.elements.last == "recovered: now using the new version")
        applying.cancel()
    }

    @Test func `cancelling an update whose closures are being called changes nothing`() async throws {
        let relay = try Live(Relay(), stack())
        let (calls, latch) = (Recorder<Int>(), AsyncLatch())
        let applying = relay.apply(\.limit) { _, new in
            calls.record(new)
            await latch.wait()
            try Task.checkCancellation()
        }
        let update = Task { try await relay.update { $0.limit = 7 } }
        _ = try await calls.wait { $0 == [7] }
        update.cancel()
        await latch.open()
        _ = try await update.value
        #expect(relay.current.limit == 7 && !relay.isInconsistent)
        applying.cancel()
    }

    @Test func `what an update was rejected is asked about again when it stands in the file`() async throws {
        let storage = stack()
        let relay = try Live(Relay(), storage)
        let isTaken = Lock(true)
        let applying = relay.apply(\.port) { _, _ in
            if isTaken.withLock({ $0 }) { throw Rejected(description: "taken") }
        }
        await #expect(throws: PrefsError.self) { try await relay.update { $0.port = 9000 } }
        isTaken.withLock { $0 = false }
        try edit("port = 9000", storage)
        try await relay.applied()
        #expect(relay.current.port == 9000)
        applying.cancel()
    }

    @Test func `a closure that is registered while an edit is committed applies it`() async throws {
        let storage = stack()
        let relay = try Live(Relay(), storage)
        let calls = Recorder<String>()
        // This is the value that `apply` reads before the commit; it registers its handler after the commit.
        let before = relay.current
        try edit("port = 9000", storage)
        let handler = ApplyHandler<Relay>(of: { $0.port }) { calls.record("\($0 ?? 0)→\($1)") }
        let number = relay.handlers.add(handler, using: before)
        storage.engine.scheduleCommit()
        _ = try await calls.wait { $0 == ["8080→9000"] }
        relay.handlers.remove(number)
    }
}
