import Foundation
import LayeredPrefsTesting
import PrefsSystem
import TestSupport
import Testing

@testable import LayeredPrefs

private struct Relay: Codable, Sendable {
    @Setting(in: 1...9) var level = 1
    var limit = 512
    var note: String? = nil
    var tls: TLS? = nil
}

private struct TLS: PrefsSection, Sendable {
    var certificate = "none"
}

private struct Rejected: Error, CustomStringConvertible {
    let description: String
}

/// Writes by the program itself: the handlers are asked about the values that would become active, and a
/// rejected write stores nothing.
@Suite struct UpdateTests: StackSuite {
    let fixture: StackFixture
    private let calls = Recorder<String>()

    init() throws { fixture = try StackFixture("system.toml") }

    private func stack() -> PrefsStack { stack(of: layer(), layer(.user, "user.toml"), .overrides) }

    private func text(_ name: String) throws -> String { try text(of: name) }

    private func layer(_ outcome: PrefsWriteOutcome) -> String? {
        if case .shadowed(let origin) = outcome { origin.layer } else { nil }
    }

    /// Records the changes of a part.
    private func note<Part: Encodable & Sendable>(
        _ part: any KeyPath<Relay, Part> & Sendable, _ relay: Live<Relay>
    ) -> PrefsObservation {
        relay.apply(part) { [calls] old, new in calls.record("\(old)→\(new)") }
    }

    @Test func `a field without a value takes that of a lower layer`() async throws {
        try folder.write(#"note = "vendor""#, to: "system.toml")
        try folder.write("note = \"own\"\nlimit = 5\n", to: "user.toml")
        let relay = try Live(Relay(), stack())
        let applying = relay.apply(\.note) { [calls] in calls.record("\($0 ?? "-")→\($1 ?? "-")") }
        let outcome = try await relay.update { $0.note = nil }
        #expect(layer(outcome) == "system")
        #expect(relay.current.note == "vendor")
        #expect(try text("user.toml") == "limit = 5\n")
        try await relay.applied()
        #expect(calls.elements == ["own→vendor"])
        applying.cancel()
    }

    @Test func `an optional field that falls back to its default is shadowed by it`() async throws {
        struct Odd: Codable, Sendable {
            var host: String? = "a"
            var limit = 1
        }
        let odd = try Live(Odd(), stack())
        #expect(layer(try await odd.update { $0.host = nil }) == "default")
        #expect(odd.current.host == "a")
        #expect(try await odd.update { $0.host = "b" } == .effective)
        #expect(try await odd.update { $0.host = "a" } == .effective)
        #expect(layer(try await odd.update { ($0.host, $0.limit) = (nil, 2) }) == "default")
        #expect(odd.current.limit == 2)
    }

    @Test func `elements that an update leaves alone stay as they are written`() async throws {
        struct Backend: PrefsSection, Sendable {
            var host = ""
            var weight = 1
        }
        struct Log: Codable, Sendable { var level = 1 }
        struct Proxy: Codable, Sendable {
            var upstreams: [Backend] = []
            var log = Log()
        }
        let (first, last) = (
            "# the first\n[[upstreams]]\nhost = 'a' # near\n", "\n# about log\n[log]\nlevel = 0x2\n"
        )
        try folder.write(first + last, to: "user.toml")
        let proxy = try Live(Proxy(), stack())
        var backend = Backend()
        backend.host = "b"
        _ = try await proxy.update { $0.upstreams.append(backend) }
        let second = "\n[[upstreams]]\nhost = \"b\"\nweight = 1\n"
        #expect(try text("user.toml") == first + second + last)
        _ = try await proxy.update { $0.upstreams[0].weight = 2 }
        #expect(try text("user.toml") == first + "weight = 2\n" + second + last)
        _ = try await proxy.update { $0.upstreams.remove(at: 1) }
        #expect(try text("user.toml") == first + "weight = 2\n" + last)
    }

    @Test func `an error of one field names only that`() async throws {
        struct Sizes: Codable, Sendable {
            var a = 1
            var b: UInt64 = 1
            var list = [1]
        }
        let sizes = try Live(Sizes(), stack())
        let error = await #expect(throws: PrefsError.self) {
            try await sizes.update { ($0.a, $0.b, $0.list) = (2, .max, [2]) }
        }
        #expect(error?.problems.map(\.key) == ["b"])
        #expect(error?.reason.contains("does not fit TOML's signed 64-bit integers") == true)
        let report = try sizes.storage.transaction(writingOthers: true) { transaction in
            transaction.setValue(3, forKey: "a")
            transaction.setValue(.integer(.max), forKey: "b")
        }
        #expect(report.failures.map(\.key) == ["b"])
        #expect(try text("user.toml") == "a = 3\n" && sizes.current.a == 3)
    }

    @Test func `a section that is removed is that of a lower layer`() async throws {
        try folder.write(#"tls.certificate = "vendor""#, to: "system.toml")
        try folder.write(#"tls.certificate = "own""#, to: "user.toml")
        let relay = try Live(Relay(), stack())
        let applying = relay.apply(\.tls) { [calls] in
            calls.record("\($0?.certificate ?? "-")→\($1?.certificate ?? "-")")
        }
        #expect(layer(try await relay.update { $0.tls = nil }) == "system")
        #expect(relay.current.tls?.certificate == "vendor")
        try folder.write("", to: "system.toml")
        relay.storage.reload()
        try await relay.update { $0.tls = TLS() }
        #expect(try await relay.update { $0.tls = nil } == .effective)
        #expect(relay.current.tls == nil)
        try await relay.applied()
        #expect(calls.elements == ["own→vendor", "vendor→-", "-→none", "none→-"])
        applying.cancel()
    }

    @Test func `a wrong value is rejected before the closures are called`() async throws {
        let relay = try Live(Relay(), stack()) {
            if $0.limit == 0 { throw Rejected(description: "no limit") }
        }
        let applying = [note(\.level, relay), note(\.limit, relay)]
        let range = await #expect(throws: PrefsError.self) { try await relay.update { $0.level = 70 } }
        #expect(range?.reason.contains("1...9") == true)
        let rule = await #expect(throws: PrefsError.self) { try await relay.update { $0.limit = 0 } }
        #expect(rule?.reason.contains("no limit") == true)
        try await relay.applied()
        #expect(calls.elements.isEmpty && relay.current.level == 1 && relay.current.limit == 512)
        for closure in applying { closure.cancel() }
    }

    @Test func `what cannot be written is rejected before the closures are called`() async throws {
        let relay = try Live(Relay(), stack())
        let applying = note(\.limit, relay)
        try folder.write("limit = ", to: "user.toml")
        await #expect(throws: PrefsError.self) { try await relay.update { $0.limit = 5 } }
        try folder.write("", to: "user.toml")
        relay.storage.lock("limit", at: .system)
        await #expect(throws: PrefsError.self) { try await relay.update { $0.limit = 5 } }
        try await relay.applied()
        #expect(calls.elements.isEmpty && relay.current.limit == 512)
        applying.cancel()
    }

    @Test func `an update of what the program has rejected in the file asks it again`() async throws {
        let relay = try Live(Relay(), stack())
        let isTaken = Lock(true)
        let applying = relay.apply(\.limit) { [calls] _, new in
            calls.record("\(new)")
            if isTaken.withLock({ $0 }) { throw Rejected(description: "taken") }
        }
        try folder.write("limit = 5\n", to: "user.toml")
        relay.storage.reload()
        try await relay.applied()
        #expect(relay.current.limit == 512)
        isTaken.withLock { $0 = false }
        #expect(try await relay.update { $0.limit = 5 } == .effective)
        #expect(relay.current.limit == 5)
        try await relay.applied()
        #expect(calls.elements == ["5", "5"])
        applying.cancel()
    }

    @Test func `an unknown key makes a section present only if that is accepted`() async throws {
        let relay = try Live(Relay(), stack()) {
            if $0.tls != nil, $0.limit == 1 { throw Rejected(description: "too few for TLS") }
        }
        let applying = relay.apply(\.tls) { [calls] old, new in
            calls.record("\(old == nil)→\(new == nil)")
            throw Rejected(description: "no certificate")
        }
        let changes = Recorder<Bool>()
        let observation = relay.observe { _, new in changes.record(new.tls == nil) }
        try folder.write("tls.foo = 1\n", to: "system.toml")
        relay.storage.reload()
        try await relay.applied()
        #expect(relay.current.tls == nil && calls.elements == ["true→false"])
        applying.cancel()
        try await relay.applied()
        #expect(relay.current.tls != nil && changes.elements == [false])
        try folder.write("", to: "system.toml")
        relay.storage.reload()
        #expect(relay.current.tls == nil)
        try relay.storage.setValue(1, forKey: "limit", in: .overrides)
        #expect(throws: PrefsError.self) {
            try relay.storage.setValue(2, forKey: "tls.foo", in: .overrides)
        }
        #expect(relay.current.tls == nil)
        try relay.storage.removeValue(forKey: "limit", in: .overrides)
        try relay.storage.setValue(2, forKey: "tls.foo", in: .overrides)
        await relay.storage.settled()
        #expect(relay.current.tls != nil && changes.elements == [false, true, true, true, false])
        observation.cancel()
    }

    @Test func `the first write of a daemon is checked before its drop-in is created`() async throws {
        let storage = PrefsStack.daemon(
            "relay", root: folder.path, environment: [:], arguments: [], options: fixture.options)
        let relay = try Live(Relay(), storage) {
            if $0.limit == 0 { throw Rejected(description: "no limit") }
        }
        let applying = relay.apply(\.note) { _, _ in }
        for (key, value) in [("limit", 0), ("level", 70), ("note", "a")] as [(String, PrefsValue)] {
            #expect(throws: PrefsError.self, "\(key)") { try storage.setValue(value, forKey: key) }
            #expect(
                !FileManager.default.fileExists(atPath: folder["etc/relay/relay.toml.d/90-local.toml"]),
                "\(key)")
        }
        try await relay.update { $0.note = "a" }
        #expect(try text("etc/relay/relay.toml.d/90-local.toml").contains(#"note = "a""#))
        #expect(relay.current.note == "a" && relay.current.limit == 512)
        applying.cancel()
    }

    @Test func `an edit of another part while the closures are called is not overwritten`() async throws {
        try folder.write("limit = 5\nlevel = 2\n", to: "user.toml")
        let relay = try Live(Relay(), stack())
        let (latch, started) = (AsyncLatch(), Recorder<Int>())
        let applying = relay.apply(\.limit) { _, new in
            started.record(new)
            await latch.wait()
        }
        let update = Task {
            try await relay.update {
                $0.limit += 1
                $0.level += 1
            }
        }
        _ = try await started.wait { !$0.isEmpty }
        try folder.write("limit = 5\nlevel = 7\n", to: "user.toml")
        relay.storage.reload()
        #expect(relay.current.level == 7)
        await latch.open()
        _ = try await update.value
        #expect(relay.current.limit == 6 && relay.current.level == 8)
        // The handler's part does not change when the update is made again, so the handler is not asked again.
        #expect(started.elements == [6])
        // Nobody has read this edit yet.
        try folder.write("limit = 6\nlevel = 3\n", to: "user.toml")
        try await relay.update { $0.level += 1 }
        #expect(relay.current.level == 4)
        applying.cancel()
    }

    @Test func `what another configuration has rejected is rejected before the closures are called`()
        async throws
    {
        struct Plugin: Codable, Sendable { var size = 1 }
        let storage = stack(of: layer())
        let plugin = try Live(Plugin(), storage, at: "plugin")
        let relay = try Live(Relay(), storage)
        let rejecting = plugin.apply(\.size) { _, _ in throw Rejected(description: "too big") }
        let applying = note(\.limit, relay)
        try folder.write("plugin.size = 70\n", to: "system.toml")
        storage.reload()
        try await relay.applied()
        let error = await #expect(throws: PrefsError.self) { try await relay.update { $0.limit = 7 } }
        #expect(error?.reason.contains("too big") == true)
        #expect(calls.elements.isEmpty)
        rejecting.cancel()
        applying.cancel()
    }

    @Test func `a value under a former name is removed`() async throws {
        struct Pool: Codable, Sendable { @Setting(formerly: ["limit"]) var connections: Int? = nil }
        try folder.write("limit = 5\n", to: "user.toml")
        let pool = try Live(Pool(), stack())
        #expect(pool.current.connections == 5)
        #expect(try await pool.update { $0.connections = nil } == .effective)
        #expect(try pool.current.connections == nil && text("user.toml").isEmpty)
    }

    @Test func `a section without values is written as a table`() async throws {
        struct Proxy: PrefsSection, Sendable { var url: String? = nil }
        struct Client: Codable, Sendable { var proxy: Proxy? = nil }
        let client = try Live(Client(), stack())
        #expect(try await client.update { $0.proxy = Proxy() } == .effective)
        #expect(client.current.proxy != nil)
        try await client.update { $0.proxy?.url = "x" }
        #expect(client.current.proxy?.url == "x")
        #expect(try await client.update { $0.proxy?.url = nil } == .effective)
        #expect(client.current.proxy != nil && client.current.proxy?.url == nil)
        #expect(try await client.update { $0.proxy = nil } == .effective)
        #expect(client.current.proxy == nil)
    }

    @Test func `a set that is not changed is not written, and its closure not called`() async throws {
        struct Server: Codable, Sendable {
            var features: Set<String> = []
            var weights: [UUID: Int] = [:]
            var limit = 1
        }
        let ids = (0..<8).map { _ in UUID().uuidString }
        let names = (0..<8).map { "\"feature \($0)\"" }.joined(separator: ", ")
        let weights = ids.map { "\"\($0)\", 1" }.joined(separator: ", ")
        try folder.write("features = [\(names)]\nweights = [\(weights)]\n", to: "system.toml")
        let server = try Live(Server(), stack())
        #expect(server.current.features.count == 8 && server.current.weights.count == 8)
        let applying = [
            server.apply(\.features) { [calls] in calls.record("\($0.count)→\($1.count)") },
            server.apply(\.weights) { [calls] in calls.record("\($0.count)→\($1.count)") },
        ]
        for limit in 2...5 { try await server.update { $0.limit = limit } }
        #expect(try text("user.toml") == "limit = 5\n")
        try await server.update { $0.features.insert("more") }
        try await server.applied()
        #expect(server.current.features.count == 9 && calls.elements == ["8→9"])
        for closure in applying { closure.cancel() }
    }

    @Test func `a value that the file rounds is effective`() async throws {
        struct Account: Codable, Sendable { var since = Date(timeIntervalSince1970: 0) }
        let storage = stack(of: layer(.user, "user.plist"))
        let account = try Live(Account(), storage)
        #expect(try await account.update { $0.since = Date(timeIntervalSince1970: 1.5) } == .effective)
        #expect(account.current.since.timeIntervalSince1970 >= 1)
    }

    @Test func `a write to a layer of which a drop-in is rejected throws, and names the drop-in`()
        async throws
    {
        let storage = PrefsStack.daemon(
            "relay", root: folder.path, environment: [:], arguments: [], options: fixture.options)
        let admin = folder["etc/relay/relay.toml.d"]
        try FileManager.default.createDirectory(atPath: admin, withIntermediateDirectories: true)
        try folder.write("level = 2\n", to: "etc/relay/relay.toml.d/50-admin.toml")
        storage.reload()
        let relay = try Live(Relay(), storage)
        try folder.write("level = 70\n", to: "etc/relay/relay.toml.d/50-admin.toml")
        storage.reload()
        #expect(relay.current.level == 2)
        let error = await #expect(throws: PrefsError.self) { try await relay.update { $0.note = "a" } }
        #expect(error?.origin?.file == folder["etc/relay/relay.toml.d/50-admin.toml"])
        #expect(throws: PrefsError.self) { try storage.setValue("b", forKey: "note") }
        #expect(!FileManager.default.fileExists(atPath: folder["etc/relay/relay.toml.d/90-local.toml"]))
        try folder.write("level = 7\n", to: "etc/relay/relay.toml.d/50-admin.toml")
        storage.reload()
        try await relay.update { $0.note = "a" }
        #expect(relay.current.level == 7 && relay.current.note == "a")
        #expect(try text("etc/relay/relay.toml.d/90-local.toml").contains(#"note = "a""#))
    }

    @Test func `closures are called back if the file cannot be written after all`() async throws {
        let relay = try Live(Relay(), stack())
        let applying = relay.apply(\.limit) { [calls, folder] old, new in
            calls.record("\(old)→\(new)")
            if new == 5 {
                try FileManager.default.createDirectory(
                    atPath: folder["user.toml"], withIntermediateDirectories: true)
            }
        }
        await #expect(throws: PrefsError.self) { try await relay.update { $0.limit = 5 } }
        try await relay.applied()
        #expect(relay.current.limit == 512 && !relay.isInconsistent)
        #expect(calls.elements == ["512→5", "5→512"])
        applying.cancel()
    }

    @Test func `a type that encodes equal values in changing order is updated`() async throws {
        struct Weights: Codable, Sendable {
            struct Weight: Codable { let name: String, value: Int }
            var table = Dictionary(uniqueKeysWithValues: (0..<16).map { ("\($0)", $0) })
            init() {}
            init(from decoder: any Decoder) throws {
                let list = try [Weight](from: decoder)
                table = Dictionary(list.map { ($0.name, $0.value) }) { $1 }
            }
            func encode(to encoder: any Encoder) throws {
                try table.shuffled().map { Weight(name: $0.key, value: $0.value) }.encode(to: encoder)
            }
        }
        struct Server: Codable, Sendable {
            var weights = Weights()
            var limit = 1
        }
        let server = try Live(Server(), stack())
        #expect(try await server.update { $0.limit = 2 } == .effective)
        #expect(server.current.limit == 2 && server.current.weights.table["7"] == 7)
    }
}
