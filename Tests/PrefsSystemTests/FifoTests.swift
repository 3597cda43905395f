import Testing

@testable import PrefsSystem

@Suite struct FifoTests {
    @Test func `elements leave in the order in which they were added`() {
        var (queue, seen) = (Fifo<Int>(), [Int]())
        for number in 1...100 {
            queue.append(number)
            if number.isMultiple(of: 3), let first = queue.popFirst() { seen.append(first) }
        }
        while let first = queue.popFirst() { seen.append(first) }
        #expect(seen == Array(1...100))
        #expect(queue.isEmpty)
    }

    @Test func `the newest element and the count are those of the elements that have not left`() {
        var queue = Fifo<Int>()
        #expect(queue.last == nil)
        for number in 1...100 { queue.append(number) }
        for left in 1...99 {
            #expect(queue.popFirst() == left)
            #expect((queue.count, queue.last) == (100 - left, 100))
        }
        queue.replaceLast(with: 7)
        #expect(queue.popFirst() == 7)
        #expect((queue.popFirst(), queue.count) == (nil, 0))
    }
}
