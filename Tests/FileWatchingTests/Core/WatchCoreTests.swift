import Foundation
import TestSupport
import Testing

@testable import FileWatching

@Suite struct WatchCoreTests {
    private static func subscription(_ path: String) -> Subscription {
        Subscription(
            path: path, settling: .none, safetyPoll: nil, watcher: WatcherToken(), handler: { _ in })
    }

    // The kernel's own file systems are watched by polling, like network file systems, but they always answer.
    @Test func `only paths whose file system answered are resolved after a change of the mount table`() throws
    {
        let sandbox = try Sandbox()
        try sandbox.write("x", to: "f")
        let now = ContinuousClock.now
        var core = WatchCore(.inotify)
        core.open(try KernelInotify())
        defer { core.close() }
        let (local, remote) = (Self.subscription(sandbox("f")), Self.subscription("/proc/self/status"))
        core.add(local, now: now)
        core.add(remote, now: now)
        core.invalidateAll(.mounted, source: .mount)
        let remoteNumber = try #require(core.paths.first { $0.value.key.path == remote.path }?.key)
        #expect(!core.invalidated.isEmpty)
        #expect(core.invalidated[remoteNumber] == nil)
        #expect(core.isPollDue(now: now))

        // A poll that is still running does not begin again, and forgets nothing.
        core.skipDuePolls(now: now)
        #expect(core.isPollDue(now: now))

        let polls = core.takeDuePolls(now: now)
        #expect(polls.map(\.path) == [remote.path])
        #expect(!core.isPollDue(now: now))
        core.compare(polls, now: now)
        #expect(core.invalidated[remoteNumber]?.cause == .mounted)
    }

    @Test func `a path that is no longer watched is not waited for`() throws {
        var core = WatchCore(.inotify)
        core.open(try KernelInotify())
        defer { core.close() }
        let remote = Self.subscription("/proc/self/status")
        core.add(remote, now: .now)
        core.invalidateAll(.incomplete, source: .overflow)
        #expect(core.isPollDue(now: .now))
        core.remove(remote)
        #expect(!core.isPollDue(now: .now))
    }

    // MARK: Whole files

    /// A core that watches some paths through the kernel's inotify. The test decides the times.
    private final class Fixture {
        let sandbox: Sandbox
        let start = ContinuousClock.now
        var core = WatchCore(.inotify)

        init() throws {
            sandbox = try Sandbox()
            core.open(try KernelInotify())
        }

        deinit { core.close() }

        func watch(_ names: String...) {
            for name in names {
                core.add(
                    Subscription(
                        path: sandbox(name), settling: .standard, safetyPoll: nil, watcher: WatcherToken(),
                        handler: { _ in }), now: start)
            }
        }

        /// Returns the names of the paths whose events are due, with the sizes of their files.
        func events(after milliseconds: Int) -> [String: Int64?] {
            let events = core.processEvents(now: start + .milliseconds(milliseconds)).map(\.event)
            return Dictionary(
                uniqueKeysWithValues: events.map { event in
                    (String(event.path.dropFirst(sandbox.path.count + 1)), event.signature?.size)
                })
        }

        func create(_ name: String) -> Int32 {
            unsafe open(sandbox(name), O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o600)
        }

        /// Closes a file, and waits until no process has it open for writing.
        func close(_ file: Int32, of name: String = "f") {
            Glibc.close(file)
            waitForOtherWriters(of: sandbox(name))
        }
    }

    @Test func `a new file is due when its writer closes it, however long that takes`() throws {
        let fixture = try Fixture()
        fixture.watch("f")
        let file = fixture.create("f")
        #expect(fixture.events(after: 0) == [:])
        #expect(fixture.events(after: 9_000) == [:])
        #expect(unsafe write(file, "port", 4) == 4)
        #expect(fixture.events(after: 9_100) == [:])
        fixture.close(file)
        #expect(fixture.events(after: 9_200) == ["f": 4])
    }

    @Test func `a new file that was closed before it was found is due at once, an empty one in a second`()
        throws
    {
        let fixture = try Fixture()
        fixture.watch("f", "g")
        fixture.close(fixture.create("f"))
        try fixture.sandbox.write("text", to: "g")
        #expect(fixture.events(after: 0) == ["g": 4])
        #expect(fixture.events(after: 999) == [:])
        #expect(fixture.events(after: 1_000) == ["f": 0])
    }

    @Test func `a file that was created and closed in a new folder is due at once`() throws {
        let fixture = try Fixture()
        fixture.watch("d/f")
        for size in [4, 3] as [Int64] {
            try FileManager.default.createDirectory(
                atPath: fixture.sandbox("d"), withIntermediateDirectories: false)
            _ = fixture.events(after: 0)
            try fixture.sandbox.write(String(repeating: "x", count: Int(size)), to: "d/f")
            #expect(fixture.events(after: 1) == ["d/f": size])
            try FileManager.default.removeItem(atPath: fixture.sandbox("d"))
            _ = fixture.events(after: 2)
        }
    }

    @Test func `a file that is emptied while it is watched is due soon`() throws {
        let fixture = try Fixture()
        try fixture.sandbox.write("text", to: "f")
        fixture.watch("f")
        fixture.close(fixture.create("f"))
        #expect(fixture.events(after: 0) == [:])
        #expect(fixture.events(after: 49) == [:])
        #expect(fixture.events(after: 50) == ["f": 0])
    }

    /// The first writer's close is read after the second writer has emptied the file. Nothing reports the
    /// emptying.
    @Test(arguments: [true, false])
    func `a new file that the next writer has emptied is left to that writer`(_ isFolderListed: Bool) throws {
        let fixture = try Fixture()
        try FileManager.default.createDirectory(
            atPath: fixture.sandbox("d"), withIntermediateDirectories: false)
        fixture.watch(isFolderListed ? "d" : "d/f")
        let first = fixture.create("d/f")
        if isFolderListed { _ = fixture.events(after: 0) }
        #expect(unsafe write(first, "other", 5) == 5)
        fixture.close(first, of: "d/f")
        let second = fixture.create("d/f")
        if isFolderListed { fixture.watch("d/f") }
        let path = try #require(fixture.core.paths.values.first { $0.key.path == fixture.sandbox("d/f") })
        let emptied = FileSignature(path: fixture.sandbox("d/f"))
        #expect(path.knowledge(of: emptied) != .whole)
        #expect(fixture.events(after: 1) == [:])
        #expect(path.knowledge(of: emptied) != .whole)
        #expect(fixture.events(after: 900) == [:])
        #expect(unsafe write(second, "new", 3) == 3)
        #expect(fixture.events(after: 5_000) == [:])
        fixture.close(second, of: "d/f")
        #expect(fixture.events(after: 5_001) == ["d/f": 3])
    }

    @Test func `a file that was written before it was found is left to its writer`() throws {
        let fixture = try Fixture()
        fixture.watch("f")
        let file = fixture.create("f")
        #expect(unsafe write(file, "half", 4) == 4)
        #expect(fixture.events(after: 0) == [:])
        #expect(fixture.events(after: 500) == [:])
        #expect(unsafe write(file, "whole", 5) == 5)
        #expect(fixture.events(after: 5_000) == [:])
        fixture.close(file)
        #expect(fixture.events(after: 5_001) == ["f": 9])
    }

    @Test func `a path that is watched while its file is created waits for the writer`() throws {
        let fixture = try Fixture()
        fixture.watch("d")
        #expect(fixture.events(after: 0) == [:])
        try FileManager.default.createDirectory(
            atPath: fixture.sandbox("d"), withIntermediateDirectories: false)
        _ = fixture.events(after: 1)
        let file = fixture.create("d/f")
        _ = fixture.events(after: 2)
        fixture.watch("d/f")
        #expect(fixture.core.due(isDelivering: false) != nil)
        #expect(fixture.events(after: 3) == [:])
        #expect(unsafe write(file, "port", 4) == 4)
        fixture.close(file, of: "d/f")
        #expect(fixture.events(after: 4) == ["d/f": 4])
    }

    @Test func `files that are removed one after the other are reported together`() throws {
        let fixture = try Fixture()
        for name in ["f", "g"] { try fixture.sandbox.write("text", to: name) }
        fixture.watch("f", "g")
        _ = unsafe unlink(fixture.sandbox("f"))
        #expect(fixture.events(after: 0) == [:])
        _ = unsafe unlink(fixture.sandbox("g"))
        #expect(fixture.events(after: 30) == [:])
        #expect(fixture.events(after: 60) == [:])
        #expect(fixture.events(after: 80) == ["f": nil, "g": nil])
    }

    @Test
    func `what is missing from a folder that takes the place of another is reported with what is there`()
        throws
    {
        let fixture = try Fixture()
        let sandbox = fixture.sandbox
        for name in ["old", "new"] {
            try FileManager.default.createDirectory(atPath: sandbox(name), withIntermediateDirectories: false)
        }
        for name in ["old/f", "old/g", "new/f"] { try sandbox.write(name, to: name) }
        #expect(unsafe symlink("old", sandbox("d")) == 0)
        fixture.watch("d/f", "d/g")
        #expect(unsafe symlink("new", sandbox("next")) == 0)
        #expect(unsafe rename(sandbox("next"), sandbox("d")) == 0)
        #expect(fixture.events(after: 0) == ["d/f": 5, "d/g": nil])
    }

    @Test func `a version that was found is whole once all events before it have been read`() throws {
        let fixture = try Fixture()
        try fixture.sandbox.write("text", to: "f")
        fixture.watch("f")
        let path = try #require(fixture.core.paths.values.first)
        #expect(path.signature == FileSignature(path: fixture.sandbox("f")))
        let file = fixture.create("f")
        fixture.core.synchronize(now: fixture.start)
        #expect(path.debouncer.isSettling)
        fixture.close(file)
        fixture.core.synchronize(now: fixture.start)
        #expect(!path.debouncer.isSettling)
    }
}
