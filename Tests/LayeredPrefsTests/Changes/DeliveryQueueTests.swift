import FileWatching
import PrefsSystem
import Testing

@testable import LayeredPrefs

@Suite struct DeliveryQueueTests {
    @Test func `a blocked observer delays only its own events`() async {
        let scheduler = VirtualScheduler()
        let delivery = DeliveryQueue(scheduler: scheduler)
        let (slow, quick) = (ObserverQueue(on: delivery), ObserverQueue(on: delivery))
        let (entered, enter) = AsyncStream<Void>.makeStream()
        let (released, release) = (BlockingPromise<Void>(), Log<String>())
        slow.post {
            enter.yield()
            released.wait()
            release.add("slow 1")
        }
        for await _ in entered { break }
        let order = release
        slow.post { order.add("slow 2") }
        await withCheckedContinuation { continuation in
            quick.post {
                order.add("quick")
                continuation.resume()
            }
            scheduler.advance(to: .milliseconds(20))
        }
        #expect(order.all == ["quick"])
        await withCheckedContinuation { continuation in
            slow.post { continuation.resume() }
            released.open(())
        }
        #expect(order.all == ["quick", "slow 1", "slow 2"])
    }
    @Test func `an observer behind a hundred that never return is notified after few checks`() async {
        let scheduler = VirtualScheduler()
        let delivery = DeliveryQueue(scheduler: scheduler)
        let released = BlockingPromise<Void>()
        let (entered, enter) = AsyncStream<Void>.makeStream()
        let blocked = (0..<100).map { _ in ObserverQueue(on: delivery) }
        for queue in blocked {
            queue.post {
                enter.yield()
                released.wait()
            }
        }
        let (reached, reach) = AsyncStream<Void>.makeStream()
        let last = ObserverQueue(on: delivery)
        last.post { reach.yield() }
        var entries = entered.makeAsyncIterator()
        await entries.next()
        var isDone: [Int] = []
        // All threads are in callbacks before each check: 1, 1, 4, 16 and 64 of them, then the rest.
        for (check, newlyBlocked) in [1, 4, 16, 64, 14].enumerated() {
            scheduler.advance(to: .milliseconds(20 * (check + 1)))
            for _ in 0..<newlyBlocked { await entries.next() }
            isDone.append(newlyBlocked)
        }
        for await _ in reached { break }
        #expect(isDone.reduce(1, +) == 100)
        #expect(delivery.threads <= 128)
        released.open(())
    }

    @Test func `threads are bounded, and observers go on when a blocked one returns`() async {
        let scheduler = VirtualScheduler()
        let delivery = DeliveryQueue(scheduler: scheduler, limit: 2)
        let released = BlockingPromise<Void>()
        let (entered, enter) = AsyncStream<Void>.makeStream()
        let (reached, reach) = AsyncStream<Void>.makeStream()
        let queues = (0..<3).map { _ in ObserverQueue(on: delivery) }
        for queue in queues.prefix(2) {
            queue.post {
                enter.yield()
                released.wait()
            }
        }
        queues[2].post { reach.yield() }
        var entries = entered.makeAsyncIterator()
        await entries.next()
        scheduler.advance(to: .milliseconds(20))
        await entries.next()
        scheduler.advance(to: .milliseconds(40))
        scheduler.advance(to: .milliseconds(60))
        #expect(delivery.threads == 2)
        released.open(())
        for await _ in reached { break }
    }

    @Test func `a leading thread delivers its own events after the body`() {
        let delivery = DeliveryQueue(scheduler: VirtualScheduler())
        let (queue, order) = (ObserverQueue(on: delivery), Log<String>())
        let thread = BackgroundThread.current
        let work = delivery.lead {
            queue.post { order.add(BackgroundThread.current == thread ? "delivered here" : "elsewhere") }
            order.add("body")
        }
        work?.perform()
        #expect(delivery.lead {} == nil)
        #expect(order.all == ["body", "delivered here"])
        #expect(delivery.threads == 0)
    }
}
