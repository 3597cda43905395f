import Foundation
import LayeredPrefsTesting
import PrefsSystem
import TestSupport
import Testing

@testable import LayeredPrefs

private struct Relay: Codable, Sendable, Equatable {
    var listen = Listener()
    @Setting("Connections to accept", in: 1...10_000) var limit = 512
    @Setting(secret: true) var token = "none"
    @Setting var note: String? = nil
    var timeout = Duration.seconds(30)
    var level = Level.info
    var upstreams: [Backend] = []
    var tls: TLS? = nil
}

private struct Listener: Codable, Sendable, Equatable {
    var host = "::"
    @Setting("Port", in: 1...65535) var port = 8080
}

private struct Backend: PrefsSection, Sendable, Equatable {
    var host = ""
    @Setting(in: 1...10) var weight = 1
}

private struct TLS: PrefsSection, Sendable, Equatable {
    var certificate = ""
    @Setting(secret: true) var key = ""
}

private enum Level: String, Codable, Sendable, CaseIterable { case debug, info, error }

private struct Rejected: Error, CustomStringConvertible {
    let description: String
}

/// A whole configuration in one struct.
@Suite struct LiveTests: StackSuite {
    let fixture: StackFixture

    init() throws { fixture = try StackFixture() }

    private func stack(
        _ name: PrefsLayer.Name = .system, environment: [String: String] = [:], arguments: [String] = []
    ) -> PrefsStack {
        let variables = EnvironmentPrefsStorage(prefix: "RELAY_", environment: environment)
        return stack(
            of: layer(name), PrefsLayer(.environment, variables),
            PrefsLayer(.arguments, ArgumentsPrefsStorage(arguments)), .overrides)
    }

    private func problems(_ body: () throws -> Void) -> [String] {
        do {
            try body()
            return []
        } catch let error as PrefsError {
            return error.problems.map { "\($0.key ?? "-"): \($0.reason)" }
        } catch {
            return ["\(error)"]
        }
    }

    @Test func `a rule keeps only its own configuration from changing in a user's file`() throws {
        struct Range: Codable, Sendable, Equatable { var (low, high) = (1, 9) }
        let storage = stack(.user)
        let order: @Sendable (Range) throws -> Void = {
            if $0.low > $0.high { throw Rejected(description: "expected low below high") }
        }
        let (left, right) = (
            try Live(Range(), storage, at: "left", rule: order),
            try Live(Range(), storage, at: "right", rule: order)
        )
        try write("left.low = 20\nright.low = 5\nother = 1\n")
        storage.reload()
        #expect(left.current == Range())
        #expect(right.current.low == 5)
        #expect(storage.value(forKey: "other") == 1)
        #expect(storage.notActive.flatMap(\.paths).map(\.name) == ["left.low"])
        try write("left.low = 2\nright.low = 5\nother = 1\n")
        storage.reload()
        #expect(left.current.low == 2)
        #expect(storage.rejections.isEmpty)
    }

    @Test func `overrides of a task are seen in it, and by nobody else`() async throws {
        try write("limit = 5\n")
        let relay = try Live(Relay(), stack())
        for _ in 0..<2 {
            let within = relay.storage.withOverrides(["limit": 7]) { [relay.current, relay.current] }
            #expect(within.map(\.limit) == [7, 7])
            #expect(relay.current.limit == 5)
        }
        let detached = await relay.storage.withOverrides(["limit": 7]) {
            await Task.detached { relay.current.limit }.value
        }
        #expect(detached == 5)
        #expect(relay.storage.withOverrides(["timeout": "soon"]) { relay.current.timeout } == .seconds(30))
        try relay.storage.setValue(6, forKey: "limit")
        #expect(relay.current.limit == 6)
    }

    @Test func `a storage that announces no change is read each time`() throws {
        final class Silent: PrefsStorage {
            let limit = Lock(1)
            var snapshot: PrefsSnapshot { PrefsSnapshot(["limit": .integer(Int128(limit.withLock { $0 }))]) }
        }
        let silent = Silent()
        let relay = try Live(Relay(), PrefsStack { PrefsLayer("silent", silent) })
        #expect(relay.current.limit == 1)
        silent.limit.withLock { $0 = 2 }
        #expect(relay.current.limit == 2)
    }

    @Test func `without files the value is the default`() throws {
        let relay = try Live(Relay(), stack())
        #expect(relay.current == Relay())
    }

    @Test func `layers set single fields`() throws {
        try write(
            """
            limit = 100
            timeout = "1m"
            level = "debug"
            [listen]
            port = 9000
            [[upstreams]]
            host = "a"
            [[upstreams]]
            host = "b"
            weight = 2
            [tls]
            certificate = "/c"
            """)
        let storage = stack(
            environment: ["RELAY_LISTEN_HOST": "127.0.0.1", "RELAY_TLS_KEY": "k", "RELAY_NOTE": "n"],
            arguments: ["--set", "limit=7"])
        var expected = Relay()
        (expected.limit, expected.timeout, expected.level) = (7, .seconds(60), .debug)
        (expected.listen.port, expected.listen.host) = (9000, "127.0.0.1")
        expected.upstreams = [Backend(host: "a"), Backend(host: "b", weight: 2)]
        (expected.tls, expected.note) = (TLS(certificate: "/c", key: "k"), "n")
        #expect(try Live(Relay(), storage).current == expected)
    }

    @Test func `the start throws every problem at once`() throws {
        try write(
            """
            limit = 0
            level = "inof"
            [listen]
            port = "many"
            [[upstreams]]
            host = "a"
            weight = 11
            """)
        let storage = stack()
        let found = problems { _ = try Live(Relay(), storage) }
        #expect(
            Set(found) == [
                "limit: expected 1...10000, found the integer 0",
                #"level: expected one of "debug", "info", "error", found the string "inof"; did you mean “info”?"#,
                #"listen.port: expected an integer, found the string "many""#,
                "upstreams[0].weight: expected 1...10, found the integer 11",
            ])
    }

    @Test func `a value in place of a section is rejected with that reason`() throws {
        let storage = stack()
        let relay = try Live(Relay(), storage)
        try write("listen = 5")
        storage.reload()
        let reason = "expected a dictionary, found an integer at listen"
        #expect(reports.elements.contains { $0.contains(reason) })
        #expect(reports.elements.allSatisfy { !$0.contains("unknown key") })
        #expect(relay.current.listen == Listener())
    }

    @Test(arguments: [#"["a","#, #"["a", 1]"#])
    func `a broken list in a variable is an error that names the variable`(text: String) {
        struct Lists: Codable, Sendable { var strings: [String] = [] }
        let storage = stack(environment: ["RELAY_STRINGS": text])
        let error = #expect(throws: PrefsError.self) { _ = try Live(Lists(), storage) }
        #expect(error?.key?.hasPrefix("strings") == true && "\(error as Any)".contains("RELAY_STRINGS"))
    }

    @Test func `a bad edit is rejected as a whole, and the next good one is taken`() async throws {
        try write("limit = 100\n[listen]\nport = 9000")
        let storage = stack()
        let relay = try Live(Relay(), storage)
        try write("limit = 200\n[listen]\nport = 70000")
        storage.reload()
        #expect(relay.current.limit == 100 && relay.current.listen.port == 9000)
        #expect(
            reports.elements == [
                "error: listen.port: expected 1...65535, found the integer 70000; keeping the previous version"
            ])
        #expect(storage.status[0].rejection?.problems.first?.origin?.position?.description == "3:1")
        try write("limit = 200\n[listen]\nport = 9001")
        storage.reload()
        #expect(relay.current.limit == 200 && relay.current.listen.port == 9001)
    }

    @Test func `updates and observers see whole values`() async throws {
        let storage = stack()
        let relay = try Live(Relay(), storage)
        let seen = Recorder<[Int]>()
        let observation = relay.observe { seen.record([$0.limit, $1.limit, $1.listen.port]) }
        var updates = relay.updates.makeAsyncIterator()
        #expect(await updates.next()?.limit == 512)
        try write("limit = 5\n[listen]\nport = 6")
        storage.reload()
        #expect(await updates.next() == relay.current)
        await storage.settled()
        #expect(seen.elements == [[512, 5, 6]])
        observation.cancel()
    }

    @Test func `a rule over the whole rejects a version, and a start`() throws {
        try write("limit = 3")
        let storage = stack()
        let rule: @Sendable (Relay) throws -> Void = { relay in
            if relay.limit > 5, relay.tls == nil { throw Rejected(description: "more than 5 need TLS") }
        }
        let relay = try Live(Relay(), storage, rule: { if $0.limit > 600 { try rule($0) } })
        try write("limit = 700")
        storage.reload()
        #expect(relay.current.limit == 3)
        #expect(
            reports.elements == [
                "error: -: rejected by a rule of the program: more than 5 need TLS; keeping the previous version"
            ])
        try write("limit = 700\ntls.certificate = \"c\"")
        storage.reload()
        #expect(relay.current.limit == 700)
        #expect(
            problems { _ = try Live(Relay(), stack(), rule: { _ in throw Rejected(description: "no") }) } == [
                "-: rejected by a rule of the program: no"
            ])
    }

    @Test(arguments: [
        (["--set", "limit=0"], "limit: expected 1...10000, found the integer 0"),
        (["--set", "limt=5"], "limt: unknown key; did you mean “limit”?"),
        (["--set"], "-: expected a key and its value, as in --set KEY=VALUE, found nothing"),
        (["--set", "limit"], "-: expected a key and its value, as in --set KEY=VALUE, found no equals sign"),
        (["--set=limit:7"], "-: expected a key and its value, as in --set KEY=VALUE, found no equals sign"),
        (["--set", "=3"], "-: expected a key and its value, as in --set KEY=VALUE, found no key"),
    ])
    func `a wrong argument ends the start with status 64`(arguments: [String], problem: String) throws {
        try write("limit = \"many\"\n")
        let storage = stack(arguments: arguments)
        let error = #expect(throws: PrefsError.self) { _ = try Live(Relay(), storage) }
        #expect(error?.exitStatus == 64)
        #expect(problems { _ = try Live(Relay(), storage) }.first == problem)
    }

    @Test func `arguments of a configuration at a path are known at the root`() throws {
        let storage = stack(arguments: ["--set", "other.port=1", "--set", "limit=5"])
        let other = try Live(Listener(), storage, at: "other")
        #expect(try Live(Relay(), storage).current.limit == 5)
        #expect(other.current.port == 1)
    }

    @Test func `a file that cannot be parsed says whether a version stays in force`() async throws {
        try write("limit = = 1")
        let storage = stack()
        _ = try await reports.wait { !$0.isEmpty }
        #expect(reports.elements.allSatisfy { !$0.contains("in force") })
        try write("limit = 5")
        storage.reload()
        _ = try await reports.wait { $0.last == "recovered: -: readable again" }
        try write("limit = = 1")
        storage.reload()
        _ = try await reports.wait { $0.last?.hasSuffix("; keeping the previous version") == true }
        #expect(storage.value(forKey: "limit") == 5)
        #expect(storage.status.compactMap(\.problem).allSatisfy { !$0.reason.contains("in force") })
    }

    @Test func `two configurations cannot declare one field`() throws {
        let storage = stack()
        let listener = try Live(Listener(), storage, at: "listen")
        #expect(
            problems { _ = try Live(Relay(), storage) } == [
                "listen.host: another `Live` of this stack declares this field; declare it once"
            ])
        #expect(listener.current == Listener())
    }

    @Test func `a required field has to be set`() throws {
        struct Needy: Codable, Sendable { @Setting(required: true) var token = "" }
        #expect(
            problems { _ = try Live(Needy(), stack()) }
                == [
                    "token: a value is required; set it in \(folder["relay.toml"]), or in the variable RELAY_TOKEN"
                ])
        try write("token = \"t\"")
        let storage = stack()
        let live = try Live(Needy(), storage)
        try write("")
        storage.reload()
        #expect(live.current.token == "t")
    }

    @Test func `secrets are learned, inside sections too`() throws {
        try write("token = \"hush\"\ntls.key = \"hushhush\"")
        let storage = stack()
        let relay = try Live(Relay(), storage)
        #expect(relay.current.tls?.key == "hushhush")
        #expect(storage.explanation(forKey: "token").description.contains("hush") == false)
        #expect(storage.exportedContents() == ["tls": [:]] || storage.exportedContents() == [:])
    }

    @Test func `a field that needs a restart keeps its value until then`() async throws {
        struct Pool: Codable, Sendable {
            @Setting(needsRestart: true) var workers = 4
            var limit = 10
        }
        try write("workers = 5")
        let storage = stack()
        let pool = try Live(Pool(), storage) { pool in
            if pool.workers > pool.limit { throw Rejected(description: "more workers than connections") }
        }
        try write("workers = 6\nlimit = 20")
        storage.reload()
        #expect(pool.current.workers == 5 && pool.current.limit == 20)
        #expect(pool.waitingForRestart == ["workers"])
        // The rule also applies to the values that a restart would make active.
        try write("workers = 30\nlimit = 20")
        storage.reload()
        #expect(pool.waitingForRestart == ["workers"] && storage.value(forKey: "workers") == 6)
        try write("workers = 6\nlimit = 20")
        storage.reload()
        try await pool.update { $0.limit = 7 }
        #expect(pool.current.workers == 5 && pool.current.limit == 7)
    }

    @Test func `several configurations stand on one stack`() throws {
        struct Plugin: Codable, Sendable { var size = 1 }
        try write("limit = 9\n[plugin.foo]\nsize = 5")
        let storage = stack()
        let relay = try Live(Relay(), storage)
        let plugin = try Live(Plugin(), storage, at: "plugin.foo")
        #expect(relay.current.limit == 9 && plugin.current.size == 5)
    }

    @Test func `an update writes what differs and switches`() async throws {
        try write("# kept\nlimit = 9\n")
        let storage = stack()
        let relay = try Live(Relay(), storage)
        try await relay.update { $0.listen.port = 4000 }
        #expect(relay.current.listen.port == 4000)
        let text = String(decoding: try folder.read("relay.toml"), as: UTF8.self)
        #expect(text.hasPrefix("# kept\nlimit = 9\n") && text.contains("port = 4000"))
        await #expect(throws: PrefsError.self) { try await relay.update { $0.listen.port = 70000 } }
        #expect(relay.current.listen.port == 4000)
    }
}
