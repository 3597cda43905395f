import TestSupport
import Testing

@testable import PrefsSystem

@Suite struct TimerHeapTests {
    @Test func `timers go off by time and then in the order in which they were set`() {
        var heap = TimerHeap<Int>()
        for (number, due) in [30, 10, 20, 10, 0, 20].enumerated() {
            heap.add(UInt64(number), due: .milliseconds(due), number)
        }
        #expect(heap.due == .zero)
        #expect(heap.takeDue(at: .milliseconds(10)) == [4, 1, 3])
        #expect(heap.due == .milliseconds(20))
        #expect(heap.takeDue(at: .milliseconds(19)) == [])
        #expect(heap.takeDue(at: .seconds(1)) == [2, 5, 0])
        #expect(heap.isEmpty && heap.due == nil)
    }

    @Test func `a cancelled timer does not go off and delays no other`() {
        var heap = TimerHeap<Int>()
        for number in 0..<4 { heap.add(UInt64(number), due: .milliseconds(number), number) }
        #expect(heap.cancel(0) == 0)
        #expect(heap.cancel(2) == 2)
        #expect(heap.cancel(2) == nil)
        #expect(heap.due == .milliseconds(1))
        #expect(heap.takeDue(at: .seconds(1)) == [1, 3])
        #expect(heap.cancel(3) == nil)
    }

    @Test func `random timers go off like those of a sorted list`() {
        var random = SeededGenerator(seed: 3)
        var (heap, model) = (TimerHeap<UInt64>(), [(due: Duration, number: UInt64)]())
        var now = Duration.zero
        for number in 1...5000 as ClosedRange<UInt64> {
            let due = now + .milliseconds(Int.random(in: 0...500, using: &random))
            heap.add(number, due: due, number)
            model.append((due, number))
            if Bool.random(using: &random) {
                let cancelled = model.remove(at: Int.random(in: model.indices, using: &random)).number
                #expect(heap.cancel(cancelled) == cancelled)
            }
            now += .milliseconds(Int.random(in: 0...3, using: &random))
            let due2 = model.filter { $0.due <= now }.sorted { $0 < $1 }.map(\.number)
            model.removeAll { $0.due <= now }
            #expect(heap.takeDue(at: now) == due2)
            #expect(heap.due == model.map(\.due).min())
        }
    }
}
