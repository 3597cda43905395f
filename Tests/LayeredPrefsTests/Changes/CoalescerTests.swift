import Testing

@testable import LayeredPrefs

@Suite struct CoalescerTests {
    /// A file that reports when it is read.
    private final class File: Reloadable {
        let onRead: @Sendable () -> Void

        init(_ onRead: @escaping @Sendable () -> Void) { self.onRead = onRead }

        func refresh(_ cause: PrefsChangeCause) -> (@Sendable () -> Void)? {
            onRead()
            return {}
        }
    }

    /// Returns the times of the runs that calls at the given times lead to, in milliseconds.
    private func runs(_ coalescing: PrefsCoalescing, callsAt calls: some Sequence<Int>) -> [Int] {
        let (scheduler, runs) = (VirtualScheduler(), Log<Duration>())
        let queue = ReloadQueue(coalescing, scheduler: scheduler)
        let file = File { runs.add(scheduler.now) }
        for call in calls {
            scheduler.advance(to: .milliseconds(call))
            queue.note(file, .file)
            queue.run()
        }
        scheduler.advance(to: .seconds(3600))
        return runs.all.map { Int($0 / .milliseconds(1)) }
    }

    @Test(arguments: [
        (PrefsCoalescing.leadingEdge(.milliseconds(50)), [0], [0]),
        (.leadingEdge(.milliseconds(50)), [0, 10, 20], [0, 70]),
        (.leadingEdge(.milliseconds(50)), [0, 49], [0, 99]),
        (.leadingEdge(.milliseconds(50)), [0, 50], [0, 50]),
        (.leadingEdge(.milliseconds(50)), [0, 10, 59, 200], [0, 109, 200]),
        (.leadingEdge(.milliseconds(50)), Array(stride(from: 0, through: 400, by: 10)), [0, 260, 450]),
        (.trailingEdge(.milliseconds(50)), [0], [50]),
        (.trailingEdge(.milliseconds(50)), [0, 10, 20], [70]),
        (.trailingEdge(.milliseconds(50)), [0, 60], [50, 110]),
        (.trailingEdge(.milliseconds(50)), Array(stride(from: 0, through: 400, by: 10)), [250, 450]),
        (.immediate, [0, 0, 1], [0, 0, 1]),
        (.trailingEdge(.zero), [0, 0, 1], [0, 0, 1]),
    ])
    func `calls lead to runs`(_ coalescing: PrefsCoalescing, _ calls: [Int], _ expected: [Int]) {
        #expect(runs(coalescing, callsAt: calls) == expected)
    }

    @Test(arguments: [PrefsCoalescing.leadingEdge(.milliseconds(50)), .trailingEdge(.milliseconds(50))])
    func `the last run never begins before the last call`(_ coalescing: PrefsCoalescing) throws {
        for gap in 1...60 {
            let calls = stride(from: 0, through: 700, by: gap)
            #expect(try #require(runs(coalescing, callsAt: calls).last) >= Array(calls).last!)
        }
    }

    @Test(arguments: [Duration.seconds(10_000_000_000), .seconds(Int64.max), Duration(attoseconds: .max)])
    func `a window without end holds calls back`(window: Duration) {
        #expect(runs(.leadingEdge(window), callsAt: [0, 10, 20]) == [0])
        #expect(runs(.trailingEdge(window), callsAt: [0, 10, 20]) == [])
    }

    @Test func `a burst is at most two runs`() {
        for gap in 1...49 {
            let calls = stride(from: 0, through: 200, by: gap)
            #expect(runs(.leadingEdge(.milliseconds(50)), callsAt: calls).count <= 2)
            #expect(runs(.trailingEdge(.milliseconds(50)), callsAt: calls).count == 1)
        }
    }
}
