import LayeredPrefsTesting
import PrefsSystem
import TestSupport
import Testing

@testable import LayeredPrefs

private struct Relay: Codable, Sendable {
    @Setting(in: 1...9) var level = 1
    var limit = 512
}

private struct Taken: Error, CustomStringConvertible {
    let description = "the port is taken"
}

/// `Live.update` while others edit the file, which nobody watches.
@Suite struct UpdatedFileTests: StackSuite {
    let fixture: StackFixture

    init() throws { fixture = try StackFixture("f.toml") }

    private func stack(_ name: PrefsLayer.Name) -> PrefsStack { stack(of: layer(name)) }

    private func text() throws -> String { try text(of: "f.toml") }

    @Test func `an edit that nobody has read counts`() async throws {
        let relay = try Live(Relay(), stack(.user))
        try folder.write("limit = 5\n", to: "f.toml")
        try await relay.update { $0.limit += 1 }
        #expect(try relay.current.limit == 6 && text() == "limit = 6\n")
        // Somebody who does not lock the file edits it when the update has already read it.
        var calls = 0
        try await relay.update { [folder] value in
            calls += 1
            if calls == 1 { try folder.write("limit = 50\nlevel = 2\n", to: "f.toml") }
            value.limit += 1
        }
        #expect(calls == 2 && relay.current.limit == 51 && relay.current.level == 2)
        #expect(try text() == "limit = 51\nlevel = 2\n")
    }

    @Test(arguments: [true, false])
    func `an update of a file whose newest revision is rejected throws and names it`(isRead: Bool)
        async throws
    {
        let relay = try Live(Relay(), stack(.system))
        let before = "limit = 7\nlevel = 70\n"
        try folder.write(before, to: "f.toml")
        if isRead { relay.storage.reload() }
        let error = await #expect(throws: PrefsError.self) { try await relay.update { $0.limit += 1 } }
        #expect(error?.origin?.file == folder["f.toml"] && error?.key == "level")
        #expect(try text() == before && relay.current.limit == 512)
        // This update mends the wrong value.
        try await relay.update { $0.level = 3 }
        #expect(relay.current.level == 3 && relay.current.limit == 7)
    }

    @Test(arguments: [true, false])
    func `a wrong value in the user's file is left alone`(isRead: Bool) async throws {
        try folder.write("limit = 5\nlevel = 2\n", to: "f.toml")
        let relay = try Live(Relay(), stack(.user))
        try folder.write("limit = 6\nlevel = 70\n", to: "f.toml")
        if isRead { relay.storage.reload() }
        var seen = 0
        try await relay.update {
            seen = $0.level
            $0.limit += 1
        }
        #expect(seen == 2 && relay.current.level == 2 && relay.current.limit == 7)
        #expect(try text() == "limit = 7\nlevel = 70\n")
        try folder.write("limit = 8\nlevel = 70\n", to: "f.toml")
        try await relay.update { $0.limit += 1 }
        #expect(relay.current.level == 2 && relay.current.limit == 9)
    }

    @Test func `an update waits for the closure that an edit waits for`() async throws {
        let relay = try Live(Relay(), stack(.system))
        let (latch, started) = (AsyncLatch(), Recorder<Int>())
        let applying = relay.apply(\.level) { _, new in
            started.record(new)
            await latch.wait()
        }
        try folder.write("limit = 5\nlevel = 7\n", to: "f.toml")
        let levels = Recorder<Int>()
        let update = Task {
            try await relay.update {
                levels.record($0.level)
                $0.limit += 1
            }
        }
        _ = try await started.wait(within: .seconds(60)) { !$0.isEmpty }
        #expect(try relay.current.level == 1 && text() == "limit = 5\nlevel = 7\n")
        await latch.open()
        #expect(try await update.value == .effective)
        #expect(relay.current.level == 7 && relay.current.limit == 6)
        #expect(started.elements == [7] && levels.elements.last == 7)
        applying.cancel()
    }

    @Test func `an update of a file that a closure has rejected throws and names it`() async throws {
        let relay = try Live(Relay(), stack(.system))
        let applying = relay.apply(\.level) { _, new in if new == 7 { throw Taken() } }
        let before = "limit = 5\nlevel = 7\n"
        try folder.write(before, to: "f.toml")
        let error = await #expect(throws: PrefsError.self) { try await relay.update { $0.limit += 1 } }
        #expect(error?.origin?.file == folder["f.toml"] && error?.reason.contains("taken") == true)
        #expect(try text() == before && relay.current.limit == 512 && relay.current.level == 1)
        try await relay.update { $0.level = 8 }
        #expect(relay.current.level == 8 && relay.current.limit == 5)
        applying.cancel()
    }

    @Test func `a write in an update throws`() async throws {
        let relay = try Live(Relay(), stack(.user))
        let error = await #expect(throws: PrefsError.self) {
            try await relay.update { _ in try relay.storage.setValue(1, forKey: "limit") }
        }
        #expect(error?.code == .unsupported)
        #expect(!folder.names.contains("f.toml"))
    }
}
