import PrefsSystem
import Testing

@testable import LayeredPrefs

/// The turns of observers and workers, without any thread.
@Suite struct DeliveryTurnsTests {
    private let turns = Turns()

    private final class Turns {
        private var turns = DeliveryTurns<String>()

        func add(_ observer: String) -> DeliveryEffect { turns.add(observer) }

        func next(for worker: UInt64) -> (queue: String, effect: DeliveryEffect)? { turns.next(for: worker) }

        func finish(
            _ observer: String, again: Bool, as worker: UInt64
        ) -> DeliveryTurns<String>.Continuation { turns.finish(observer, again: again, as: worker) }

        func check(_ callback: UInt64) -> DeliveryEffect { turns.check(callback) }
    }

    /// Returns the observer whose event a worker delivers next.
    private func next(_ worker: UInt64) -> String? { turns.next(for: worker)?.queue }

    @Test func `the first event starts a worker and later ones do not`() {
        #expect(turns.add("a") == .startWorker(1))
        #expect(turns.add("b") == .nothing)
        #expect(next(1) == "a")
        #expect(turns.finish("a", again: false, as: 1) == .stay)
        #expect(turns.add("a") == .nothing)
    }

    @Test func `observers are served in turn`() {
        for observer in ["a", "b"] { _ = turns.add(observer) }
        for expected in ["a", "b", "a", "b"] {
            #expect(next(1) == expected)
            #expect(turns.finish(expected, again: true, as: 1) == .stay)
        }
    }

    @Test func `a callback is checked only if observers wait behind it`() {
        _ = turns.add("a")
        #expect(turns.next(for: 1)?.effect == .nothing)
        #expect(turns.add("b") == .checkLater(callback: 1))
        #expect(turns.add("c") == .nothing)
    }

    @Test func `a blocked worker is replaced and leaves when its callback returns`() {
        _ = turns.add("slow")
        _ = turns.add("quick")
        #expect(next(1) == "slow")
        #expect(turns.check(1) == .replaceWorker(2))
        #expect(next(1) == nil)
        #expect(next(2) == "quick")
        #expect(turns.finish("slow", again: true, as: 1) == .leave(wakesSuccessor: true))
        #expect(turns.finish("quick", again: false, as: 2) == .stay)
        #expect(next(2) == "slow")
        #expect(turns.finish("slow", again: false, as: 2) == .stay)
    }

    @Test func `a worker that finished in time is kept, and its next callback is checked`() {
        for observer in ["a", "b", "c"] { _ = turns.add(observer) }
        #expect(turns.next(for: 1)?.effect == .checkLater(callback: 1))
        #expect(turns.finish("a", again: false, as: 1) == .stay)
        #expect(turns.next(for: 1)?.effect == .nothing)
        #expect(turns.check(1) == .checkLater(callback: 2))
        #expect(turns.check(2) == .replaceWorker(2))
    }

    @Test func `nothing is replaced while no observer waits`() {
        _ = turns.add("a")
        _ = next(1)
        #expect(turns.check(1) == .nothing)
    }
}

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
}
