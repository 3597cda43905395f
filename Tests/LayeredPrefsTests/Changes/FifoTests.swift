import Testing

@testable import LayeredPrefs

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
}
