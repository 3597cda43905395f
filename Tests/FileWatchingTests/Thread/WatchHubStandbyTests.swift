import Foundation
import PrefsSystem
import TestSupport
import Testing

@testable import FileWatching

/// The work of a round, which may block while the watching goes on.
@Suite struct WatchHubStandbyTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        for name in ["f", "g"] { try sandbox.write("old", to: name) }
    }

    @Test(arguments: engines) func `watching goes on while the work of a round blocks`(
        _ engine: FileWatcherEngine
    ) throws {
        let watcher = FileWatcher(engine: engine, safetyPoll: nil)
        let (gate, entered, recorder) = (Latch(), Latch(), Recorder())
        let blocking = watcher.watch(
            sandbox("f"), onEvent: { _ in },
            onRoundEnd: {
                RoundWork {
                    entered.open()
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

    @Test(arguments: engines) func `blocking work may watch and cancel`(_ engine: FileWatcherEngine) throws {
        let watcher = FileWatcher(engine: engine, safetyPoll: nil)
        let recorder = Recorder()
        let path = sandbox("g")
        let added = Lock<FileWatch?>(nil)
        let (entered, gate, done) = (Latch(), Latch(), Latch())
        let blocking = watcher.watch(
            sandbox("f"), onEvent: { _ in },
            onRoundEnd: {
                RoundWork {
                    entered.open()
                    gate.wait()
                    watcher.watch(path) { _ in }.cancel()
                    let watch = watcher.watch(path) { recorder.record($0) }
                    added.withLock { $0 = watch }
                    done.open()
                }
            })
        let probe = Recorder()
        let other = watcher.watch(sandbox("h")) { probe.record($0) }
        try sandbox.replace("f", by: "blocks")
        entered.wait()
        // Another thread watches from here on.
        try sandbox.replace("h", by: "seen")
        #expect(probe.wait { $0.last?.content == "seen" })
        gate.open()
        done.wait()
        try sandbox.replace("g", by: "seen")
        #expect(recorder.wait { $0.last?.content == "seen" })
        blocking.cancel()
        other.cancel()
        added.withLock { $0 }?.cancel()
    }

    @Test func `lasting work learns that another thread watches`() throws {
        let engine = ManualFileEngine()
        let watcher = FileWatcher(engine: .manual(engine))
        let (replaced, done) = (Latch(), Latch())
        let watch = watcher.watch(
            sandbox("f"), onEvent: { _ in },
            onRoundEnd: {
                RoundWork(whenReplaced: { replaced.open() }) {
                    replaced.wait()
                    done.open()
                }
            })
        engine.signal(sandbox("f"))
        done.wait()
        watch.cancel()
    }

    @Test func `work begins when every watch has ended the round`() throws {
        let engine = ManualFileEngine()
        let watcher = FileWatcher(engine: .manual(engine))
        let order = Lock<[String]>([])
        let done = Latch()
        let watches = ["a", "b"].map { name in
            watcher.watch(
                sandbox("f"), onEvent: { _ in },
                onRoundEnd: {
                    order.withLock { $0.append("\(name) ends") }
                    return RoundWork {
                        let count = order.withLock { order in
                            order.append("\(name) works")
                            return order.count
                        }
                        if count == 4 { done.open() }
                    }
                })
        }
        engine.signal(sandbox("f"))
        done.wait()
        #expect(order.withLock { $0 } == ["a ends", "b ends", "a works", "b works"])
        for watch in watches { watch.cancel() }
    }

    @Test func `threads and descriptors of blocked rounds do not remain`() async {
        await #expect(processExitsWith: .success) {
            let sandbox = try Sandbox()
            let before = ProcessState.ownDescriptors
            let hub = WatchHub(.kernel, idleTimeout: .zero)
            let gate = Latch()
            let entered = Lock(0)
            let subscription = Subscription(
                path: sandbox("f"), settling: .none, safetyPoll: nil, watcher: WatcherToken(),
                handler: { _ in },
                onRoundEnd: {
                    RoundWork {
                        entered.withLock { $0 += 1 }
                        gate.wait()
                    }
                })
            try hub.add(subscription)
            for number in 1...5 {
                try sandbox.replace("f", by: "\(number)")
                try #require(eventually { entered.withLock { $0 } >= number })
            }
            hub.remove(subscription)
            try #require(eventually { hub.state.withLock { !$0.hasThread } })
            gate.open()
            try #require(eventually { ProcessState.watcherThreads.isEmpty })
            try #require(ProcessState.ownDescriptors <= before)
        }
    }

    @Test func `a standby takes over only from work that lasts`() throws {
        let timer = try #require(StandbyTimer())
        let other = try #require(StandbyTimer())
        defer {
            timer.close()
            other.close()
        }
        let now = ContinuousClock.now
        var state = WatchHub.State(core: WatchCore(.manual))
        state.standby = timer
        let idle = state.nextStep(of: timer, at: now)
        state.work = WatchHub.Work(parts: [RoundWork {}], start: now - .milliseconds(19))
        let early = state.nextStep(of: timer, at: now)
        let ended = state.nextStep(of: other, at: now)
        let late = state.nextStep(of: timer, at: now + .milliseconds(1))
        let replaced = state.nextStep(of: timer, at: now + .milliseconds(1))
        let steps = [idle, early, ended, late, replaced].map { "\($0)".prefix { $0 != "," } }
        #expect(steps == ["wait", "wait", "end", "replace(1", "end"])
    }
}
