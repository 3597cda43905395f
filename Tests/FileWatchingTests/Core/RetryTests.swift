import Testing

@testable import FileWatching

@Suite struct RetryTests {
    private let start = ContinuousClock.now
    private var retry = Retry()

    @Test mutating func `retries become less frequent but never stop`() {
        retry.begin(at: start)
        var waits: [Duration] = []
        var last = start
        for _ in 0..<9 {
            guard let due = retry.due else { break }
            let isTooEarly = retry.take(at: due - .milliseconds(1))
            #expect(!isTooEarly)
            let isDue = retry.take(at: due)
            #expect(isDue)
            waits.append(last.duration(to: due))
            last = due
        }
        #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
    }

    @Test mutating func `retries start from the first interval after a recovery`() {
        retry.begin(at: start)
        _ = retry.take(at: start + .seconds(1))
        retry.end()
        #expect(retry.due == nil)
        retry.begin(at: start)
        #expect(retry.due == start + .seconds(1))
    }
}
