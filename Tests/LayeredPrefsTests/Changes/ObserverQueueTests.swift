import Testing

@testable import LayeredPrefs

@Suite struct ObserverQueueTests {
    private let seen = Log<Int>()

    private func event(_ number: Int) -> ObserverQueue.Event { { [seen] in seen.add(number) } }

    @Test func `an event is delivered on the posting thread before post returns`() {
        let queue = ObserverQueue()
        #expect(queue.post(event(1)))
        #expect(seen.all == [1])
    }

    @Test func `an added event waits until the queue is drained`() {
        let queue = ObserverQueue()
        queue.add(event(1))
        queue.add(event(2))
        #expect(seen.all.isEmpty)
        queue.drain()
        #expect(seen.all == [1, 2])
    }

    @Test func `an event posted during a delivery is delivered after it`() {
        let queue = ObserverQueue()
        queue.post { [event = event(2), seen] in
            queue.post(event)
            seen.add(1)
        }
        #expect(seen.all == [1, 2])
    }

    @Test func `a held queue delivers in order once it begins`() {
        let queue = ObserverQueue(isHeld: true)
        for number in 1...3 { queue.post(event(number)) }
        queue.drain()
        #expect(seen.all.isEmpty)
        queue.begin()
        #expect(seen.all == [1, 2, 3])
        queue.post(event(4))
        #expect(seen.all == [1, 2, 3, 4])
    }

    @Test func `a closed queue delivers nothing more`() {
        let queue = ObserverQueue(isHeld: true)
        queue.post(event(1))
        queue.close()
        queue.begin()
        #expect(!queue.post(event(2)))
        queue.add(event(3))
        queue.drain()
        #expect(seen.all.isEmpty)
    }

    @Test func `closing during a delivery drops the events behind it`() {
        let queue = ObserverQueue(isHeld: true)
        queue.post { queue.close() }
        queue.post(event(1))
        queue.begin()
        #expect(seen.all.isEmpty)
    }

    @Test func `what an event captured is released outside the mutex`() {
        /// An object that uses the queue when it is released.
        final class Captured: Sendable {
            let queue: ObserverQueue

            init(_ queue: ObserverQueue) { self.queue = queue }

            deinit { queue.post {} }
        }
        let queue = ObserverQueue(isHeld: true)
        queue.post { [captured = Captured(queue)] in withExtendedLifetime(captured) {} }
        queue.close()
    }

    @Test func `each thread's events are delivered once, one at a time and in order`() async {
        let queue = ObserverQueue()
        await withTaskGroup { group in
            for thread in 0..<4 {
                group.addTask { for number in 0..<250 { queue.post(event(thread * 250 + number)) } }
            }
        }
        for thread in 0..<4 {
            let range = thread * 250..<(thread + 1) * 250
            #expect(seen.all.filter(range.contains) == Array(range))
        }
    }
}
