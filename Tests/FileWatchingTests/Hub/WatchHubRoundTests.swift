import Foundation
import PrefsSystem
import TestSupport
import Testing

@testable import FileWatching

/// The rounds of events of a hub, and calls that come during a round.
@Suite struct WatchHubRoundTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        for name in ["f", "g"] { try sandbox.write("old", to: name) }
    }

    @Test(arguments: engines) func `watching goes on while observers of a round are blocked`(
        _ engine: FileWatcherEngine
    ) throws {
        let watcher = FileWatcher(engine: engine, safetyPoll: nil)
        let (gate, entered, recorder) = (Latch(), DispatchSemaphore(value: 0), Recorder())
        let blocking = watcher.watch(
            sandbox("f"), onEvent: { _ in },
            onRoundEnd: {
                EventLoop.shared.post(.callback) {
                    entered.signal()
                    gate.wait()
                }
            })
        let other = watcher.watch(sandbox("g")) { recorder.record($0) }
        for number in 1...3 {
            try sandbox.replace("f", by: "blocks \(number)")
            entered.wait()
            try sandbox.replace("g", by: "seen \(number)")
            #expect(recorder.wait { $0.last?.content == "seen \(number)" })
        }
        gate.open()
        try sandbox.replace("g", by: "afterwards")
        #expect(recorder.wait { $0.last?.content == "afterwards" })
        blocking.cancel()
        other.cancel()
    }

    @Test(arguments: engines) func `watching is in place when a callback has called watch`(
        _ engine: FileWatcherEngine
    ) throws {
        let watcher = FileWatcher(engine: engine, safetyPoll: nil)
        let recorder = Recorder()
        let path = sandbox("g")
        let added = Lock<FileWatch?>(nil)
        let watch = watcher.watch(sandbox("f")) { _ in
            watcher.watch(path) { _ in }.cancel()
            let watch = watcher.watch(path) { recorder.record($0) }
            added.withLock { $0 = watch }
            // Only a watch that is already in place notices this change.
            try? Data("new".utf8).write(to: URL(filePath: path), options: .atomic)
        }
        try sandbox.replace("f", by: "new")
        #expect(recorder.wait { $0.last?.content == "new" })
        watch.cancel()
        added.withLock { $0 }?.cancel()
    }

    @Test(arguments: engines) func `a callback may wait for a thread that watches`(
        _ engine: FileWatcherEngine
    ) throws {
        let watcher = FileWatcher(engine: engine, safetyPoll: nil)
        let path = sandbox("g")
        let (entered, isWatched, done) = (Latch(), Latch(), Latch())
        let watch = watcher.watch(sandbox("f")) { _ in
            entered.open()
            isWatched.wait()
            done.open()
        }
        try sandbox.replace("f", by: "new")
        entered.wait()
        watcher.watch(path) { _ in }.cancel()
        isWatched.open()
        done.wait()
        watch.cancel()
    }

    @Test func `a round ends when every watch has had its event`() throws {
        let engine = ManualFileEngine()
        let watcher = FileWatcher(engine: .manual(engine))
        let order = Lock<[String]>([])
        let done = DispatchSemaphore(value: 0)
        let watches = ["a", "b"].map { name in
            watcher.watch(
                sandbox("f"), onEvent: { _ in order.withLock { $0.append("\(name) called") } },
                onRoundEnd: {
                    order.withLock { $0.append("\(name) ends") }
                    done.signal()
                })
        }
        engine.signal(sandbox("f"))
        for _ in watches { done.wait() }
        #expect(order.withLock { $0 } == ["a called", "b called", "a ends", "b ends"])
        for watch in watches { watch.cancel() }
    }

    @Test func `events during a callback are delivered after it`() throws {
        let (time, entered, gate) = (VirtualTime(), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let loop = EventLoop(time: time)
        let hub = WatchHub(.kernel, loop: loop)
        let subscription = Subscription(
            path: sandbox("f"), settling: .standard, safetyPoll: nil, watcher: WatcherToken(),
            handler: { _ in
                entered.signal()
                gate.wait()
            })
        try hub.add(subscription)
        try sandbox.replace("f", by: "1")
        entered.wait()
        for number in 2...5 { try sandbox.replace("f", by: "\(number)") }
        gate.signal()
        entered.wait()
        gate.signal()
        hub.remove(subscription)
    }

    @Test func `a file written in place is read when its writer closes it, or at the limit`() throws {
        let time = VirtualTime()
        let loop = EventLoop(time: time)
        let hub = WatchHub(.kernel, loop: loop)
        let (recorder, otherRounds) = (Recorder(), DispatchSemaphore(value: 0))
        let subscription = Subscription(
            path: sandbox("f"), settling: .standard, safetyPoll: nil, watcher: WatcherToken(),
            handler: { recorder.record($0) })
        let other = Subscription(
            path: sandbox("g"), settling: .standard, safetyPoll: nil, watcher: WatcherToken(),
            handler: { _ in }, onRoundEnd: { otherRounds.signal() })
        try hub.add(subscription)
        try hub.add(other)

        var file = try openTruncated("f", watchedBy: hub)
        time.advance(to: .seconds(9), in: loop)
        // If the event were due, it would be delivered no later than the event of another file.
        try sandbox.replace("g", by: "new")
        otherRounds.wait()
        #expect(recorder.count == 0)
        let text = Array("new".utf8)
        #expect(unsafe write(file, text, text.count) == text.count)
        close(file)
        #expect(recorder.wait { !$0.isEmpty })
        #expect(recorder.records.map(\.content) == ["new"])

        file = try openTruncated("f", watchedBy: hub)
        time.advance(to: .seconds(19), in: loop)
        #expect(recorder.wait { $0.last?.content == "" })
        close(file)
        hub.remove(subscription)
        hub.remove(other)
    }

    /// Opens a file as a shell does before it runs the command that writes to it, and waits until `hub` knows.
    private func openTruncated(_ name: String, watchedBy hub: WatchHub) throws -> Int32 {
        let file = unsafe open(sandbox(name), O_WRONLY | O_TRUNC | O_CLOEXEC)
        try #require(file >= 0)
        try #require(eventually { hub.state.withLock { !$0.core.pending.isEmpty } })
        return file
    }

    @Test func `a file is polled by the loop's time`() throws {
        let time = VirtualTime()
        let loop = EventLoop(time: time)
        let hub = WatchHub(.polling, loop: loop)
        let events = Lock<[FileEvent.Source]>([])
        let subscription = Subscription(
            path: sandbox("f"), settling: .none, safetyPoll: nil, watcher: WatcherToken(),
            handler: { event in events.withLock { $0.append(event.source) } })
        try hub.add(subscription)
        try sandbox.replace("f", by: "new and longer")
        // One poll notices the change, and a later poll that the file is complete.
        var seconds = 0
        let isCalled = eventually {
            seconds += 1
            time.advance(to: .seconds(seconds), in: loop)
            return !events.withLock { $0 }.isEmpty
        }
        #expect(isCalled)
        #expect(events.withLock { $0 } == [.poll])
        hub.remove(subscription)
    }

    @Test func `threads and descriptors of blocked observers do not remain`() async {
        await #expect(processExitsWith: .success) {
            let sandbox = try Sandbox()
            let before = ProcessState.ownDescriptors
            let loop = EventLoop(idleTimeout: .zero)
            let hub = WatchHub(.kernel, idleTimeout: .zero, loop: loop)
            let gate = Latch()
            let entered = DispatchSemaphore(value: 0)
            let subscription = Subscription(
                path: sandbox("f"), settling: .none, safetyPoll: nil, watcher: WatcherToken(),
                handler: { _ in },
                onRoundEnd: {
                    loop.post(.callback) {
                        entered.signal()
                        gate.wait()
                    }
                })
            try hub.add(subscription)
            for number in 1...5 {
                try sandbox.replace("f", by: "\(number)")
                entered.wait()
            }
            hub.remove(subscription)
            try #require(eventually { !hub.isOpen })
            gate.open()
            try #require(eventually { ProcessState.watcherThreads.isEmpty })
            try #require(eventually { ProcessState.ownDescriptors <= before }, "\(ProcessState.descriptors)")
        }
    }
}
