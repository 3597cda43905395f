import PrefsSystem
import Foundation
import Testing

@testable import FileWatching

/// The effects on the host program. Each test counts descriptors, so it runs in its own process.
@Suite struct WatchHubTests {
    @Test func `one instance serves all watchers and equal paths share watches`() async {
        await #expect(processExitsWith: .success) {
            let inherited = ProcessState.allInotifyDescriptors
            let sandbox = try Sandbox()
            try sandbox.write("old", to: "f")
            let watchers = (0..<20).map { _ in FileWatcher(engine: .kernel) }
            var watches = [watchers[0].watch(sandbox("f")) { _ in }]
            let descriptor = try #require(ProcessState.inotifyDescriptors(besides: inherited).first)
            let count = ProcessState.watches(of: descriptor)
            watches += watchers.flatMap { watcher in
                (0..<5).map { _ in watcher.watch(sandbox("f")) { _ in } }
            }
            try #require(ProcessState.inotifyDescriptors(besides: inherited) == [descriptor])
            try #require(ProcessState.watches(of: descriptor) == count)
            try #require(eventually { (1...2).contains(ProcessState.watcherThreads.count) })
            watches = []
            try #require(eventually { ProcessState.watcherThreads.isEmpty })
            try #require(ProcessState.inotifyDescriptors(besides: inherited).isEmpty)
        }
    }

    @Test func `descriptors are close-on-exec and signals are blocked`() async {
        await #expect(processExitsWith: .success) {
            let inherited = ProcessState.allInotifyDescriptors
            let before = Set(ProcessState.descriptors.keys)
            let watches = engines.map { FileWatcher(engine: $0).watch("/tmp/no/such/file") { _ in } }
            try #require(eventually { !ProcessState.watcherThreads.isEmpty })
            let instances = ProcessState.inotifyDescriptors(besides: inherited)
            try #require(instances.count == 2)
            // These belong to the event loop or to the runtime; they look alike.
            let events = ProcessState.descriptors.filter { $0.value == "anon_inode:[eventfd]" }.keys
            for descriptor in instances + events where !before.contains(descriptor) {
                // A descriptor that has been closed meanwhile has no flags.
                guard let flags = ProcessState.flags(of: descriptor) else { continue }
                try #require(flags & Int(O_CLOEXEC) != 0)
            }
            var masks: [UInt64] = []
            // The status of a thread that is just ending shows no blocked signals.
            try #require(
                eventually {
                    masks = ProcessState.watcherThreads.compactMap { thread in
                        let mask = ProcessState.field("SigBlk", in: thread + "/status")
                        let isRunning = FileManager.default.fileExists(atPath: thread)
                        return isRunning ? mask.flatMap { UInt64($0, radix: 16) } : nil
                    }
                    return !masks.isEmpty
                })
            for mask in masks {
                for signal in [SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGUSR1] {
                    try #require(mask & (1 << UInt64(signal - 1)) != 0)
                }
            }
            withExtendedLifetime(watches) {}
        }
    }

    @Test func `opening and closing the engine leaks nothing`() async {
        await #expect(processExitsWith: .success) {
            let hub = WatchHub(.kernel, idleTimeout: .zero)
            let count = ProcessInfo.processInfo.environment["FILEWATCHING_REPEAT"] == nil ? 100 : 1000
            func startAndStop() -> Bool {
                let subscription = Subscription(
                    path: "/tmp/no/such/file", settling: .standard, safetyPoll: nil, watcher: WatcherToken(),
                    handler: { _ in })
                try? hub.add(subscription)
                hub.remove(subscription)
                return eventually { !hub.isOpen }
            }
            try #require(startAndStop())
            // The loop has its own descriptors until its threads end.
            try #require(eventually { ProcessState.watcherThreads.isEmpty })
            let before = ProcessState.ownDescriptors
            for _ in 0..<count { try #require(startAndStop()) }
            try #require(eventually { ProcessState.watcherThreads.isEmpty })
            try #require(ProcessState.ownDescriptors <= before)
        }
    }

    @Test func `a timer that goes off when it has been replaced leaves the next one alone`() throws {
        let loop = EventLoop()
        let hub = WatchHub(.kernel, idleTimeout: .zero, loop: loop)
        let subscription = Subscription(
            path: "/tmp/no/such/file", settling: .standard, safetyPoll: .seconds(3600),
            watcher: WatcherToken(), handler: { _ in })
        try hub.add(subscription)
        _ = hub.serve(.timer)
        hub.remove(subscription)
        // The loop's threads end when no timer is left.
        #expect(eventually { loop.threadCount == 0 })
    }

    @Test func `libinotifytools accepts no path if no thread can be created to call it`() {
        let hub = WatchHub(.inotifyTools, loop: EventLoop { _ in false })
        let subscription = Subscription(
            path: "/tmp/no/such/file", settling: .standard, safetyPoll: nil, watcher: WatcherToken(),
            handler: { _ in })
        #expect(throws: Problem.self) { try hub.add(subscription) }
        #expect(hub.paths(of: subscription.watcher, requested: .inotifyTools).isEmpty)
    }

    @Test(arguments: engines) func `watching and cancelling a thousand times leaks nothing`(
        _ engine: FileWatcherEngine
    ) async {
        await #expect(processExitsWith: .success) { [name = engine.description as String] in
            let engine = try #require(engines.first { $0.description == name })
            let watcher = FileWatcher(engine: engine)
            let before = ProcessState.ownDescriptors
            for _ in 0..<1000 { watcher.watch("/tmp/no/such/file") { _ in }.cancel() }
            try #require(eventually { ProcessState.ownDescriptors <= before })
            try #require(eventually { ProcessState.watcherThreads.isEmpty })
        }
    }

    @Test(arguments: engines) func `watching works with more than a thousand open descriptors`(
        _ engine: FileWatcherEngine
    ) async {
        await #expect(processExitsWith: .success) { [name = engine.description as String] in
            let engine = try #require(engines.first { $0.description == name })
            try Descriptors.occupy(1100)
            let sandbox = try Sandbox()
            let watcher = FileWatcher(engine: engine, safetyPoll: nil)
            let recorder = Recorder()
            let watch = watcher.watch(sandbox("f")) { recorder.record($0) }
            try sandbox.replace("f", by: "new")
            try #require(recorder.hasCaughtUp(with: sandbox("f"), after: 0))
            try #require(watcher.status.engine == (engine == .inotifyTools ? .kernel : engine))
            watch.cancel()
        }
    }

    @Test(arguments: engines) func `a forked child takes no event from its parent`(
        _ engine: FileWatcherEngine
    ) async {
        await #expect(processExitsWith: .success) { [name = engine.description as String] in
            let engine = try #require(engines.first { $0.description == name })
            let sandbox = try Sandbox()
            let watcher = FileWatcher(engine: engine, safetyPoll: nil)
            let recorder = Recorder()
            let watch = watcher.watch(sandbox("f")) { recorder.record($0) }
            try #require(Descriptors.inChild { 0 } == 0)
            try sandbox.replace("f", by: "parent")
            try #require(recorder.hasCaughtUp(with: sandbox("f"), after: 0))
            watch.cancel()
        }
    }

    #if InotifyTools
        @Test func `memory leaked by the library is reclaimed and no change is missed`() async {
            await #expect(processExitsWith: .success) {
                let inherited = ProcessState.allInotifyDescriptors
                let sandbox = try Sandbox()
                let recorder = Recorder()
                let hub = WatchHub(.inotifyTools, leakLimit: 10)
                let subscription = Subscription(
                    path: sandbox("f"), settling: .standard, safetyPoll: nil, watcher: WatcherToken(),
                    handler: { recorder.record($0) })
                try hub.add(subscription)
                let library = { hub.state.withLock { $0.core.backend } as? LibraryInotify }
                let first = try #require(library())
                for number in 0..<50 {
                    try sandbox.replace("f", by: "\(number)")
                    try #require(recorder.wait { $0.last?.content == "\(number)" })
                }
                try #require(eventually { library() !== first })
                // The watcher may see the last edit while the library is reopened.
                try #require(eventually { ProcessState.inotifyDescriptors(besides: inherited).count == 1 })
                hub.remove(subscription)
            }
        }

        @Test func `a library in use by other code in the process is left alone`() async {
            await #expect(processExitsWith: .success) {
                let inherited = ProcessState.allInotifyDescriptors
                let initialize = try #require(Descriptors.function("inotifytools_initialize"))
                try #require(initialize() == 1)
                let foreign = ProcessState.inotifyDescriptors(besides: inherited)
                let watcher = FileWatcher(engine: .inotifyTools)
                watcher.watch("/tmp/no/such/file") { _ in }.cancel()
                let status = watcher.status
                try #require(status.engine == .kernel)
                try #require(status.reason == "libinotifytools is used by another part of this process")
                try #require(eventually { ProcessState.inotifyDescriptors(besides: inherited) == foreign })
            }
        }
    #endif
}

extension WatchHub {
    /// True while the engine uses inotify.
    var isOpen: Bool { state.withLock { $0.core.backend != nil } }
}
