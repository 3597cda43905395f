import Foundation
import LayeredPrefsTesting
import TestSupport
import Testing

@testable import LayeredPrefs

private struct Relay: Codable, Sendable, Equatable {
    var listen = Listener()
    @Setting(in: 1...10_000) var limit = 512
    @Setting(secret: true) var token = "none"
    var level = Level.info
}

private struct Listener: Codable, Sendable, Equatable {
    var host = "::"
    @Setting(in: 1...65535) var port = 8080
}

private enum Level: String, Codable, Sendable, CaseIterable { case debug, info, error }

private struct Rejected: Error, CustomStringConvertible {
    let description: String
}

/// Changes that the program accepts or rejects.
@Suite struct LiveApplyTests: StackSuite {
    let fixture: StackFixture

    init() throws { fixture = try StackFixture { "\($0.severity): \($0.error.reason)" } }

    private func stack() -> PrefsStack { stack(of: layer(), .overrides) }

    @Test(arguments: ["listen.port = 9001\n", ""])
    func `a version that is wrong for another reason than before has not recovered`(start: String)
        async throws
    {
        try write(start)
        let storage = stack(of: layer(.user))
        let relay = try Live(Relay(), storage)
        let before = relay.current.listen.port
        let applying = relay.apply(\.listen) { _, new in
            if new.port == 22 { throw Rejected(description: "port 22 is taken") }
        }
        try edit("listen.port = 22", storage)
        await storage.applied()
        #expect(relay.current.listen.port == before)
        try edit("listen.port = 70000", storage)
        await storage.applied()
        #expect(relay.current.listen.port == before)
        #expect(!reports.elements.contains { $0.hasPrefix("recovered") })
        try edit("listen.port = 9002", storage)
        await storage.applied()
        #expect(relay.current.listen.port == 9002)
        #expect(reports.elements.contains { $0.hasPrefix("recovered") })
        withExtendedLifetime(applying) {}
    }

    @Test func `an edit takes effect when the program has taken it`() async throws {
        let storage = stack()
        let relay = try Live(Relay(), storage)
        let (asked, latch) = (Recorder<Int>(), AsyncLatch())
        let applying = relay.apply(\.listen) { old, new in
            asked.record(new.port)
            await latch.wait()
        }
        try edit("listen.port = 9000", storage)
        _ = try await asked.wait { !$0.isEmpty }
        #expect(relay.current.listen.port == 8080)
        #expect(storage.value(forKey: "listen.port") == nil)
        await latch.open()
        try await relay.applied()
        await storage.settled()
        #expect(relay.current.listen.port == 9000)
        #expect(asked.elements == [9000])
        #expect(!reports.elements.contains { $0.hasPrefix("error") })
        applying.cancel()
    }

    @Test func `a rejection calls back in reverse order, and the edit is not in force`() async throws {
        let storage = stack()
        let relay = try Live(Relay(), storage)
        let calls = Recorder<String>()
        let first = relay.apply(\.listen) { calls.record("listen \($0.port)→\($1.port)") }
        let second = relay.apply(\.limit) { calls.record("limit \($0)→\($1)") }
        let third = relay.apply(\.level) { _, _ in throw Rejected(description: "no such level here") }
        try edit("limit = 5\nlevel = \"debug\"\nlisten.port = 9000", storage)
        try await relay.applied()
        await storage.settled()
        #expect(calls.elements == ["listen 8080→9000", "limit 512→5", "limit 5→512", "listen 9000→8080"])
        #expect(relay.current == Relay())
        #expect(
            reports.elements == [
                "error: rejected by the program: no such level here; keeping the previous version"
            ])
        // The stack asks again for the same contents only on a reload.
        storage.reload()
        try await relay.applied()
        #expect(calls.elements.count == 8)
        try edit("limit = 6", storage)
        try await relay.applied()
        await storage.settled()
        #expect(relay.current.limit == 6)
        _ = (first, second, third)
    }

    @Test func `what the program says of a secret is masked`() async throws {
        let storage = stack()
        let relay = try Live(Relay(), storage) { relay in
            if relay.limit == 1 { throw Rejected(description: "the limit of \(relay.token) is 1") }
        }
        let applying = relay.apply(\.level) { _, _ in
            throw Rejected(description: "s3cret cannot log in")
        }
        try edit("token = \"s3cret\"\nlimit = 1", storage)
        try edit("token = \"s3cret\"\nlevel = \"debug\"", storage)
        try await relay.applied()
        for words in [
            "rejected by a rule of the program: the limit of •••• is 1",
            "rejected by the program: •••• cannot log in",
        ] {
            #expect(reports.elements.contains { $0.hasPrefix("error: \(words)") })
        }
        #expect(!reports.elements.contains { $0.contains("s3cret") })
        applying.cancel()
    }

    @Test func `a rejected file has recovered only when the program has accepted it`() async throws {
        let storage = stack()
        let relay = try Live(Relay(), storage)
        let applying = relay.apply(\.listen) { _, new in
            if new.port == 22 { throw Rejected(description: "port 22 is taken") }
        }
        let wrong = "error: expected 1...65535, found the integer 70000; keeping the previous version"
        let taken = "error: rejected by the program: port 22 is taken; keeping the previous version"
        let recovered = "recovered: now using the new version"
        for (port, problems) in [
            (70_000, [wrong]), (22, [wrong, taken]), (70_000, [wrong, taken, wrong]),
            (9000, [wrong, taken, wrong, recovered]), (9001, [wrong, taken, wrong, recovered]),
        ] {
            try edit("listen.port = \(port)", storage)
            try await relay.applied()
            await storage.settled()
            #expect(reports.elements == problems)
        }
        #expect(relay.current.listen.port == 9001)
        applying.cancel()
    }

    @Test func `a rejection names what has changed in the part, and its place`() async throws {
        let storage = stack()
        let relay = try Live(Relay(), storage)
        let applying = relay.apply(\.listen) { _, _ in throw Rejected(description: "taken") }
        for (text, key, line) in [
            ("limit = 5\nlisten.port = 9000", "listen.port", "2:8"),
            ("[listen]\nport = 9001\nhost = \"a\"", "listen", "3:1"),
        ] {
            try edit(text, storage)
            try await relay.applied()
            let error = try #require(storage.status[0].rejection?.problems.first)
            #expect(error.key == key && error.reason == "rejected by the program: taken")
            #expect(error.origin?.position?.description == line && error.origin?.layer == "system")
        }
        // The update fails, because the file's newest revision has another host, too.
        await #expect { try await relay.update { $0.listen.port = 7 } } throws: { error in
            (error as? PrefsError)?.key == "listen"
        }
        applying.cancel()
    }

    @Test func `parts without a closure do not wait`() async throws {
        let storage = stack()
        let relay = try Live(Relay(), storage)
        let (asked, latch) = (Recorder<Int>(), AsyncLatch())
        let applying = relay.apply(\.listen) { _, new in
            asked.record(new.port)
            await latch.wait()
        }
        try edit("listen.port = 9000", storage)
        _ = try await asked.wait { !$0.isEmpty }
        try storage.setValue(7, forKey: "limit", in: .overrides)
        #expect(relay.current.limit == 7 && relay.current.listen.port == 8080)
        await latch.open()
        try await relay.applied()
        await storage.settled()
        #expect(relay.current.limit == 7 && relay.current.listen.port == 9000)
        applying.cancel()
    }

    @Test func `a write to a part with a closure throws, an update applies it first`() async throws {
        let storage = stack()
        let relay = try Live(Relay(), storage)
        let asked = Recorder<Int>()
        let applying = relay.apply(\.listen) { _, new in
            asked.record(new.port)
            if new.port == 22 { throw Rejected(description: "taken") }
        }
        let error = #expect(throws: PrefsError.self) {
            try storage.setValue(9, forKey: "listen.port", in: .overrides)
        }
        // An administrator may read this message, too, because `prefs set --pid` writes in this way.
        #expect(error?.code == .undecided && error?.key == "listen.port")
        #expect(error?.reason.contains("edit the file") == true)
        let all = #expect(throws: PrefsError.self) {
            try storage.transaction {
                $0.setValue(9, forKey: "listen.port", in: .overrides)
                $0.setValue("a", forKey: "listen.host", in: .overrides)
                $0.setValue(1, forKey: "other", in: .overrides)
            }
        }
        #expect(Set(all?.problems.map(\.key) ?? []) == ["listen.host", "listen.port"])
        try await relay.update { $0.listen.port = 9000 }
        #expect(relay.current.listen.port == 9000)
        await #expect(throws: PrefsError.self) { try await relay.update { $0.listen.port = 22 } }
        #expect(relay.current.listen.port == 9000 && asked.elements == [9000, 22])
        applying.cancel()
    }

    @Test func `an edit that is undone while it is applied is called back`() async throws {
        let storage = stack()
        let relay = try Live(Relay(), storage)
        let (calls, latch) = (Recorder<String>(), AsyncLatch())
        let applying = relay.apply(\.limit) { old, new in
            calls.record("\(old)→\(new)")
            if new == 5 { await latch.wait() }
        }
        try edit("limit = 5", storage)
        _ = try await calls.wait { $0 == ["512→5"] }
        try edit("limit = 512", storage)
        await latch.open()
        _ = try await calls.wait { $0 == ["512→5", "5→512"] }
        try await relay.applied()
        #expect(relay.current.limit == 512 && calls.elements.count == 2)
        applying.cancel()
    }

    @Test func `of later edits the newest waits, and only changed parts are asked again`() async throws {
        let storage = stack()
        let relay = try Live(Relay(), storage)
        let (calls, latch) = (Recorder<String>(), AsyncLatch())
        let first = relay.apply(\.limit) { calls.record("limit \($0)→\($1)") }
        let second = relay.apply(\.listen) { old, new in
            calls.record("listen \(old.port)→\(new.port)")
            if new.port == 1 { await latch.wait() }
        }
        try edit("limit = 5\nlisten.port = 1", storage)
        _ = try await calls.wait { $0.count == 2 }
        try edit("limit = 5\nlisten.port = 2", storage)
        try edit("limit = 5\nlisten.port = 3", storage)
        await latch.open()
        try await relay.applied()
        #expect(relay.current.limit == 5 && relay.current.listen.port == 3)
        #expect(
            calls.elements == [
                "limit 512→5", "listen 8080→1", "listen 1→8080", "listen 8080→3",
            ])
        _ = (first, second)
    }

    @Test func `a closure that is registered during an offer is asked before the value is in force`()
        async throws
    {
        let storage = stack()
        let relay = try Live(Relay(), storage)
        let (calls, latch) = (Recorder<String>(), AsyncLatch())
        let first = relay.apply(\.limit) { old, new in
            calls.record("first \(old)→\(new)")
            await latch.wait()
        }
        try edit("limit = 5", storage)
        _ = try await calls.wait { !$0.isEmpty }
        let second = relay.apply(\.limit) { old, new in
            calls.record("second \(old)→\(new)")
            throw Rejected(description: "no")
        }
        await latch.open()
        try await relay.applied()
        #expect(calls.elements == ["first 512→5", "second 512→5", "first 5→512"])
        #expect(relay.current.limit == 512)
        _ = (first, second)
    }

    @Test func `a failure to go back is reported, and the configuration is inconsistent`() async throws {
        let storage = stack()
        let relay = try Live(Relay(), storage)
        let first = relay.apply(\.limit) { _, new in
            if new == 512 { throw Rejected(description: "the socket is gone") }
        }
        let second = relay.apply(\.level) { _, _ in throw Rejected(description: "no") }
        try edit("limit = 5\nlevel = \"debug\"", storage)
        try await relay.applied()
        #expect(relay.isInconsistent)
        #expect(
            reports.elements.contains {
                $0.hasPrefix(
                    "error: the program could not apply the active settings: the socket is gone")
            })
        _ = (first, second)
    }

    @Test func `within a closure, update and applied throw`() async throws {
        let relay = try Live(Relay(), stack())
        let errors = Recorder<String>()
        let applying = relay.apply(\.limit) { [weak relay] _, _ in
            do { try await relay?.update { $0.limit = 1 } } catch { errors.record("\(error)") }
            do { try await relay?.applied() } catch { errors.record("\(error)") }
        }
        try await relay.update { $0.limit = 7 }
        #expect(errors.elements.count == 2)
        #expect(errors.elements.last?.hasPrefix("`applied()` waits until all `apply` handlers") == true)
        #expect(relay.current.limit == 7)
        applying.cancel()
    }

    @Test func `within a closure, reload reads nothing and says so`() async throws {
        let storage = stack()
        let relay = try Live(Relay(), storage)
        let seen = Recorder<String>()
        let applying = relay.apply(\.limit) { [folder] _, _ in
            _ = try folder.write("limit = 5\nlevel = \"error\"", to: "relay.toml")
            storage.reload()
            seen.record(storage.value(forKey: "level") == nil ? "default" : "set")
        }
        try edit("limit = 5", storage)
        try await relay.applied()
        #expect(seen.elements == ["default"])
        #expect(
            reports.elements == [
                "error: an `apply` handler cannot reload the files; nothing was read again"
            ])
        storage.reload()
        try await relay.applied()
        #expect(relay.current.level == .error)
        applying.cancel()
    }

    @Test func `updates wait in order, and one that is cancelled while it waits changes nothing`()
        async throws
    {
        let relay = try Live(Relay(), stack())
        let (calls, latch) = (Recorder<Int>(), AsyncLatch())
        let applying = relay.apply(\.limit) { _, new in
            calls.record(new)
            if new == 1 { await latch.wait() }
        }
        let first = Task { try await relay.update { $0.limit = 1 } }
        _ = try await calls.wait { $0 == [1] }
        let cancelled = Task { try await relay.update { $0.limit = 2 } }
        let third = Task {
            _ = await cancelled.result
            try await relay.update { $0.limit += 2 }
        }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        await latch.open()
        _ = try await first.value
        try await third.value
        #expect(calls.elements == [1, 3])
        #expect(relay.current.limit == 3)
        applying.cancel()
    }

    @Test func `an update in a cancelled task changes nothing and holds up no other`() async throws {
        let relay = try Live(Relay(), stack())
        let latch = AsyncLatch()
        let cancelled = Task {
            await latch.wait()
            try await relay.update { $0.limit = 2 }
        }
        cancelled.cancel()
        await latch.open()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        try await relay.update { $0.limit = 3 }
        #expect(relay.current.limit == 3)
    }

    @Test func `a configuration may be released while a closure runs`() async throws {
        let storage = stack()
        var relay: Live<Relay>? = try Live(Relay(), storage)
        let (calls, latch) = (Recorder<Int>(), AsyncLatch())
        let applying = relay?.apply(\.limit) { _, new in
            calls.record(new)
            await latch.wait()
        }
        try edit("limit = 5", storage)
        _ = try await calls.wait { $0 == [5] }
        weak let gone = relay
        relay = nil
        #expect(gone == nil)
        await latch.open()
        storage.reload()
        await storage.settled()
        #expect(storage.value(forKey: "limit") == 5)
        applying?.cancel()
    }

    @Test func `a closure that has switched is called back when its configuration is released`() async throws
    {
        let storage = stack()
        var relay: Live<Relay>? = try Live(Relay(), storage)
        let (calls, latch) = (Recorder<String>(), AsyncLatch())
        let first = relay?.apply(\.limit) { calls.record("limit \($0)→\($1)") }
        let second = relay?.apply(\.level) { old, new in
            calls.record("level \(old)→\(new)")
            await latch.wait()
        }
        let third = relay?.apply(\.limit) { _, _ in calls.record("never") }
        try edit("limit = 5\nlevel = \"debug\"", storage)
        _ = try await calls.wait { $0.count == 2 }
        relay = nil
        await latch.open()
        await storage.applied()
        #expect(
            calls.elements == ["limit 512→5", "level info→debug", "level debug→info", "limit 5→512"])
        _ = (first, second, third)
    }

    @Test func `a call-back that failed is tried again with the next job`() async throws {
        let storage = stack()
        let relay = try Live(Relay(), storage)
        let calls = Recorder<String>()
        let first = relay.apply(\.limit) { old, new in
            calls.record("limit \(old)→\(new)")
            let attempts = calls.elements.count { $0 == "limit 5→512" }
            if new == 512, attempts <= 2 { throw Rejected(description: "the socket is gone") }
        }
        let second = relay.apply(\.level) { _, new in
            calls.record("level \(new)")
            if new == .debug { throw Rejected(description: "no") }
        }
        try edit("limit = 5\nlevel = \"debug\"", storage)
        try await relay.applied()
        #expect(calls.elements == ["limit 512→5", "level debug", "limit 5→512"])
        #expect(relay.isInconsistent)
        try edit("level = \"error\"", storage)
        try await relay.applied()
        #expect(calls.elements.dropFirst(3) == ["limit 5→512", "level error"])
        #expect(relay.isInconsistent && relay.current.level == .error)
        try edit("level = \"info\"", storage)
        try await relay.applied()
        #expect(calls.elements.dropFirst(5) == ["limit 5→512", "level info"])
        #expect(!relay.isInconsistent)
        let failures = reports.elements.filter { $0.contains("could not apply the active settings") }
        #expect(failures.count == 1)
        _ = (first, second)
    }

    @Test func `a closure that takes long is reported`() async throws {
        let storage = stack()
        let fields = try ConfigurationFields(Relay(), at: "", named: [:])
        let handlers = ApplyHandlers(
            fields: fields, storage: storage, active: Relay(), patience: .milliseconds(1))
        let handler = ApplyHandler<Relay>(of: { $0.limit }) { [reports] _, _ in
            _ = try await reports.wait { !$0.isEmpty }
        }
        _ = handlers.add(handler, using: Relay())
        var new = Relay()
        new.limit = 5
        try await handlers.storing { [new] in
            (Relay(), new)
        } _: {
        }
        #expect(
            reports.elements == [
                "warning: the program has been applying limit for 1ms; keeping the previous version until it finishes"
            ])
    }
}
