import Foundation
import LayeredPrefsTesting
import PrefsSystem
import TestSupport
import Testing

@testable import LayeredPrefs

/// Handlers that prepare for a change before it becomes active, and commit it afterwards.
@Suite struct TwoPhaseTests: StackSuite {
    struct Gateway: Codable, Sendable, Equatable {
        var listen = Listener()
        var limit = 512
        var level = 1
    }

    struct Listener: Codable, Sendable, Equatable {
        @Setting(in: 1...65535) var port = 8080
    }

    struct Upstream: Codable, Sendable {
        var host = "a"
    }

    struct Rejected: Error, CustomStringConvertible {
        let description: String
    }

    let fixture: StackFixture
    let calls = Recorder<String>()

    init() throws { fixture = try StackFixture("gateway.toml") }

    func stack() -> PrefsStack { stack(of: layer(), .overrides) }

    func edit(_ text: String, _ storage: PrefsStack) throws { try replace(text, storage) }

    /// Registers a two-phase handler of the port, which records its calls with the active port.
    func listening(
        _ gateway: Live<Gateway>, _ name: String = "port",
        prepare: @escaping @Sendable (Int) async throws -> Void = { _ in }
    ) -> PrefsObservation {
        gateway.apply(\.listen) { [calls] old, new in
            calls.record("\(name) prepare \(old?.port ?? 0)→\(new.port)")
            try await prepare(new.port)
            return new.port
        } commit: { [calls, weak gateway] port in
            calls.record("\(name) commit \(port), active \(gateway?.current.listen.port ?? 0)")
        } abort: { [calls, weak gateway] port in
            calls.record("\(name) abort \(port), active \(gateway?.current.listen.port ?? 0)")
        }
    }

    @Test func `an edit is prepared before it takes effect, and committed after that`() async throws {
        let storage = stack()
        let gateway = try Live(Gateway(), storage)
        let latch = AsyncLatch()
        let observation = listening(gateway) { _ in await latch.wait() }
        try edit("listen.port = 9000", storage)
        _ = try await calls.wait(within: .seconds(60)) { $0 == ["port prepare 8080→9000"] }
        #expect(gateway.current.listen.port == 8080)
        await latch.open()
        try await gateway.applied()
        #expect(calls.elements == ["port prepare 8080→9000", "port commit 9000, active 9000"])
        #expect(!gateway.isInconsistent && reports.elements.isEmpty)
        observation.cancel()
    }

    @Test func `two-phase handlers prepare first, and abort after the others are called back`()
        async throws
    {
        let storage = stack()
        let gateway = try Live(Gateway(), storage)
        let first = gateway.apply(\.limit) { [calls] in calls.record("limit \($0)→\($1)") }
        let second = listening(gateway, "a")
        let third = listening(gateway, "b")
        let fourth = gateway.apply(\.level) { [calls] _, new in
            calls.record("level \(new)")
            throw Rejected(description: "no such level")
        }
        try edit("listen.port = 9000\nlimit = 5\nlevel = 2", storage)
        try await gateway.applied()
        #expect(
            calls.elements == [
                "a prepare 8080→9000", "b prepare 8080→9000", "limit 512→5", "level 2", "limit 5→512",
                "b abort 9000, active 8080", "a abort 9000, active 8080",
            ])
        #expect(gateway.current == Gateway())
        #expect(
            reports.elements == [
                "error: level: rejected by the program: no such level; keeping the previous version"
            ])
        fourth.cancel()
        try await gateway.applied()
        #expect(
            calls.elements.dropFirst(7) == [
                "a prepare 8080→9000", "b prepare 8080→9000", "limit 512→5", "a commit 9000, active 9000",
                "b commit 9000, active 9000",
            ])
        _ = (first, second, third)
    }

    @Test func `what prepare rejects is aborted for the handlers before it`() async throws {
        let storage = stack()
        let gateway = try Live(Gateway(), storage)
        let first = listening(gateway, "a")
        let second = listening(gateway, "b") {
            if $0 == 22 { throw Rejected(description: "port 22 is taken") }
        }
        try edit("listen.port = 22", storage)
        try await gateway.applied()
        #expect(
            calls.elements == [
                "a prepare 8080→22", "b prepare 8080→22", "a abort 22, active 8080",
            ])
        #expect(
            reports.elements == [
                "error: listen.port: rejected by the program: port 22 is taken; keeping the previous version"
            ])
        _ = (first, second)
    }

    @Test func `configurations of one stack accept or reject an edit together`() async throws {
        let storage = stack()
        let upstream = try Live(Upstream(), storage, at: "upstream")
        let gateway = try Live(Gateway(), storage)
        let first = upstream.apply(\.host) { [calls] in calls.record("host \($0)→\($1)") }
        let second = listening(gateway)
        let third = gateway.apply(\.level) { [calls] _, new in
            calls.record("level \(new)")
            if new == 2 { throw Rejected(description: "no") }
        }
        try edit("upstream.host = \"b\"\nlisten.port = 9000\nlevel = 2", storage)
        try await gateway.applied()
        #expect(
            calls.elements == [
                "port prepare 8080→9000", "host a→b", "level 2", "host b→a", "port abort 9000, active 8080",
            ])
        #expect(upstream.current.host == "a")
        try edit("upstream.host = \"b\"\nlisten.port = 9000\nlevel = 3", storage)
        try await gateway.applied()
        #expect(
            calls.elements.dropFirst(5) == [
                "port prepare 8080→9000", "host a→b", "level 3", "port commit 9000, active 9000",
            ])
        #expect(upstream.current.host == "b" && gateway.current.level == 3)
        _ = (first, second, third)
    }

    @Test func `what was prepared for an edit that a newer one supersedes is aborted`() async throws {
        let storage = stack()
        let gateway = try Live(Gateway(), storage)
        let latch = AsyncLatch()
        let observation = listening(gateway) { if $0 == 9000 { await latch.wait() } }
        try edit("listen.port = 9000", storage)
        _ = try await calls.wait(within: .seconds(60)) { !$0.isEmpty }
        try edit("listen.port = 9001", storage)
        await latch.open()
        try await gateway.applied()
        #expect(
            calls.elements == [
                "port prepare 8080→9000", "port abort 9000, active 8080", "port prepare 8080→9001",
                "port commit 9001, active 9001",
            ])
        // This edit is undone while the handler prepares for it.
        observation.cancel()
        let second = AsyncLatch()
        let undone = listening(gateway, "second") { _ in await second.wait() }
        try edit("listen.port = 9002", storage)
        _ = try await calls.wait(within: .seconds(60)) { $0.count == 5 }
        try edit("listen.port = 9001", storage)
        await second.open()
        try await gateway.applied()
        #expect(
            calls.elements.dropFirst(4) == [
                "second prepare 9001→9002", "second abort 9002, active 9001",
            ])
        undone.cancel()
    }

    @Test func `an update is prepared, stored and committed when it returns`() async throws {
        let gateway = try Live(Gateway(), stack())
        let observation = listening(gateway)
        try await gateway.update { $0.listen.port = 9000 }
        #expect(calls.elements == ["port prepare 8080→9000", "port commit 9000, active 9000"])
        observation.cancel()
    }

    @Test func `an update that cannot be written is aborted`() async throws {
        let storage = stack()
        let gateway = try Live(Gateway(), storage)
        let observation = listening(gateway) { [folder] _ in
            // A folder that is not empty, so that no file can be renamed to its path.
            try FileManager.default.createDirectory(
                atPath: folder["gateway.toml/occupied"], withIntermediateDirectories: true)
        }
        await #expect(throws: PrefsError.self) { try await gateway.update { $0.listen.port = 9000 } }
        #expect(calls.elements == ["port prepare 8080→9000", "port abort 9000, active 8080"])
        #expect(gateway.current.listen.port == 8080)
        observation.cancel()
    }

    @Test func `cancelling the task of an update aborts nothing that it has prepared`() async throws {
        let gateway = try Live(Gateway(), stack())
        let latch = AsyncLatch()
        let observation = listening(gateway) { _ in await latch.wait() }
        let update = Task { try await gateway.update { $0.listen.port = 9000 } }
        _ = try await calls.wait(within: .seconds(60)) { !$0.isEmpty }
        update.cancel()
        await latch.open()
        _ = try await update.value
        #expect(calls.elements == ["port prepare 8080→9000", "port commit 9000, active 9000"])
        observation.cancel()
    }

    @Test(arguments: [false, true])
    func `what is prepared when its handler ends is aborted`(isReleased: Bool) async throws {
        let storage = stack()
        var gateway: Live<Gateway>? = try Live(Gateway(), storage)
        let latch = AsyncLatch()
        let observation = gateway.map { listening($0) }
        // The edit, including the prepared part, waits for this handler.
        let waiting = gateway?.apply(\.limit) { [calls] _, new in
            calls.record("limit \(new)")
            await latch.wait()
        }
        try edit("listen.port = 9000\nlimit = 5", storage)
        _ = try await calls.wait(within: .seconds(60)) { $0.count == 2 }
        if isReleased { gateway = nil } else { observation?.cancel() }
        _ = try await calls.wait(within: .seconds(60)) { $0.count == 3 }
        await latch.open()
        await storage.applied()
        #expect(
            calls.elements == [
                "port prepare 8080→9000", "limit 5", "port abort 9000, active \(isReleased ? 0 : 8080)",
            ] + (isReleased ? ["limit 512"] : []))
        #expect(storage.value(forKey: "listen.port") == 9000)
        _ = (observation, waiting, gateway)
    }

    @Test func `what a handler returns after its end is aborted`() async throws {
        let storage = stack()
        let gateway = try Live(Gateway(), storage)
        let latch = AsyncLatch()
        let observation = listening(gateway) { _ in await latch.wait() }
        try edit("listen.port = 9000", storage)
        _ = try await calls.wait(within: .seconds(60)) { !$0.isEmpty }
        observation.cancel()
        await latch.open()
        try await gateway.applied()
        #expect(calls.elements == ["port prepare 8080→9000", "port abort 9000, active 8080"])
        #expect(gateway.current.listen.port == 9000)
    }

    @Test func `a lock is prepared and committed when it has taken effect`() async throws {
        let storage = stack()
        try edit("listen.port = 8081", storage)
        try storage.setValue(9000, forKey: "listen.port", in: .overrides)
        let gateway = try Live(Gateway(), storage)
        let isTaken = Lock(false)
        let observation = listening(gateway) { _ in
            if isTaken.withLock({ $0 }) { throw Rejected(description: "taken") }
        }
        storage.lock("listen.port", at: .system)
        try await gateway.applied()
        #expect(calls.elements == ["port prepare 9000→8081", "port commit 8081, active 8081"])
        #expect(!gateway.isInconsistent)
        observation.cancel()
    }

    @Test func `a lock that a handler cannot prepare for makes the configuration inconsistent`() async throws
    {
        let storage = stack()
        try edit("listen.port = 8081", storage)
        try storage.setValue(9000, forKey: "listen.port", in: .overrides)
        let gateway = try Live(Gateway(), storage)
        let observation = listening(gateway) { if $0 == 8081 { throw Rejected(description: "taken") } }
        storage.lock("listen.port", at: .system)
        try await gateway.applied()
        #expect(Set(calls.elements) == ["port prepare 9000→8081"])
        #expect(gateway.isInconsistent && gateway.current.listen.port == 8081)
        try edit("listen.port = 8082", storage)
        try await gateway.applied()
        #expect(!gateway.isInconsistent)
        #expect(calls.elements.last == "port commit 8082, active 8082")
        observation.cancel()
    }

    @Test func `applyNow prepares and commits the present value`() async throws {
        let storage = stack()
        let gateway = try Live(Gateway(), storage)
        let observation = try await gateway.applyNow(\.listen) { [calls] old, new in
            calls.record("prepare \(old?.port ?? 0)→\(new.port)")
            return new.port
        } commit: { [calls] in
            calls.record("commit \($0)")
        } abort: { [calls] in
            calls.record("abort \($0)")
        }
        #expect(calls.elements == ["prepare 0→8080", "commit 8080"])
        try edit("listen.port = 9000", storage)
        try await gateway.applied()
        #expect(calls.elements.dropFirst(2) == ["prepare 8080→9000", "commit 9000"])
        observation.cancel()
    }

    @Test func `what applyNow rejects has a key, a file and a line`() async throws {
        let storage = stack()
        try edit("limit = 5\nlisten.port = 22\nlevel = 2", storage)
        let gateway = try Live(Gateway(), storage)
        let reason = "/nonexistent.pem: No such file or directory"
        let reject: @Sendable () throws -> Void = { throw Rejected(description: reason) }
        for (error, key, line) in [
            (
                await #expect(throws: PrefsError.self) {
                    _ = try await gateway.applyNow(\.listen) { _, _ in
                        try reject()
                    } commit: { _ in
                    } abort: { _ in
                    }
                }, "listen.port", "2:8"
            ),
            (
                await #expect(throws: PrefsError.self) {
                    _ = try await gateway.applyNow(\.limit) { _ in try reject() }
                }, "limit", "1:1"
            ),
            (
                await #expect(throws: PrefsError.self) {
                    _ = try await gateway.applyNow(\.level) { _ in try reject() }
                }, "level", "3:1"
            ),
        ] {
            #expect(error?.key == key)
            #expect(error?.origin?.file == folder["gateway.toml"])
            #expect(error?.origin?.position?.description == line)
            #expect(error?.reason.hasSuffix(reason) == true)
        }
        // None of these handlers is registered.
        try edit("limit = 6", storage)
        try await gateway.applied()
        #expect(gateway.current.limit == 6)
    }

    @Test func `an update waits until the edit before it is committed`() async throws {
        let storage = stack()
        let gateway = try Live(Gateway(), storage)
        let latch = AsyncLatch()
        let observation = listening(gateway) { if $0 == 9000 { await latch.wait() } }
        try edit("listen.port = 9000", storage)
        _ = try await calls.wait(within: .seconds(60)) { !$0.isEmpty }
        let update = Task { try await gateway.update { $0.listen.port += 1 } }
        await latch.open()
        _ = try await update.value
        #expect(
            calls.elements == [
                "port prepare 8080→9000", "port commit 9000, active 9000", "port prepare 9000→9001",
                "port commit 9001, active 9001",
            ])
        observation.cancel()
    }
}
