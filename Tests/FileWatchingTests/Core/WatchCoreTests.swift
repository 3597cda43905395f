import Testing

@testable import FileWatching

@Suite struct WatchCoreTests {
    private static func subscription(_ path: String) -> Subscription {
        Subscription(
            path: path, settling: .none, safetyPoll: nil, watcher: WatcherToken(), handler: { _ in })
    }

    // The kernel's own file systems, like those of a network, are watched by polling; these ones always answer.
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

        // A poll that is still under way is not begun again, and forgets nothing.
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
}
