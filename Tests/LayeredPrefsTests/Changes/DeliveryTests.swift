import PrefsSystem
import TestSupport
import Testing

@testable import LayeredPrefs

/// Delivery to observers by an event loop.
@Suite struct DeliveryTests {
    private let time = VirtualTime()
    private let loop: EventLoop
    private let order = Log<String>()

    init() { loop = EventLoop(time: time) }

    @Test func `a blocked observer delays only its own events`() async {
        let (slow, quick) = (ObserverQueue(on: loop), ObserverQueue(on: loop))
        let (entered, enter) = AsyncStream<Void>.makeStream()
        let released = BlockingPromise<Void>()
        slow.post { [order] in
            enter.yield()
            released.wait()
            order.add("slow 1")
        }
        for await _ in entered { break }
        slow.post { [order] in order.add("slow 2") }
        await withCheckedContinuation { continuation in
            quick.post { [order] in
                order.add("quick")
                continuation.resume()
            }
            time.advance(to: .milliseconds(20), in: loop)
        }
        #expect(order.all == ["quick"])
        await withCheckedContinuation { continuation in
            slow.post { continuation.resume() }
            released.open(())
        }
        #expect(order.all == ["quick", "slow 1", "slow 2"])
    }

    @Test func `observers that have several events take turns`() async {
        let (entered, released) = (Latch(), Latch())
        // The loop delivers nothing else until this event returns.
        let first = ObserverQueue(on: loop)
        first.post {
            entered.open()
            released.wait()
        }
        entered.wait()
        let queues = ["a", "b"].map { ($0, ObserverQueue(on: loop)) }
        for (name, queue) in queues {
            for number in 1...3 { queue.post { [order] in order.add("\(name)\(number)") } }
        }
        await withCheckedContinuation { continuation in
            queues[1].1.post { continuation.resume() }
            released.open()
        }
        #expect(order.all == ["a1", "b1", "a2", "b2", "a3", "b3"])
    }

    @Test func `work of the loop is followed by the events that it posted, on the same thread`() async {
        let queue = ObserverQueue(on: loop)
        await withCheckedContinuation { continuation in
            loop.post { [order] in
                let thread = BackgroundThread.current
                queue.post {
                    order.add(BackgroundThread.current == thread ? "delivered here" : "elsewhere")
                    continuation.resume()
                }
                order.add("work")
            }
        }
        #expect(order.all == ["work", "delivered here"])
    }

    @Test func `edits are read and committed while ten thousand observers are blocked`() async throws {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let path = try folder.write(#"{"edited": 0}"#, to: "user.json")
            let storage = PrefsStack { PrefsLayer(.user, FilePrefsStorage(path: path)) }
            let key = PersistentKey("edited", defaultValue: 0)
            let before = ProcessCounts.now.threads
            let released = Latch()
            let observations = (0..<10_000).map { _ in storage.observe(key) { _ in released.wait() } }
            for number in 1...20 {
                try folder.write(#"{"edited": \#(number)}"#, to: "next.json")
                guard unsafe rename(folder["next.json"], path) == 0 else { throw Errno.last }
                try #require(eventually { storage.get(key) == number })
            }
            try #require(eventually { EventLoop.shared.threadCount >= 63 })
            try folder.write(#"{"edited": 21}"#, to: "user.json")
            try #require(eventually { storage.get(key) == 21 })
            try #require(EventLoop.shared.threadCount <= 64)
            // The test runner may start a few threads of its own.
            try #require(ProcessCounts.now.threads <= before + 64 + 8)
            released.open()
            for observation in observations { observation.cancel() }
        }
    }
}
