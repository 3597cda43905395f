import LayeredPrefsTesting
import TestSupport
import Testing

@testable import LayeredPrefs

private struct Gateway: Codable, Sendable, Equatable {
    var name = "gateway"
    var front = Listener()
    var back = Listener()
    var limits = Limits()
    var tls: TLS?
    var rateLimit: RateLimit?
    var mode = Mode.proxy
    var routes: [String: String] = [:]
    var hosts: [Host] = []
    var nothing = Nothing()
    var neither = Nothing()
}

private struct Listener: Codable, Sendable, Equatable {
    var host = "::"
    @Setting(in: 1...65535) var port = 8080
}

private struct Limits: Codable, Sendable, Equatable {
    var size: UInt16 = 1024
    var time = Duration.seconds(1)
    var inner = Inner()
    @Setting(needsRestart: true) var workers = 4
}

private struct Inner: Codable, Sendable, Equatable { var depth = 1 }

private struct TLS: PrefsSection, Sendable, Equatable {
    @Setting(required: true) var certificate = ""
    var versions: [Int] = []
}

/// A section without defaults.
private struct RateLimit: Codable, Sendable, Equatable {
    var burst: Int
    var mode: Mode
}

private enum Mode: String, Codable, Sendable, CaseIterable { case proxy, drop }

private struct Host: Codable, Sendable, Equatable { var name: String }

private struct Nothing: Codable, Sendable, Equatable {}

private struct Rejected: Error, CustomStringConvertible { let description: String }

/// Parts of a configuration, each for a module that does not know the whole configuration.
@Suite struct LivePartTests: StackSuite {
    let fixture: StackFixture

    init() throws { fixture = try StackFixture("gateway.toml") }

    private func stack(_ text: String = "") throws -> PrefsStack {
        try write(text)
        return stack(of: layer())
    }

    @Test func `a part has the value of its section, and follows it`() async throws {
        let storage = try stack("front.port = 9000")
        let gateway = try Live(Gateway(), storage)
        let (front, back) = (try gateway.part(\.front), try gateway.part(\.back))
        #expect(front.current == gateway.current.front && front.current.port == 9000)
        #expect(front.keys.map(\.name) == ["front.host", "front.port"])
        #expect(Mirror(reflecting: front).children.first?.value as? [String] == ["front.host", "front.port"])
        try edit("front.port = 9001\nback.port = 9002", storage)
        #expect(front.current.port == 9001 && back.current.port == 9002)
        #expect(front.storage === storage)
    }

    @Test func `every kind of part is found by what it alone changes`() throws {
        let gateway = try Live(Gateway(), try stack(), at: "gw")
        func names<Part>(_ part: Live<Part>) -> [String] { part.keys.map { String($0.name.dropFirst(3)) } }
        #expect(names(try gateway.part(\.front)) == ["front.host", "front.port"])
        #expect(names(try gateway.part(\.back)) == ["back.host", "back.port"])
        #expect(names(try gateway.part(\.back.port)) == ["back.port"])
        #expect(names(try gateway.part(\.limits.size)) == ["limits.size"])
        #expect(names(try gateway.part(\.limits.time)) == ["limits.time"])
        #expect(names(try gateway.part(\.limits.inner)) == ["limits.inner.depth"])
        #expect(names(try gateway.part(\.tls)) == ["tls.certificate", "tls.versions"])
        #expect(names(try gateway.part(\.rateLimit)) == ["rateLimit"])
        #expect(names(try gateway.part(\.mode)) == ["mode"])
        #expect(names(try gateway.part(\.routes)) == ["routes"])
        #expect(names(try gateway.part(\.hosts)) == ["hosts"])
        #expect(names(try gateway.part(\.self)).count == gateway.keys.count)
    }

    @Test func `a part that nothing tells from another one needs its place`() throws {
        let gateway = try Live(Gateway(), try stack())
        let error = #expect(throws: PrefsError.self) { _ = try gateway.part(\.nothing) }
        #expect(error?.code == .ambiguous && error?.reason.contains("at:") == true)
        #expect(throws: PrefsError.self) { _ = try gateway.part(\.front, at: "back") }
        #expect(throws: PrefsError.self) { _ = try gateway.part(\.front, at: "frnt") }
        #expect(try gateway.part(\.front, at: "front").current == Listener())
    }

    @Test func `an optional section is absent until a layer sets it`() async throws {
        let storage = try stack()
        let gateway = try Live(Gateway(), storage)
        let (tls, limit) = (try gateway.part(\.tls), try gateway.part(\.rateLimit))
        let seen = Recorder<String>()
        let observing = tls.observe { seen.record("\($0?.certificate ?? "-")→\($1?.certificate ?? "-")") }
        #expect(tls.current == nil && limit.current == nil)
        try edit("tls.certificate = 'a'\n[rateLimit]\nburst = 3\nmode = 'drop'", storage)
        #expect(tls.current?.certificate == "a" && limit.current == RateLimit(burst: 3, mode: .drop))
        #expect(try gateway.part(\.tls).current?.certificate == "a")
        #expect(try gateway.part(\.rateLimit).keys.map(\.name) == ["rateLimit"])
        try edit("name = 'other'\ntls.certificate = 'a'", storage)
        try edit("", storage)
        #expect(tls.current == nil && limit.current == nil)
        await storage.settled()
        #expect(seen.elements == ["-→a", "a→-"])
        observing.cancel()
    }

    @Test func `a part observes only its own changes`() async throws {
        let storage = try stack()
        let gateway = try Live(Gateway(), storage)
        let limits = try gateway.part(\.limits)
        let inner = try limits.part(\.inner)
        let seen = Recorder<String>()
        let observations = [
            limits.observe { seen.record("limits \($0.inner.depth)→\($1.inner.depth)") },
            inner.observe { seen.record("inner \($0.depth)→\($1.depth)") },
        ]
        var updates = inner.updates.makeAsyncIterator()
        #expect(await updates.next()?.depth == 1)
        try edit("front.port = 9000", storage)
        try edit("limits.inner.depth = 2\nfront.port = 9000", storage)
        #expect(await updates.next()?.depth == 2)
        try edit("limits.inner.depth = 2", storage)
        try edit("limits.time = '2s'\nlimits.inner.depth = 2", storage)
        await storage.settled()
        #expect(seen.elements.sorted() == ["inner 1→2", "limits 1→2", "limits 2→2"])
        for observation in observations { observation.cancel() }
    }

    @Test func `closures of parts and of the whole have one order`() async throws {
        let storage = try stack()
        let gateway = try Live(Gateway(), storage)
        let (front, limits) = (try gateway.part(\.front), try gateway.part(\.limits))
        let inner = try limits.part(\.inner)
        let calls = Recorder<String>()
        let registrations = [
            front.apply(\.port) { calls.record("front \($0)→\($1)") },
            try await gateway.applyNow(\.back.port) { calls.record("back \($0)") },
            try await inner.applyNow(\.self) { calls.record("inner \($0.depth)") },
            limits.apply(\.inner.depth) { _, new in if new == 7 { throw Rejected(description: "too deep") } },
        ]
        #expect(calls.elements == ["back 8080", "inner 1"])
        try edit("front.port = 1\nback.port = 2\nlimits.inner.depth = 3", storage)
        try await inner.applied()
        #expect(calls.elements.dropFirst(2) == ["front 8080→1", "back 2", "inner 3"])
        #expect(gateway.current.limits.inner.depth == 3 && inner.current.depth == 3)
        try edit("front.port = 5\nback.port = 2\nlimits.inner.depth = 7", storage)
        try await front.applied()
        await storage.settled()
        #expect(calls.elements.dropFirst(5) == ["front 1→5", "inner 7", "inner 3", "front 5→1"])
        #expect(inner.current.depth == 3 && !inner.isInconsistent)
        let reason = "rejected by the program: too deep; keeping the previous version"
        #expect(reports.elements == ["error: limits.inner.depth: \(reason)"])
        for registration in registrations { registration.cancel() }
    }

    @Test func `a closure that cannot go back is reported with the key of its part`() async throws {
        let storage = try stack()
        let gateway = try Live(Gateway(), storage)
        let (front, limits) = (try gateway.part(\.front), try gateway.part(\.limits))
        let first = front.apply(\.port) { _, new in
            if new == 8080 { throw Rejected(description: "the socket is gone") }
        }
        let second = limits.apply(\.inner) { _, _ in throw Rejected(description: "no") }
        try edit("front.port = 9000\nlimits.inner.depth = 3", storage)
        try await gateway.applied()
        await storage.settled()
        #expect(front.isInconsistent && limits.isInconsistent)
        #expect(
            reports.elements.contains {
                $0.hasPrefix(
                    "error: front.port: the program could not apply the active settings: the socket is gone")
            }, "\(reports.elements)")
        for registration in [first, second] { registration.cancel() }
    }

    @Test func `an update of a part writes its fields, and obeys the rule of the whole`() async throws {
        let storage = try stack("name = 'kept'\n")
        let gateway = try Live(Gateway(), storage) {
            if $0.limits.inner.depth > 5 { throw Rejected(description: "too deep") }
        }
        let (limits, tls) = (try gateway.part(\.limits), try gateway.part(\.tls))
        try await limits.update { $0.inner.depth = 2 }
        try await tls.update { $0 = TLS(certificate: "a") }
        #expect(gateway.current.limits.inner.depth == 2 && tls.current?.certificate == "a")
        await #expect(throws: PrefsError.self) { try await limits.part(\.inner).update { $0.depth = 6 } }
        #expect(limits.current.inner.depth == 2)
        let text = String(decoding: try folder.read("gateway.toml"), as: UTF8.self)
        #expect(text.contains("name = 'kept'") && text.contains("depth = 2") && text.contains("certificate"))
        try await tls.update { $0 = nil }
        #expect(tls.current == nil && gateway.current.tls == nil)
    }

    @Test func `a part lists what waits for a restart in it`() throws {
        let storage = try stack()
        let gateway = try Live(Gateway(), storage)
        let (limits, front) = (try gateway.part(\.limits), try gateway.part(\.front))
        try edit("limits.workers = 8", storage)
        #expect(limits.waitingForRestart == ["limits.workers"] && front.waitingForRestart.isEmpty)
        #expect(limits.current.workers == 4)
    }

    @Test func `a part keeps the configuration alive`() async throws {
        let storage = try stack()
        let front = try Live(Gateway(), storage).part(\.front)
        let calls = Recorder<Int>()
        let registration = front.apply(\.port) { calls.record($1) }
        try edit("front.port = 70000", storage)
        #expect(front.current.port == 8080)
        try edit("front.port = 9000", storage)
        try await front.applied()
        #expect(front.current.port == 9000 && calls.elements == [9000])
        registration.cancel()
    }
}
